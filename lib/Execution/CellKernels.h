//===- CellKernels.h - Compile kernels that move cells ----------*- C++ -*-===//

#ifndef LCI_LIB_EXECUTION_CELLKERNELS_H
#define LCI_LIB_EXECUTION_CELLKERNELS_H

#include "LCI/Runtime/DeviceCells.h"
#include "mlir/IR/BuiltinOps.h"
#include <functional>

namespace mlir::lci {

/// Compiles the kernels of a lowered module and loads them on a device.
using KernelLoader = std::function<LogicalResult(ModuleOp)>;

/// Makes the loops over cells as IR, and lowers them to plans and kernels like programs. The
/// context must outlive the result.
std::unique_ptr<::lci::CellKernels> makeCellKernels(MLIRContext *context, ::lci::Device &device,
                                                    KernelLoader load);

} // namespace mlir::lci

#endif // LCI_LIB_EXECUTION_CELLKERNELS_H

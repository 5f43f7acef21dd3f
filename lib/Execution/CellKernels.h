//===- CellKernels.h - Compiles what moves cells on a device ----*- C++ -*-===//

#ifndef LCI_LIB_EXECUTION_CELLKERNELS_H
#define LCI_LIB_EXECUTION_CELLKERNELS_H

#include "LCI/Runtime/DeviceCells.h"
#include "mlir/IR/BuiltinOps.h"
#include <functional>

namespace mlir::lci {

/// Makes code of the kernels of a lowered module and gives it to a device.
using KernelLoader = std::function<LogicalResult(ModuleOp)>;

/// Writes the loops over cells as IR, and lowers them to plans and kernels as programs are. The
/// context must outlive it.
std::unique_ptr<::lci::CellKernels> makeCellKernels(MLIRContext *context, ::lci::Device &device,
                                                    KernelLoader load);

} // namespace mlir::lci

#endif // LCI_LIB_EXECUTION_CELLKERNELS_H

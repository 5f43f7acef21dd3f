//===- Scheduled.h - Lower by a schedule ------------------------*- C++ -*-===//
#ifndef LCI_LIB_EXECUTION_SCHEDULED_H
#define LCI_LIB_EXECUTION_SCHEDULED_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::lci {

/// Lowers ticks by the text of a schedule, in place, and what it leaves by the pipelines: to the
/// llvm dialect, for the target that the module has.
LogicalResult scheduleForCpu(ModuleOp module, StringRef schedule);
/// The same to kernels.
LogicalResult scheduleForGPU(ModuleOp module, StringRef schedule, bool tf32);

} // namespace mlir::lci

#endif // LCI_LIB_EXECUTION_SCHEDULED_H

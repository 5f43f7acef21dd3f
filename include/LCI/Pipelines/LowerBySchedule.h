//===- LowerBySchedule.h - Lower by a schedule ------------------*- C++ -*-===//
//
// In place of a pipeline: a schedule lowers all the way or a part of it, and the pipelines do the
// rest.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_PIPELINES_LOWERBYSCHEDULE_H
#define LCI_PIPELINES_LOWERBYSCHEDULE_H

#include "mlir/IR/BuiltinOps.h"
#include <string>

namespace mlir::lci {

/// Transform IR that lowers in place of a pipeline; empty: there is none.
struct ScheduleText {
  std::string text;
  std::string name = "schedule"; ///< of its file, for messages

  bool empty() const { return text.empty(); }
};

/// Whether arrays keep their layouts between calls, which their caller then knows of
/// (`persist-layouts` of the pipelines).
enum class Layouts { Restored, Persistent };

/// Lowers ticks by a schedule, in place, and the rest by the pipelines: to the
/// llvm dialect, for the target that the module has.
LogicalResult lowerBySchedule(ModuleOp module, const ScheduleText &schedule,
                              Layouts layouts = Layouts::Restored);
/// The same to kernels of a GPU.
LogicalResult lowerToKernelsBySchedule(ModuleOp module, const ScheduleText &schedule,
                                       Layouts layouts = Layouts::Restored);

} // namespace mlir::lci

#endif // LCI_PIPELINES_LOWERBYSCHEDULE_H

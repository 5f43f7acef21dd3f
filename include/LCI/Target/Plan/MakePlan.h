//===- MakePlan.h - The launch plan of a host function ----------*- C++ -*-===//
//
// Reads the host code of a module of kernels (the output of `lci-to-kernels-pipeline`) as the plan
// that a runtime without compiler carries out.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TARGET_PLAN_MAKEPLAN_H
#define LCI_TARGET_PLAN_MAKEPLAN_H

#include "LCI/Pipelines/LowerBySchedule.h"
#include "LCI/Pipelines/Pipelines.h"
#include "LCI/Runtime/Plan.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::lci {

/// The plan of one function; an operation that a plan cannot express is diagnosed.
FailureOr<::lci::Plan> makePlan(func::FuncOp function);

/// Writes the plans of all public functions of a module; its ticks become kernels first, by a
/// schedule if there is one.
LogicalResult exportPlans(ModuleOp module, const KernelPipelineOptions &options,
                          llvm::raw_ostream &output, const ScheduleText &schedule = {});

} // namespace mlir::lci

#endif // LCI_TARGET_PLAN_MAKEPLAN_H

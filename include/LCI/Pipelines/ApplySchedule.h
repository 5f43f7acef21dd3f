//===- ApplySchedule.h - Run transform IR on a module -----------*- C++ -*-===//
//
// A schedule is a module of upstream's transform IR with a sequence `@__transform_main`. Its knobs
// and alternatives have selected values; constraints between them are checked before it runs.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_PIPELINES_APPLYSCHEDULE_H
#define LCI_PIPELINES_APPLYSCHEDULE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir::lci {

/// Registers everything that schedules use: the dialects of all transform operations, and all
/// passes by name. `readSchedule` does so too.
void prepareContextForSchedules(MLIRContext &context);

/// Parses and verifies the text of a schedule, of a file of that name; null after an error.
OwningOpRef<ModuleOp> readSchedule(StringRef text, StringRef name, MLIRContext *context);

/// The schedule of a pipeline of this project (PrintSchedule.h).
OwningOpRef<ModuleOp> readDefaultSchedule(StringRef pipeline, MLIRContext *context);

/// Checks the constraints of a schedule, and replaces them by the numbers that they yield: upstream
/// gives `transform.smt.constrain_params` no meaning yet. Numbers are knobs or constants. Fails
/// with an error if a constraint does not hold.
LogicalResult resolveConstraints(ModuleOp schedule);
/// The same without an error: whether all constraints hold. Errors are for operations that are no
/// constraint.
FailureOr<bool> admitsSelection(ModuleOp schedule);

/// Runs a copy of a schedule on a module, in place. `requested` are options, `name=true`, that go
/// to every pipeline of this project which has them: the caller needs them, whoever made the
/// schedule.
LogicalResult applySchedule(ModuleOp payload, ModuleOp schedule,
                            ArrayRef<StringRef> requested = {});

} // namespace mlir::lci

#endif // LCI_PIPELINES_APPLYSCHEDULE_H

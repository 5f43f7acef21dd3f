//===- BindSteps.h - The steps of binding, in their order -------*- C++ -*-===//

#ifndef LCI_LIB_TRANSFORMS_PROGRAM_BINDSTEPS_H
#define LCI_LIB_TRANSFORMS_PROGRAM_BINDSTEPS_H

#include "LCI/Transforms/Program/Bind.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::lci {

/// Replaces the sizes by constants in the program; checks that extents and vocabularies are
/// positive.
LogicalResult bindSizes(ProgramOp program, const BindOptions &options);

/// Rejects constraints that refer to cells that the value does not have.
LogicalResult checkReferences(ProgramOp program);

/// Replaces every `lci.apply` by the formula. The formulas remain: declarations are numbered.
LogicalResult inlineFormulas(ProgramOp program);

/// Replaces reads of absent values by constants.
LogicalResult bindAbsentValues(ProgramOp program, const BindOptions &options);

/// Gives every ruled value a schedule and requires a commit of it.
LogicalResult bindSchedules(ProgramOp program, const BindOptions &options);

/// Sets the elements of parameters that determine the phases of a schedule.
LogicalResult bindElements(ProgramOp program, const BindOptions &options);

/// Sets the lengths of tensors that are determined by the sizes.
LogicalResult bindShapes(ProgramOp program);

/// Inlines calls within a model's function; a call that cannot be inlined is an error.
LogicalResult inlineHelpers(func::FuncOp model);

/// Replaces the results of models by those of the bound functions.
LogicalResult bindModels(ProgramOp program, const BindOptions &options);

} // namespace mlir::lci

#endif // LCI_LIB_TRANSFORMS_PROGRAM_BINDSTEPS_H

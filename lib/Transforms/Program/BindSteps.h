//===- BindSteps.h - The steps of binding, in their order -----------------===//

#ifndef LCI_LIB_TRANSFORMS_PROGRAM_BINDSTEPS_H
#define LCI_LIB_TRANSFORMS_PROGRAM_BINDSTEPS_H

#include "LCI/Transforms/Program/Bind.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::lci {

/// Puts numbers for the sizes everywhere in the program; extents and vocabularies are positive.
LogicalResult bindSizes(ProgramOp program, const BindOptions &options);

/// Refuses constraints whose reference names cells that the value does not have.
LogicalResult checkReferences(ProgramOp program);

/// Replaces every `lci.apply` by the formula. The formulas stay: declarations are numbered.
LogicalResult inlineFormulas(ProgramOp program);

/// Makes reads of absent values constants.
LogicalResult bindAbsentValues(ProgramOp program, const BindOptions &options);

/// Gives every ruled value a schedule and requires a commit of it.
LogicalResult bindSchedules(ProgramOp program, const BindOptions &options);

/// Puts in the elements of parameters that the phases of a schedule follow from.
LogicalResult bindElements(ProgramOp program, const BindOptions &options);

/// Gives tensors whose length follows from the sizes that length.
LogicalResult bindShapes(ProgramOp program);

/// Puts what a model's function calls in its place; what cannot be inlined is an error.
LogicalResult inlineHelpers(func::FuncOp model);

/// Replaces answers by what the bound functions return.
LogicalResult bindModels(ProgramOp program, const BindOptions &options);

} // namespace mlir::lci

#endif // LCI_LIB_TRANSFORMS_PROGRAM_BINDSTEPS_H

//===- MathFunctions.h - Upstream's spellings of our functions --*- C++ -*-===//
//
// Models are written with upstream's `math`. Its functions mean ours, which are correctly rounded;
// but upstream folds its own through the host's library, which is not. So they are respelled before
// anything folds.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TRANSFORMS_SUPPORT_MATHFUNCTIONS_H
#define LCI_TRANSFORMS_SUPPORT_MATHFUNCTIONS_H

#include "LCI/Dialect/LCIOps.h"

namespace mlir::lci {

/// The function of one or of two f32 that an operation of upstream computes. `math.sqrt` is not
/// among them: it is exact as it stands, and what expansions use.
std::optional<Elementary> getElementary(Operation *op);
std::optional<ElementaryBinary> getElementaryBinary(Operation *op);

/// Respells the functions in what a model computes; one that is neither ours nor exact is an error.
LogicalResult useOwnFunctions(Operation *model);

} // namespace mlir::lci

#endif // LCI_TRANSFORMS_SUPPORT_MATHFUNCTIONS_H

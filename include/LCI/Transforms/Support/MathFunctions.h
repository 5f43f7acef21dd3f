//===- MathFunctions.h - Upstream math as exact lci operations --*- C++ -*-===//
//
// Models are written with upstream's `math`, whose functions here mean the
// correctly rounded ones of this project. Upstream folds its operations by the
// host's library, which is not correctly rounded. So they are replaced by lci
// operations before anything folds.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TRANSFORMS_SUPPORT_MATHFUNCTIONS_H
#define LCI_TRANSFORMS_SUPPORT_MATHFUNCTIONS_H

#include "LCI/Dialect/LCIOps.h"

namespace mlir::lci {

/// The function of one or two f32 that an upstream operation computes. `math.sqrt` is not among
/// them: it is exact already, and expansions use it.
std::optional<Elementary> getElementary(Operation *op);
std::optional<ElementaryBinary> getElementaryBinary(Operation *op);

/// Replaces the functions within a model; a function without a replacement that is not exact is an
/// error.
LogicalResult replaceMathFunctions(Operation *model);

} // namespace mlir::lci

#endif // LCI_TRANSFORMS_SUPPORT_MATHFUNCTIONS_H

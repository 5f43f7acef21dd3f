//===- ExactComparisons.h - Integer instead of float comparisons *- C++ -*-===//
//
// Scores are floats, and many are counts. Integers of at most 24 bits compare
// as their floats do, and their difference is rounded as that of their floats.
// So ticks compare and subtract the integers.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TRANSFORMS_SUPPORT_EXACTCOMPARISONS_H
#define LCI_TRANSFORMS_SUPPORT_EXACTCOMPARISONS_H

#include "LCI/Dialect/LCIOps.h"

namespace mlir::lci {

/// The integer predicate that agrees with one on floats; nothing if it does not depend on numbers.
std::optional<arith::CmpIPredicate> getExactPredicate(arith::CmpFPredicate predicate);

/// The result, for operands other than NaN, of a predicate that only tests for NaN.
bool holdsForNumbers(arith::CmpFPredicate predicate);

/// A boolean attribute of a type: an i1 or a splat of a vector.
TypedAttr getBoolean(Type type, bool truth);

/// Replaces float comparisons and subtractions in a tick by integer ones where they are exact.
LogicalResult computeOnIntegers(TickOp tick);

} // namespace mlir::lci

#endif // LCI_TRANSFORMS_SUPPORT_EXACTCOMPARISONS_H

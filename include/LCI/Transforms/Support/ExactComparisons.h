//===- ExactComparisons.h - Floats that are integers ------------*- C++ -*-===//
//
// Scores are floats, and many are counts. Integers of at most 24 bits compare as their floats do,
// and their difference is rounded as that of their floats is.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TRANSFORMS_SUPPORT_EXACTCOMPARISONS_H
#define LCI_TRANSFORMS_SUPPORT_EXACTCOMPARISONS_H

#include "LCI/Dialect/LCIOps.h"

namespace mlir::lci {

/// How two integers compare where their floats do so; nothing if all numbers do, or none.
std::optional<arith::CmpIPredicate> getExactPredicate(arith::CmpFPredicate predicate);

/// Whether a comparison that is about NaN alone holds where there is none.
bool holdsForNumbers(arith::CmpFPredicate predicate);

/// A truth value, or a vector of the same ones.
TypedAttr getTruth(Type type, bool truth);

/// Compares and subtracts integers in a tick where their floats were compared and subtracted.
LogicalResult computeOnIntegers(TickOp tick);

} // namespace mlir::lci

#endif // LCI_TRANSFORMS_SUPPORT_EXACTCOMPARISONS_H

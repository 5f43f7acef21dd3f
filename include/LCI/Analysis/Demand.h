//===- Demand.h - Integers where they are used ------------------*- C++ -*-===//
//
// Both branches of an `if` are computed, but only one is used. Whether an integer may be zero,
// or out of some bounds, is decided here where it is used: over the indices, and over reads
// and other computed values as further unknowns, each within its range. Sums, multiples,
// quotients and conditions of these are exact; the same read is one unknown.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_ANALYSIS_DEMAND_H
#define LCI_ANALYSIS_DEMAND_H

#include "LCI/Analysis/Ranges.h"

namespace mlir::lci {

/// A point of the indices in scope, and the results of some reads there.
struct NumberWitness {
  SmallVector<int64_t> cell; ///< the cell's indices
  SmallVector<std::pair<ReadOp, int64_t>> reads;
};

/// A query whether an integer is within two bounds, or outside.
struct NumberQuery {
  int64_t first, last;
  bool isInside;
};

/// The first point at which `integer` is used and the query is true; nothing if there is none.
/// `user` is the operation that uses `integer` itself as an operand.
std::optional<NumberWitness> findNumber(Value integer, Operation *user, NumberQuery query,
                                        const RangeAnalysis &ranges);

/// Whether two integers are the same value, or results of the same computation.
bool isSameNumber(Value left, Value right);

} // namespace mlir::lci

#endif // LCI_ANALYSIS_DEMAND_H

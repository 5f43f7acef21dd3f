//===- Demand.h - Where a number is asked for, and what it is there -------===//
//
// Both branches of an `if` are computed, but only one is asked for. Whether a number may be zero,
// or beyond some bounds, is decided here where it is asked for: over the indices, and over what is
// read and otherwise computed as further unknowns, each within its range. Sums, multiples,
// quotients and conditions of these are exact; the same read is one unknown.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_ANALYSIS_DEMAND_H
#define LCI_ANALYSIS_DEMAND_H

#include "LCI/Analysis/Ranges.h"

namespace mlir::lci {

/// A point of the indices in scope, and what some reads hold there.
struct NumberWitness {
  SmallVector<int64_t> cell; ///< the cell's indices
  SmallVector<std::pair<ReadOp, int64_t>> reads;
};

/// Where an integer lies: within two bounds, or not.
struct NumberQuestion {
  int64_t first, last;
  bool isInside;
};

/// The first point at which `integer` is asked for and the answer to the question is yes; nothing
/// if there is none. `user` is where it is asked for by its first name, as an operand.
std::optional<NumberWitness> findNumber(Value integer, Operation *user, NumberQuestion question,
                                        const RangeAnalysis &ranges);

/// Whether two integers are one, or the same result of one computation, written twice.
bool isSameNumber(Value left, Value right);

} // namespace mlir::lci

#endif // LCI_ANALYSIS_DEMAND_H

//===- LockDominance.h - Locks that nothing can outvote ----------*- C++ -*===//
//
// A lock holds for the contents of a cell and for no other candidate (`forbid change(V[…])`). Where
// it applies and nothing else can outvote it, a present cell is unchanged, whatever is proposed:
// the proposal need not be computed. All passes that rely on that use this analysis.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_ANALYSIS_LOCKDOMINANCE_H
#define LCI_ANALYSIS_LOCKDOMINANCE_H

#include "LCI/Dialect/LCIOps.h"

namespace mlir::lci {

/// Whether a constraint holds for a candidate if and only if it equals the cell's contents (or, for
/// an absent cell, always).
bool isLock(ConstraintOp constraint);

/// Whether a present cell to which a lock applies is unchanged under the value's policy.
struct Dominance {
  bool dominates = false;
  /// A constraint that may outvote the lock; null where the policy itself can.
  ConstraintOp rival;
};

/// Analyses a lock of a bound program, with all other constraints enabled.
Dominance analyzeDominance(ConstraintOp lock);

} // namespace mlir::lci

#endif // LCI_ANALYSIS_LOCKDOMINANCE_H

//===- Dominance.h - Locks that nothing can outvote -------------*- C++ -*-===//
//
// A lock holds for what a cell holds and for nothing else (`forbid change(V[…])`). Where it speaks
// and nothing else can outvote it, a present cell stays as it is, whatever is proposed: the
// proposal need not be computed. Whoever relies on that asks here.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_ANALYSIS_DOMINANCE_H
#define LCI_ANALYSIS_DOMINANCE_H

#include "LCI/Dialect/LCIOps.h"

namespace mlir::lci {

/// Whether a constraint holds for a candidate if and only if it is what the cell holds (or, of an
/// absent cell, always).
bool isLock(ConstraintOp constraint);

/// Whether a present cell of which a lock speaks stays as it is under the value's policy.
struct Dominance {
  bool dominates = false;
  /// A constraint that may outvote the lock; null where the policy itself can.
  ConstraintOp rival;
};

/// Judges a lock of a bound program, with all other constraints switched on.
Dominance analyzeDominance(ConstraintOp lock);

} // namespace mlir::lci

#endif // LCI_ANALYSIS_DOMINANCE_H

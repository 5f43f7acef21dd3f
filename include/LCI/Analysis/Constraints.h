//===- Constraints.h - What constraints say before anything runs -*- C++ -*-===//
//
// A constraint whose predicate is about indices and the candidate alone is a set of cells and
// tokens; others may still be decided by the ranges of what they read. What is answered is exact.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_ANALYSIS_CONSTRAINTS_H
#define LCI_ANALYSIS_CONSTRAINTS_H

#include "LCI/Dialect/LCIOps.h"

namespace mlir::lci {

/// For all cells a constraint speaks of, all candidates and all snapshots.
struct ConstraintVerdict {
  enum class Answer { Always, Never, Depends, SpeaksOfNoCell };
  Answer answer = Answer::Depends;
  SmallVector<int64_t> cell; ///< for `Never`: the first cell it speaks of
};

/// Judges a constraint of a bound program. A region is taken for all cells.
ConstraintVerdict decideConstraint(ConstraintOp constraint);

/// The first cell of which both constraints speak, and for which no candidate satisfies both. No
/// more than `maxCells` cells are looked at, and constraints with a region are not.
std::optional<SmallVector<int64_t>> findContradiction(ConstraintOp left, ConstraintOp right,
                                                      unsigned maxCells = 256);

} // namespace mlir::lci

#endif // LCI_ANALYSIS_CONSTRAINTS_H

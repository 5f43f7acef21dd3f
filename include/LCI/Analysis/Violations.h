//===- Violations.h - Commits that break a constraint -----------*- C++ -*-===//
//
// Each commit is checked against the snapshot and not against the others (S-BROKEN), so a hard
// constraint that reads cells of the same phase may be broken by two commits that respect it. One
// that reads the contents of its cell may be broken by that cell's commit, and one that reads a
// cell of another phase by a commit there. Whether the rules can do that is searched among their
// proposals and the cells: with a state from which they do, if there is one.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_ANALYSIS_VIOLATIONS_H
#define LCI_ANALYSIS_VIOLATIONS_H

#include "LCI/Analysis/Independence.h"

namespace mlir::lci {

/// The contents of a cell before a tick, and what a rule commits there; unchanged without a rule.
struct CellCommit {
  ValueOp value;
  SmallVector<int64_t> cell;
  int64_t before, after; ///< the vocabulary's size where the cell holds nothing
  RuleOp rule;
};

/// A hard constraint that commits of one phase break.
struct Violation {
  enum Kind {
    Together, ///< cells of one phase commit, possibly the constraint's cell among them
    Alone,    ///< the constraint's cell commits, and the constraint reads its new contents
    Apart,    ///< cells of another phase than the constraint's cell commit
  };
  DependentPair pair; ///< for `Alone`: the cell twice; for `Apart`: in the phase of `source`
  /// A state from which they do: the constraint's cell, other changing cells, then other cells
  /// whose contents matter. Empty where bounded effort found neither a state nor a proof that there
  /// is none.
  SmallVector<CellCommit> witness;
  Kind kind = Together;
  /// A commit of one cell breaks it where its own cell is unchanged: no schedule prevents that.
  bool isOneSided = false;
};

/// How commits of one phase break the constraint; nothing if none can. Scores and draws are assumed
/// to be the least favourable.
std::optional<Violation> findViolation(ConstraintOp constraint);

} // namespace mlir::lci

#endif // LCI_ANALYSIS_VIOLATIONS_H

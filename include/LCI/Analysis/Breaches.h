//===- Breaches.h - What commits of one tick break together -----*- C++ -*-===//
//
// Each commit is checked against the snapshot and not against the others (S-BROKEN), so a hard
// constraint that reads a cell of its own phase may be broken by two that respect it. One that
// reads what its own cell holds may be broken by that cell's commit, and one that reads a cell of
// another phase by a commit there. Whether the rules can do that is looked for among what they
// propose, and where: with a state from which they do, if there is one.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_ANALYSIS_BREACHES_H
#define LCI_ANALYSIS_BREACHES_H

#include "LCI/Analysis/Independence.h"

namespace mlir::lci {

/// What a cell holds before a tick, and what a rule commits there; without a rule it stays.
struct CellCommit {
  ValueOp value;
  SmallVector<int64_t> cell;
  int64_t before, after; ///< the vocabulary's size where the cell holds nothing
  RuleOp rule;
};

/// A hard constraint that commits of one phase break.
struct Breach {
  enum Kind {
    Together, ///< cells of one phase commit, and its own one may be among them
    Alone,    ///< its own cell commits, and is read as what it holds then
    Apart,    ///< cells of another phase than its own one's commit
  };
  DependentPair pair; ///< for `Alone`: the own cell twice; for `Apart`: in the phase of `source`
  /// A state from which they do: the constraint's own cell, what else changes, then what else has
  /// to be as it is. Empty where none was found within a bounded effort, nor that there is none.
  SmallVector<CellCommit> witness;
  Kind kind = Together;
  /// A commit of one cell breaks it where its own cell stays: no schedule mends that.
  bool isOneSided = false;
};

/// How commits of one phase break the constraint; nothing if none can. Scores, and how draws fall,
/// are taken as they suit.
std::optional<Breach> findBreach(ConstraintOp constraint);

} // namespace mlir::lci

#endif // LCI_ANALYSIS_BREACHES_H

//===- Constraints.h - Decide constraints at compile time -------*- C++ -*-===//
//
// A constraint whose predicate depends only on indices and the candidate is a set of cells and
// tokens; others may still be decided by the ranges of their reads. Answers are exact.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_ANALYSIS_CONSTRAINTS_H
#define LCI_ANALYSIS_CONSTRAINTS_H

#include "LCI/Analysis/Presence.h"
#include "LCI/Dialect/LCIOps.h"

namespace mlir::lci {

/// For all cells a constraint applies to, all candidates and all snapshots.
struct ConstraintVerdict {
  enum class Answer { Always, Never, Depends, SpeaksOfNoCell };
  Answer answer = Answer::Depends;
  SmallVector<int64_t> cell; ///< for `Never`: the first cell it applies to
};

/// Decides a constraint of a bound program. A region is taken for all cells. A predicate that
/// divides the candidate by many numbers counts as `Depends`.
ConstraintVerdict decideConstraint(ConstraintOp constraint);

/// Whether the condition on the cells of a constraint holds for none.
bool speaksOfNoCell(ConstraintOp constraint);

/// Whether a constraint reads its cell's contents and not the candidate: its result is the same
/// for keep and every proposal.
bool isCandidateIndependent(ConstraintOp constraint);

/// The named sets of a program that a run knows.
struct NamedSets {
  /// Whether a cell lies in a constraint's region, by the cell's last indices.
  std::function<bool(ConstraintOp constraint, ArrayRef<int64_t> cell)> isInside;
  PaletteReader palettes;
};

/// Whether a constraint applies to a cell; an unknown region is taken for all cells.
bool speaksOf(ConstraintOp constraint, ArrayRef<int64_t> cell, const NamedSets *named);

/// The first cell to which both constraints apply, and for which no candidate satisfies both;
/// nothing if there is none, or if a predicate depends on more than indices and the candidate and
/// is not the same predicate, forbidden by one and required by the other. Constraints with a
/// region or a palette are considered if these are known. Where the candidate is divided, some
/// million candidates are tried, and the remaining ones are not decided.
std::optional<SmallVector<int64_t>> findContradiction(ConstraintOp left, ConstraintOp right,
                                                      const NamedSets *named = nullptr);

/// Two hard constraints that no candidate of a cell satisfies together.
struct Contradiction {
  ConstraintOp left, right;
  SmallVector<int64_t> cell;
};

/// The pairs of hard constraints that contradict each other: without regions and palettes, or, if
/// these are known, those of which one has one.
SmallVector<Contradiction> findContradictions(ProgramOp program, const NamedSets *named = nullptr);

/// Reports the contradiction, with the locations of both.
InFlightDiagnostic emitContradiction(const Contradiction &contradiction);

} // namespace mlir::lci

#endif // LCI_ANALYSIS_CONSTRAINTS_H

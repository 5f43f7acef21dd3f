//===- Constraints.h - What constraints say before anything runs --*- C++ -*===//
//
// A constraint whose predicate is about indices and the candidate alone is a set of cells and
// tokens; others may still be decided by the ranges of what they read. What is answered is exact.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_ANALYSIS_CONSTRAINTS_H
#define LCI_ANALYSIS_CONSTRAINTS_H

#include "LCI/Analysis/Presence.h"
#include "LCI/Dialect/LCIOps.h"

namespace mlir::lci {

/// For all cells a constraint speaks of, all candidates and all snapshots.
struct ConstraintVerdict {
  enum class Answer { Always, Never, Depends, SpeaksOfNoCell };
  Answer answer = Answer::Depends;
  SmallVector<int64_t> cell; ///< for `Never`: the first cell it speaks of
};

/// Judges a constraint of a bound program. A region is taken for all cells. What divides the
/// candidate by many numbers depends, whatever it says.
ConstraintVerdict decideConstraint(ConstraintOp constraint);

/// Whether a constraint looks at what its own cell held and not at the candidate: it says the same
/// of keep and of every proposal.
bool judgesAllAlike(ConstraintOp constraint);

/// What a run knows of the names of a program.
struct NamedSets {
  /// Whether a cell lies in what a constraint's region takes; its last indices are asked about.
  std::function<bool(ConstraintOp constraint, ArrayRef<int64_t> cell)> isInside;
  PaletteReader palettes;
};

/// Whether a constraint speaks of a cell; a region that is not known is taken for all cells.
bool speaksOf(ConstraintOp constraint, ArrayRef<int64_t> cell, const NamedSets *named);

/// The first cell of which both constraints speak, and for which no candidate satisfies both;
/// nothing if there is none, or if a predicate is about more than indices and the candidate, and
/// the other one is not the same, forbidden by one and required by the other. Constraints with a
/// region or a palette are looked at if these are known. Where the candidate is divided, some
/// million candidates are tried, and nothing is said of what is left.
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

/// Says so, with the place of both.
InFlightDiagnostic emitContradiction(const Contradiction &contradiction);

} // namespace mlir::lci

#endif // LCI_ANALYSIS_CONSTRAINTS_H

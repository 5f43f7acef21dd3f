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

/// Whether a cell lies in what a constraint's region takes; its last indices are asked about.
using RegionReader = function_ref<bool(ConstraintOp constraint, ArrayRef<int64_t> cell)>;

/// The first cell of which both constraints speak, and for which no candidate satisfies both;
/// nothing if there is none, or if a predicate is about more than indices and the candidate.
/// Constraints with a region are looked at if `regions` knows these.
std::optional<SmallVector<int64_t>> findContradiction(ConstraintOp left, ConstraintOp right,
                                                      RegionReader regions = nullptr);

/// Two hard constraints that no candidate of a cell satisfies together.
struct Contradiction {
  ConstraintOp left, right;
  SmallVector<int64_t> cell;
};

/// The pairs of hard constraints that contradict each other: without a region, or, if `regions`
/// knows these, those of which one has a region.
SmallVector<Contradiction> findContradictions(ProgramOp program, RegionReader regions = nullptr);

/// Says so, with the place of both.
InFlightDiagnostic emitContradiction(const Contradiction &contradiction);

} // namespace mlir::lci

#endif // LCI_ANALYSIS_CONSTRAINTS_H

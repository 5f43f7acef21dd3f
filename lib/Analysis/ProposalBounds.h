//===- ProposalBounds.h - Bounds of proposals and constraints ---*- C++ -*-===//
//
// Results of rules and hard constraints at one cell or at all of a value, over what is known
// of the cells there.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_ANALYSIS_PROPOSALBOUNDS_H
#define LCI_LIB_ANALYSIS_PROPOSALBOUNDS_H

#include "BodyChanges.h"

namespace mlir::lci {

/// The certainty of a statement.
enum class Certainty { Never, Maybe, Surely };
inline Certainty both(Certainty left, Certainty right) { return std::min(left, right); }
inline Certainty opposite(Certainty certainty) {
  return static_cast<Certainty>(static_cast<int>(Certainty::Surely) - static_cast<int>(certainty));
}
/// The certainty of a boolean on a snapshot.
Certainty getCertainty(unsigned truths);

/// The range of a cell's contents, if these are integers: with the vocabulary's size for an absent
/// cell.
std::optional<IndexRange> getContents(ValueOp value);
/// The range of possible commits.
std::optional<IndexRange> getCommittable(ValueOp value);

/// Whether a read of a rule or a constraint is of its own cell.
bool isOwnRead(ReadOp read);

/// The hard constraints on a value.
SmallVector<ConstraintOp> getHardConstraints(ValueOp value);
/// Whether a declaration applies to a cell, by its sets.
bool isAbout(std::optional<ArrayAttr> where, ArrayRef<int64_t> cell);

/// The possible transitions of a constraint for a candidate, under the scene's knowledge.
unsigned getHolds(ConstraintOp constraint, ArrayRef<IndexRange> cell, const Change &candidate,
                  Scene &scene, FamilyMembers &families);

/// The proposal of a rule on a snapshot.
struct Proposed {
  Certainty applies;
  SmallVector<IndexRange> ranges; ///< the union of the possible values
};
Proposed getProposed(RuleOp rule, ArrayRef<IndexRange> cell, Scene &scene, FamilyMembers &families);

} // namespace mlir::lci

#endif // LCI_LIB_ANALYSIS_PROPOSALBOUNDS_H

//===- RuleFacts.h - What rules write, and constraints allow ----*- C++ -*-===//
//
// Questions about rules and hard constraints at one cell or at all of a value, over what is known
// of the cells there.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_ANALYSIS_RULEFACTS_H
#define LCI_LIB_ANALYSIS_RULEFACTS_H

#include "BodyChanges.h"

namespace mlir::lci {

/// Whether what is asked holds.
enum class Certainty { Never, Maybe, Surely };
inline Certainty both(Certainty left, Certainty right) { return std::min(left, right); }
inline Certainty opposite(Certainty certainty) {
  return static_cast<Certainty>(static_cast<int>(Certainty::Surely) - static_cast<int>(certainty));
}
/// Of truth values on a snapshot.
Certainty getCertainty(unsigned truths);

/// What a cell of a value may hold, if that is an integer: with the vocabulary's size where it
/// holds nothing.
std::optional<IndexRange> getContents(ValueOp value);
/// What may be committed there.
std::optional<IndexRange> getCommittable(ValueOp value);

/// Whether a rule or a constraint reads its own cell there.
bool isOwnRead(ReadOp read);

/// The hard constraints on a value.
SmallVector<ConstraintOp> getHardConstraints(ValueOp value);
/// Whether a declaration is about a cell, by its sets.
bool isAbout(std::optional<ArrayAttr> where, ArrayRef<int64_t> cell);

/// Where a constraint holds for a candidate, over what the scene knows.
unsigned getHolds(ConstraintOp constraint, ArrayRef<IndexRange> cell, const Change &candidate,
                  Scene &scene, FamilyMembers &families);

/// What a rule proposes on a snapshot.
struct Proposed {
  Certainty applies;
  SmallVector<IndexRange> ranges; ///< each of which it may be
};
Proposed getProposed(RuleOp rule, ArrayRef<IndexRange> cell, Scene &scene, FamilyMembers &families);

} // namespace mlir::lci

#endif // LCI_LIB_ANALYSIS_RULEFACTS_H

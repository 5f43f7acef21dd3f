//===- ViolationSearch.h - Search for a breaking state ----------*- C++ -*-===//
//
// Searches of bounded effort for the three kinds of violations (`Violation::Kind`).
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_ANALYSIS_VIOLATIONSEARCH_H
#define LCI_LIB_ANALYSIS_VIOLATIONSEARCH_H

#include "LCI/Analysis/Violations.h"
#include "ProposalBounds.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::lci {

/// The values that a constraint reads, in the order of its reads.
inline llvm::SetVector<StringRef> getReadValues(ConstraintOp constraint) {
  llvm::SetVector<StringRef> names;
  constraint.walk([&](ReadOp read) { names.insert(read.getValue()); });
  return names;
}

/// Searches for a state at one cell after the other; `pair` is the first tied one. Nothing if
/// there surely is none.
std::optional<Violation> searchTogether(ConstraintOp constraint, const DependentPair &pair,
                                        FamilyMembers &families);
/// The same where the commit of the constraint's cell breaks what held there before. Nothing, too,
/// if bounded effort found none.
std::optional<Violation> searchAlone(ConstraintOp constraint, FamilyMembers &families);
/// The same where commits of another phase do, and the constraint's cell is unchanged. Without a
/// state where bounded effort neither found one nor excluded it.
std::optional<Violation> searchApart(ConstraintOp constraint, FamilyMembers &families);

} // namespace mlir::lci

#endif // LCI_LIB_ANALYSIS_VIOLATIONSEARCH_H

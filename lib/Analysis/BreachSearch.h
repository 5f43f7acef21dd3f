//===- BreachSearch.h - A state whose commits break a constraint *- C++ -*-===//

#ifndef LCI_LIB_ANALYSIS_BREACHSEARCH_H
#define LCI_LIB_ANALYSIS_BREACHSEARCH_H

#include "LCI/Analysis/Breaches.h"
#include "RuleFacts.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::lci {

/// The values that a constraint reads, in the order of its reads.
inline llvm::SetVector<StringRef> getReadValues(ConstraintOp constraint) {
  llvm::SetVector<StringRef> names;
  constraint.walk([&](ReadOp read) { names.insert(read.getValue()); });
  return names;
}

/// Looks for a state at one cell after the other; `pair` is the first that is tied. Nothing if
/// there surely is none.
std::optional<Breach> searchTogether(ConstraintOp constraint, const DependentPair &pair,
                                     FamilyMembers &families);
/// The same where the own cell's commit breaks what held there before. Nothing, too, if none was
/// found within a bounded effort.
std::optional<Breach> searchAlone(ConstraintOp constraint, FamilyMembers &families);
/// The same where commits of another phase do, and the own cell stays. Without a state where some
/// was neither found nor ruled out within a bounded effort.
std::optional<Breach> searchApart(ConstraintOp constraint, FamilyMembers &families);

} // namespace mlir::lci

#endif // LCI_LIB_ANALYSIS_BREACHSEARCH_H

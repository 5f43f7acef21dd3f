//===- Causality.h - Visibility of later times ------------------*- C++ -*-===//
//
// Time is the first axis of a value. A path of visibility may go through other values any number of
// times. There is no transitive closure of relations to query, so the analysis has three steps,
// each exact: bounds on the forward step of one line; chains of lines composed as relations; cells
// explored one by one, up to a size.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_ANALYSIS_CAUSALITY_H
#define LCI_ANALYSIS_CAUSALITY_H

#include "LCI/Dialect/LCIOps.h"

namespace mlir::lci {

/// A chain of capabilities from a cell to a later one of the same value.
struct FuturePath {
  SmallVector<VisibleOp> chain;
  SmallVector<int64_t> from, to;
};

struct Causality {
  enum class Answer { Never, Sometimes, Unknown };
  Answer answer = Answer::Unknown;
  FuturePath path; ///< for `Sometimes`
};

/// Limits of the analysis' work; steps that need no bound have none.
struct CausalityEffort {
  unsigned maxChains = 64;               ///< to compose
  uint64_t maxEdges = uint64_t(1) << 22; ///< between cells, to explore
};

/// Whether some cell of a bound program's value sees, directly or not, a later cell of it.
Causality analyzeCausality(ValueOp value, const CausalityEffort &effort = {});

/// Replaces each `lci.reads_future` of a bound program by its answer; fails, with an error, where
/// it cannot be decided.
LogicalResult decideReadsFuture(ProgramOp program);

} // namespace mlir::lci

#endif // LCI_ANALYSIS_CAUSALITY_H

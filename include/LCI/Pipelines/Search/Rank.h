//===- Rank.h - Candidates by what their code costs -------------*- C++ -*-===//
//
// Lowers candidates of a schedule and counts (Cost.h): candidates whose code is that of an earlier
// one are left out.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_PIPELINES_SEARCH_RANK_H
#define LCI_PIPELINES_SEARCH_RANK_H

#include "LCI/Pipelines/Search/Cost.h"
#include "LCI/Pipelines/Search/Space.h"
#include <functional>

namespace mlir::lci {

/// More would take hours to lower.
inline constexpr int64_t kMostCandidates = 1 << 16;

/// How candidates are ranked.
struct RankOptions {
  uint64_t seed = 0;
  size_t limit = 96;   ///< candidates with code of their own, at most
  int64_t epochs = 16; ///< of which the cost is estimated
  CostMachine machine;
  /// Options that a schedule's pipelines shall have (ApplySchedule.h).
  SmallVector<StringRef> requested;
  /// Is called for each candidate that is done, of so many; ends the ranking if it returns false.
  std::function<bool(size_t done, size_t all)> progress = [](size_t, size_t) { return true; };
};

/// A candidate with its own code.
struct Ranked {
  Candidate candidate;
  std::optional<Cost> cost; ///< none if its code is of a level that cannot be counted
  std::string problem;      ///< why it cannot be lowered; else empty
  size_t number = 0;        ///< in the order of the enumeration
};

/// Ranked candidates.
struct Ranking {
  std::vector<Ranked> candidates; ///< the default, then from the cheapest on, then failed ones
  size_t lowered = 0;             ///< candidates that were lowered
  size_t same = 0;                ///< of which the code was that of another one
};

/// Ranks candidates on a module, which is not changed. First, options are dropped from `space` that
/// alone make no other code of this module than the default. Fails with an error if the default
/// cannot be lowered.
FailureOr<Ranking> rank(ModuleOp module, Space &space, const RankOptions &options);

} // namespace mlir::lci

#endif // LCI_PIPELINES_SEARCH_RANK_H

//===- Rank.cpp - Candidates by what their code costs ---------------------===//
//
// Lowers each candidate once, by the text of its selection, and tells equal code by its digest.
// Options that do nothing for a program are found first, one by one.
//
//===----------------------------------------------------------------------===//

#include "LCI/Pipelines/Search/Rank.h"
#include "LCI/Pipelines/ApplySchedule.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/SHA256.h"

using namespace mlir;
using namespace mlir::lci;

namespace {
/// A lowered candidate.
struct Lowered {
  std::string digest;
  std::optional<Cost> cost;
  std::string problem;
};

class Ranker {
public:
  Ranker(ModuleOp module, Space &space, const RankOptions &options)
      : module(module), space(space), options(options) {}

  FailureOr<Ranking> run();

private:
  const Lowered &lower(const Candidate &candidate);
  void dropDeadOptions();
  /// Whether to go on.
  bool tell() { return options.progress(lowered.size(), std::max(expected, lowered.size())); }

  ModuleOp module;
  Space &space;
  const RankOptions &options;
  /// By the text of a candidate, which stays when options are dropped.
  std::map<std::string, Lowered> lowered;
  size_t expected = 0;
  bool isStopped = false;
};
} // namespace

static std::string digestOf(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os, OpPrintingFlags().useLocalScope());
  auto hash =
      llvm::SHA256::hash(ArrayRef(reinterpret_cast<const uint8_t *>(text.data()), text.size()));
  return std::string(hash.begin(), hash.end());
}

/// Lowers a copy. Its errors are kept, not shown.
static Lowered lowerCopy(ModuleOp module, ModuleOp schedule, const RankOptions &options) {
  Lowered lowered;
  ScopedDiagnosticHandler keep(module.getContext(), [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error && lowered.problem.empty())
      lowered.problem = diagnostic.str();
  });
  OwningOpRef<ModuleOp> copy = module.clone();
  if (failed(applySchedule(*copy, schedule, options.requested))) {
    lowered.problem = lowered.problem.empty() ? "cannot be lowered" : lowered.problem;
    return lowered;
  }
  lowered.digest = digestOf(*copy);
  FailureOr<Cost> cost = estimate(*copy, options.epochs, options.machine);
  if (succeeded(cost))
    lowered.cost = *cost;
  lowered.problem.clear(); // code that cannot be counted can be run
  return lowered;
}

const Lowered &Ranker::lower(const Candidate &candidate) {
  auto [found, isNew] = lowered.try_emplace(space.textOf(candidate));
  if (isNew) {
    found->second = lowerCopy(module, *space.select(candidate), options);
    isStopped |= !tell();
  }
  return found->second;
}

/// Most options do nothing for one program: it has no draws, no models, or one value.
void Ranker::dropDeadOptions() {
  std::string byDefault = lower(space.getDefault()).digest;
  SmallVector<SmallVector<bool>> isLive;
  for (auto [number, choice] : llvm::enumerate(space.getChoices())) {
    isLive.emplace_back(choice.options.size(), false);
    for (unsigned option = 0; option < choice.options.size() && !isStopped; ++option) {
      Candidate candidate = space.getDefault();
      candidate[number] = option;
      const Lowered &changed = lower(candidate);
      isLive.back()[option] = changed.problem.empty() && changed.digest != byDefault;
    }
  }
  space.restrict([&](unsigned choice, unsigned option) { return isLive[choice][option]; });
}

/// Cheaper ones first; uncounted ones come last.
static bool isCheaper(const Ranked &left, const Ranked &right) {
  double most = std::numeric_limits<double>::infinity();
  auto keyOf = [&](const Ranked &ranked) {
    return std::make_pair(ranked.cost ? ranked.cost->cycles : most, ranked.number);
  };
  return keyOf(left) < keyOf(right);
}

FailureOr<Ranking> Ranker::run() {
  for (const Choice &choice : space.getChoices())
    expected += choice.options.size() - 1;
  expected = std::max(expected + 1, options.limit);
  if (!lower(space.getDefault()).problem.empty()) { // again, to show its errors
    OwningOpRef<ModuleOp> copy = module.clone();
    (void)applySchedule(*copy, *space.select(space.getDefault()), options.requested);
    return failure();
  }
  dropDeadOptions();
  // Some have the code of another one, and make room for more.
  FailureOr<std::vector<Candidate>> candidates = space.enumerate(options.seed, 4 * options.limit);
  if (failed(candidates))
    return failure();
  Ranking ranking;
  std::vector<Ranked> failedOnes;
  llvm::StringSet<> seen;
  for (auto [number, candidate] : llvm::enumerate(*candidates)) {
    if (isStopped || ranking.candidates.size() + failedOnes.size() == options.limit)
      break;
    const Lowered &code = lower(candidate);
    Ranked ranked{candidate, code.cost, code.problem, number};
    if (!code.problem.empty())
      failedOnes.push_back(std::move(ranked));
    else if (seen.insert(code.digest).second)
      ranking.candidates.push_back(std::move(ranked));
    else
      ++ranking.same;
  }
  if (ranking.candidates.empty()) // stopped at once
    ranking.candidates.push_back({space.getDefault(), lower(space.getDefault()).cost, "", 0});
  ranking.lowered = lowered.size();
  std::sort(ranking.candidates.begin() + 1, ranking.candidates.end(), isCheaper);
  llvm::append_range(ranking.candidates, failedOnes);
  return ranking;
}

FailureOr<Ranking> mlir::lci::rank(ModuleOp module, Space &space, const RankOptions &options) {
  return Ranker(module, space, options).run();
}

//===- Agreement.cpp - Select the winner among candidates of a cell -------===//
//
// Candidates of one cell are filtered by hard constraints and ranked by soft ones; then the policy
// chooses among those of the best rank. Every comparison is a total order, so that the winner does
// not depend on the order of rules or candidates, except where a clause says so.
//
//===----------------------------------------------------------------------===//

#include "Agreement.h"
#include "LCI/Numerics/Functions.h"
#include "LCI/Numerics/Stream.h"
#include <cmath>

using namespace mlir;
using namespace mlir::lci;
namespace numerics = ::lci::numerics;

// S-NAN-SCORE
int mlir::lci::compareScores(float left, float right) {
  bool leftIsNaN = std::isnan(left), rightIsNaN = std::isnan(right);
  if (leftIsNaN || rightIsNaN)
    return rightIsNaN - leftIsNaN;
  return left < right ? -1 : left > right;
}

/// Orders the bits of a float: by value, -0 before +0, NaN last.
static int64_t getFloatRank(uint64_t bits) {
  int64_t value = static_cast<int32_t>(canonicalizeFloat(bits));
  return value < 0 ? -(value & 0x7fffffff) - 1 : value;
}

static bool isLowerScalar(Kind kind, uint64_t left, uint64_t right) {
  if (kind == Kind::Token || kind == Kind::I32)
    return static_cast<int64_t>(left) < static_cast<int64_t>(right);
  return getFloatRank(left) < getFloatRank(right);
}

// S-TIES
bool mlir::lci::isLower(Kind kind, const Datum &left, const Datum &right) {
  if (!left.tensor)
    return isLowerScalar(kind, left.bits, right.bits);
  auto less = [&](uint64_t a, uint64_t b) { return isLowerScalar(kind, a, b); };
  return std::lexicographical_compare(left.tensor->elements.begin(), left.tensor->elements.end(),
                                      right.tensor->elements.begin(), right.tensor->elements.end(),
                                      less);
}

// S-CANDIDATES: equal ones merge, with the best score and the first rule that has it.
void Candidates::add(const Candidate &candidate) {
  auto same = llvm::find_if(all, [&](const Candidate &c) { return c.token == candidate.token; });
  if (same == all.end()) {
    all.push_back(candidate);
    return;
  }
  same->isKeep |= candidate.isKeep;
  same->isProposed |= candidate.isProposed;
  same->votes += candidate.votes;
  if (compareScores(candidate.score, same->score) > 0) {
    same->score = candidate.score;
    same->rule = candidate.rule;
  }
}

//===----------------------------------------------------------------------===//
// Constraints
//===----------------------------------------------------------------------===//

// S-HARD, S-P4
bool Ballot::isAdmissible(const Candidate &candidate, std::optional<size_t> without) const {
  for (auto [i, vote] : llvm::enumerate(votes))
    if (vote.isHard && i != without && !candidate.holds[i])
      return false;
  return true;
}

// S-RANK
SmallVector<int64_t> Ballot::getLevels(const Candidate &candidate,
                                       std::optional<size_t> without) const {
  std::map<int64_t, int64_t, std::greater<>> levels;
  if (weighted)
    return {};
  bool alike = policy == Policy::SatisfyCount || policy == Policy::SatisfyWeighted;
  for (int64_t priority : priorities)
    levels[alike ? 0 : priority] = 0;
  for (auto [i, vote] : llvm::enumerate(votes)) {
    if (vote.isHard || i == without)
      continue;
    int64_t weight = policy == Policy::SatisfyWeighted ? vote.priority : 1;
    levels[alike ? 0 : vote.priority] += candidate.holds[i] ? weight : 0;
  }
  return llvm::map_to_vector(levels, [](const auto &level) { return level.second; });
}

// S-WEIGHTED
float Ballot::getScore(const Candidate &candidate, std::optional<size_t> without) const {
  if (!weighted)
    return candidate.score;
  int64_t sum = 0;
  for (auto [i, vote] : llvm::enumerate(votes))
    if (!vote.isHard && i != without && candidate.holds[i])
      sum += vote.priority;
  return candidate.score + static_cast<float>(sum);
}

//===----------------------------------------------------------------------===//
// Policies
//===----------------------------------------------------------------------===//

namespace {
/// A candidate of the best rank, with its score.
struct Equal {
  size_t position;
  const Candidate *candidate;
  float score;
};
} // namespace

/// S-POLICY-SATISFY: score, then proposal before keep; ties: lowest token.
static bool beatsBySatisfy(Kind kind, const Equal &left, const Equal &right) {
  if (int order = compareScores(left.score, right.score))
    return order > 0;
  if (left.candidate->isProposed != right.candidate->isProposed)
    return left.candidate->isProposed;
  return isLower(kind, left.candidate->token, right.candidate->token);
}

/// S-POLICY-ACCEPT: proposal before keep, then score, then rule order; ties: lowest token.
static bool beatsByAccept(Kind kind, const Equal &left, const Equal &right) {
  if (left.candidate->isProposed != right.candidate->isProposed)
    return left.candidate->isProposed;
  if (int order = compareScores(left.score, right.score))
    return order > 0;
  if (left.candidate->rule != right.candidate->rule)
    return left.candidate->rule < right.candidate->rule;
  return isLower(kind, left.candidate->token, right.candidate->token);
}

template <typename Beats>
static std::optional<size_t> findBest(Kind kind, ArrayRef<Equal> equals, Beats beats) {
  const Equal *best = nullptr;
  for (const Equal &equal : equals)
    if (!best || beats(kind, equal, *best))
      best = &equal;
  return best ? std::optional<size_t>(best->position) : std::nullopt;
}

static std::optional<size_t> findKeep(ArrayRef<Equal> equals) {
  for (const Equal &equal : equals)
    if (equal.candidate->isKeep)
      return equal.position;
  return std::nullopt;
}

/// S-POLICY-SAMPLE: w = exp((s - max) / T) and running sums in token order.
static std::optional<size_t> sample(const Ballot &ballot, std::vector<Equal> equals) {
  llvm::sort(equals, [&](const Equal &a, const Equal &b) {
    return isLower(ballot.kind, a.candidate->token, b.candidate->token);
  });
  float best = equals.front().score;
  for (const Equal &equal : equals)
    best = compareScores(equal.score, best) > 0 ? equal.score : best;
  float sum = 0;
  std::vector<float> sums;
  for (const Equal &equal : equals) {
    float weight = 0; // of a NaN, unless all scores are NaN
    if (compareScores(equal.score, best) == 0)
      weight = 1;
    else if (!std::isnan(equal.score))
      weight = numerics::evaluate(numerics::Unary::Exp, (equal.score - best) / ballot.temperature);
    sum = sum + weight;
    sums.push_back(sum);
  }
  uint64_t draw = ballot.draw();
  for (auto [equal, running] : llvm::zip(equals, sums))
    if (draw < numerics::threshold(running / sum))
      return equal.position;
  return equals.back().position;
}

/// S-POLICY-METROPOLIS: the one proposal, if it is no worse, else with probability exp(Δ / T).
static std::optional<size_t> walk(const Ballot &ballot, ArrayRef<Equal> proposals,
                                  const Equal *keep) {
  if (proposals.size() != 1)
    return keep ? std::optional<size_t>(keep->position) : std::nullopt;
  const Equal &proposal = proposals.front();
  if (!keep || keep->position == proposal.position)
    return proposal.position;
  float gain = proposal.score - keep->score;
  bool isTaken = ballot.draw() < numerics::metropolisThreshold(gain, ballot.temperature);
  return isTaken ? proposal.position : keep->position;
}

/// S-POLICY-QUORUM: the token that most rules propose, if enough do; ties: lowest token.
static std::optional<size_t> count(const Ballot &ballot, ArrayRef<Equal> proposals) {
  const Equal *best = nullptr;
  for (const Equal &equal : proposals) {
    int64_t votes = equal.candidate->votes, most = best ? best->candidate->votes : 0;
    bool wins =
        votes > most || (best && votes == most &&
                         isLower(ballot.kind, equal.candidate->token, best->candidate->token));
    if (votes >= ballot.quorum && wins)
      best = &equal;
  }
  return best ? std::optional<size_t>(best->position) : std::nullopt;
}

/// The admissible candidates of the best rank.
static std::vector<Equal> findEquals(const Ballot &ballot, ArrayRef<Candidate> candidates,
                                     std::optional<size_t> without) {
  std::vector<Equal> equals;
  SmallVector<int64_t> best;
  for (auto [position, candidate] : llvm::enumerate(candidates)) {
    if (!ballot.isAdmissible(candidate, without))
      continue;
    SmallVector<int64_t> levels = ballot.getLevels(candidate, without);
    if (!equals.empty() && levels < best)
      continue;
    if (equals.empty() || levels > best)
      equals.clear();
    best = levels;
    equals.push_back({position, &candidate, ballot.getScore(candidate, without)});
  }
  return equals;
}

// S-AGREE, S-TABLE, S-P7: filter, rank, choose among the equals. S-NONE: no candidate is left, no
// winner.
std::optional<size_t> Ballot::decide(ArrayRef<Candidate> candidates,
                                     std::optional<size_t> without) const {
  std::vector<Equal> equals = findEquals(*this, candidates, without);
  if (equals.empty())
    return std::nullopt;
  std::vector<Equal> proposals;
  const Equal *keep = nullptr;
  for (const Equal &equal : equals) {
    if (equal.candidate->isProposed)
      proposals.push_back(equal);
    if (equal.candidate->isKeep)
      keep = &equal;
  }
  switch (policy) {
  case Policy::SatisfyMax:
  case Policy::SatisfyCount:
  case Policy::SatisfyWeighted:
    return findBest(kind, equals, beatsBySatisfy);
  case Policy::Accept:
    return findBest(kind, equals, beatsByAccept);
  case Policy::Sample:
    return proposals.empty() ? findKeep(equals) : sample(*this, proposals);
  case Policy::Metropolis:
    return walk(*this, proposals, keep);
  case Policy::Quorum:
    if (std::optional<size_t> winner = count(*this, proposals))
      return winner;
    return findKeep(equals);
  }
  llvm_unreachable("a policy without a meaning");
}

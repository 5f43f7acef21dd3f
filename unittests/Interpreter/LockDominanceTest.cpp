//===- LockDominanceTest.cpp - Dominating locks against every vote --------===//
//
// Whether a lock dominates is decided by priorities and the policy alone. The truth: over all votes
// of the other constraints on keep and on one other candidate, and over scores that prefer the
// other, whether the ballot of the reference interpreter ever lets keep lose.
//
//===----------------------------------------------------------------------===//

#include "LCI/Analysis/LockDominance.h"
#include "../../lib/Interpreter/Agreement.h"
#include "Testing.h"
#include <random>

using namespace mlir;
using namespace mlir::lci;

namespace {

/// A constraint on the candidate; the first one of a program is the lock.
struct Clause {
  int64_t priority = 0;
  bool isHard = false, isLock = false;
};

struct Trial {
  std::vector<Clause> clauses;
  Policy policy;
  bool weighted;
};

std::string print(const Trial &trial) {
  std::string text = R"(lci.program @p sizes [] = [] {
    lci.value @A token vocabulary affine_map<() -> (8)> shape affine_map<() -> (4)>
      boundary [#lci.boundary<open>] {
    }
)";
  for (auto [number, clause] : llvm::enumerate(trial.clauses)) {
    text += "lci.constraint @C" + std::to_string(number) + " forbid on @A priority " +
            std::to_string(clause.priority) + (clause.isHard ? " hard" : "") +
            " {\n^bb0(%i: index, %c: i64):\n";
    text += clause.isLock ? "%t = lci.changes %c : i64\n"
                          : "%n = arith.constant 3 : i64\n%t = arith.cmpi eq, %c, %n : i64\n";
    text += "lci.yield %t : i1\n}\n";
  }
  text += "lci.commit @A using " + stringifyPolicy(trial.policy).str() +
          (trial.policy == Policy::Quorum ? " of 1" : "") + (trial.weighted ? " weighted" : "") +
          " {\n";
  if (trial.policy == Policy::Sample || trial.policy == Policy::Metropolis)
    text += "%t = arith.constant 1.0 : f32\nlci.yield %t : f32\n";
  return text + "}\n}\n";
}

/// Whether keep wins, for these votes of the constraints that are no locks.
bool stays(const Trial &trial, unsigned votes) {
  Ballot ballot;
  ballot.policy = trial.policy;
  ballot.weighted = trial.weighted;
  ballot.quorum = 1;
  ballot.draw = [] { return 0u; }; // accepts whatever may be accepted
  Candidate keep, other;
  keep.token = Datum::integer(5);
  keep.isKeep = true;
  other.token = Datum::integer(3);
  other.isProposed = true;
  other.votes = 1;
  other.score = 1e9f;
  for (const Clause &clause : trial.clauses) {
    ballot.votes.push_back({clause.priority, clause.isHard || clause.priority >= 1000});
    keep.holds.push_back(clause.isLock || (votes & 1));
    other.holds.push_back(!clause.isLock && (votes & 2));
    votes >>= clause.isLock ? 0 : 2;
  }
  Candidate all[] = {keep, other};
  std::optional<size_t> winner = ballot.decide(all);
  return winner != 1;
}

// No false alarm, and no miss with one lock: the contribution of further locks is not analysed.
TEST(LockDominanceTest, LocksAgainstEveryVote) {
  MLIRContext context;
  context.loadDialect<LCIDialect, arith::ArithDialect>();
  std::mt19937 random(3);
  auto pick = [&](int64_t first, int64_t last) {
    return std::uniform_int_distribution<int64_t>(first, last)(random);
  };
  int numDominant = 0;
  for (int round = 0; round < 3000; ++round) {
    Trial trial;
    trial.policy = static_cast<Policy>(pick(0, 6));
    trial.weighted = pick(0, 5) == 0 && trial.policy != Policy::Quorum;
    unsigned numOthers = 0;
    for (int64_t i = 0, count = pick(1, 4); i < count; ++i) {
      trial.clauses.push_back(
          {pick(0, 4) * pick(0, 60), pick(0, 9) == 0, i == 0 || pick(0, 4) == 0});
      numOthers += !trial.clauses.back().isLock;
    }
    auto module = parseSourceString<ModuleOp>(print(trial), &context);
    ASSERT_TRUE(module) << print(trial);
    ConstraintOp lock = *(*module->getOps<ProgramOp>().begin()).getOps<ConstraintOp>().begin();
    ASSERT_TRUE(isLock(lock));
    bool truth = true;
    for (unsigned votes = 0; votes < 1u << (2 * numOthers); ++votes)
      truth &= stays(trial, votes);
    bool found = analyzeDominance(lock).dominates;
    numDominant += found;
    bool helped = llvm::count_if(trial.clauses, [](const Clause &c) { return c.isLock; }) > 1;
    if (found || !helped)
      EXPECT_EQ(found, truth) << print(trial);
  }
  EXPECT_GT(numDominant, 500);
}

} // namespace

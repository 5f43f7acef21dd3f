//===- PolicyTest.cpp - Every policy against the table of semantics -------===//
//
// One cell, up to three rules that propose tokens given by their parameters, and scores from an
// array: the table of docs/semantics.md, cell by cell, and the order of candidates.
//
//===----------------------------------------------------------------------===//

#include "LCI/Numerics/Functions.h"
#include "LCI/Numerics/Stream.h"
#include "Testing.h"

using namespace mlir;
using namespace mlir::lci;
namespace numerics = ::lci::numerics;

namespace {

constexpr int64_t kAbsent = -1, kKeep = 4;

/// A proposal outside of the vocabulary, so that the rule applies and proposes nothing.
constexpr int64_t kNothing = 9;

class PolicyTest : public InterpreterTest {
protected:
  /// Sets the policy, as written behind `using` in `commit @A`.
  void readPolicy(const std::string &policy, const std::string &constraints = "") {
    std::string text = R"(lci.program @p sizes [] = [] {
      lci.value @A token vocabulary affine_map<() -> (8)> shape affine_map<() -> (1)>
        boundary [#lci.boundary<open>] {
      }
      lci.param @scores f32 shape affine_map<() -> (8)> {
      }
)";
    for (const char *number : {"1", "2", "3"})
      text += std::string("lci.param @p") + number + " i32 {\n}\nlci.rule @R" + number +
              " on @A {\n^bb0(%i: index):\n%t = lci.param_value @p" + number +
              " : i64\nlci.emit %t : i64 score {\n^bb0(%c: i64):\n"
              "%s = lci.param_value @scores[%c] : f32\nlci.yield %s : f32\n}\n}\n";
    text += constraints + "lci.commit @A using " + policy + "\n}";
    environment.params["scores"] = numbers({8}, {0, 1, 5, 0, 3, 0, 0, 0});
    propose({});
    readIR(text);
  }

  /// Sets the proposals of the rules.
  void propose(std::vector<int64_t> tokens) {
    tokens.resize(3, kNothing);
    for (unsigned i = 0; i < 3; ++i)
      environment.params["p" + std::to_string(i + 1)] = ::lci::Array::scalar(tokens[i]);
  }

  /// The contents of the cell after one tick.
  int64_t agree(int64_t held, std::vector<int64_t> tokens) {
    propose(std::move(tokens));
    restart();
    set("A", {1}, {held});
    run(0, 1);
    return get("A")[0];
  }

  const std::string temperature = " {\n%t = arith.constant 2.0 : f32\nlci.yield %t : f32\n}";
};

// Scores: token 1 has 1, token 2 has 5, keep (4) has 3, all others 0.

// S-TABLE, S-POLICY-SATISFY: without constraints the three policies agree.
TEST_F(PolicyTest, satisfyTakesTheBestScore) {
  for (const char *policy : {"satisfy_max", "satisfy_count", "satisfy_weighted"}) {
    readPolicy(std::string(policy) + " {\n}");
    EXPECT_EQ(agree(kAbsent, {}), kAbsent) << policy;
    EXPECT_EQ(agree(kKeep, {}), kKeep);
    EXPECT_EQ(agree(kAbsent, {1}), 1);
    EXPECT_EQ(agree(kKeep, {1}), kKeep);
    EXPECT_EQ(agree(kKeep, {2}), 2);
    EXPECT_EQ(agree(kAbsent, {1, 2}), 2);
    EXPECT_EQ(agree(kKeep, {1, 2}), 2);
  }
}

// S-TABLE, S-POLICY-SATISFY, S-TIES: equal scores: the proposal before keep, then the lowest token.
TEST_F(PolicyTest, satisfyBreaksTies) {
  readPolicy("satisfy_max {\n}");
  environment.params["scores"] = numbers({8}, {0, 0, 0, 0, 0, 0, 0, 0});
  EXPECT_EQ(agree(kKeep, {7}), 7);
  EXPECT_EQ(agree(kKeep, {7, 6, 5}), 5);
}

// S-TABLE, S-POLICY-ACCEPT: a proposal whatever the scores; of several the best, then the first
// rule.
TEST_F(PolicyTest, acceptTakesProposals) {
  readPolicy("accept {\n}");
  EXPECT_EQ(agree(kAbsent, {}), kAbsent);
  EXPECT_EQ(agree(kKeep, {}), kKeep);
  EXPECT_EQ(agree(kAbsent, {1}), 1);
  EXPECT_EQ(agree(kKeep, {1}), 1);
  EXPECT_EQ(agree(kAbsent, {1, 2}), 2);
  EXPECT_EQ(agree(kKeep, {1, 2}), 2);
  EXPECT_EQ(agree(kKeep, {7, 6, 5}), 7) << "equal scores: rule order";
}

// S-TABLE, S-POLICY-SAMPLE, S-POLICY-DRAW: both of two proposals, as often as softmax says.
TEST_F(PolicyTest, sampleDraws) {
  readPolicy("sample" + temperature);
  EXPECT_EQ(agree(kAbsent, {}), kAbsent);
  EXPECT_EQ(agree(kKeep, {}), kKeep);
  EXPECT_EQ(agree(kAbsent, {1}), 1);
  EXPECT_EQ(agree(kKeep, {1}), 1);
  int64_t commit = ProgramOp::getDeclarationNumber(*getProgram().getOps<CommitOp>().begin());
  float weight = numerics::evaluate(numerics::Unary::Exp, (1.0f - 5.0f) / 2.0f);
  uint64_t threshold = numerics::threshold(weight / (weight + 1.0f));
  unsigned low = 0;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    environment.seed = seed;
    bool isLow = numerics::Stream(seed, commit, 0).thresholdDraw({0, 0, 0, 0}) < threshold;
    low += isLow;
    EXPECT_EQ(agree(kAbsent, {1, 2}), isLow ? 1 : 2);
    EXPECT_EQ(agree(kKeep, {2, 1}), isLow ? 1 : 2);
  }
  EXPECT_GT(low, 2u);
  EXPECT_LT(low, 30u);
}

// S-TABLE, S-POLICY-METROPOLIS: uphill always, downhill as drawn, and several are no move.
TEST_F(PolicyTest, metropolisWalks) {
  readPolicy("metropolis" + temperature);
  EXPECT_EQ(agree(kAbsent, {}), kAbsent);
  EXPECT_EQ(agree(kKeep, {}), kKeep);
  EXPECT_EQ(agree(kAbsent, {1}), 1);
  EXPECT_EQ(agree(kKeep, {2}), 2);
  EXPECT_EQ(agree(kAbsent, {1, 2}), kAbsent);
  EXPECT_EQ(agree(kKeep, {1, 2}), kKeep);
  int64_t commit = ProgramOp::getDeclarationNumber(*getProgram().getOps<CommitOp>().begin());
  unsigned taken = 0;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    environment.seed = seed;
    numerics::Stream stream(seed, commit, 0);
    bool isTaken = stream.isBelow({0, 0, 0, 0}, numerics::metropolisThreshold(-2.0f, 2.0f));
    taken += isTaken;
    EXPECT_EQ(agree(kKeep, {1}), isTaken ? 1 : kKeep);
  }
  EXPECT_GT(taken, 20u);
  EXPECT_LT(taken, 60u);
}

// S-TABLE, S-POLICY-QUORUM: enough rules must agree.
TEST_F(PolicyTest, quorumCounts) {
  readPolicy("quorum of 2 {\n}");
  EXPECT_EQ(agree(kAbsent, {}), kAbsent);
  EXPECT_EQ(agree(kKeep, {}), kKeep);
  EXPECT_EQ(agree(kAbsent, {1}), kAbsent);
  EXPECT_EQ(agree(kKeep, {1}), kKeep);
  EXPECT_EQ(agree(kAbsent, {1, 2}), kAbsent);
  EXPECT_EQ(agree(kKeep, {1, 2}), kKeep);
  EXPECT_EQ(agree(kAbsent, {1, 1}), 1);
  EXPECT_EQ(agree(kKeep, {1, 1}), 1);
  EXPECT_EQ(agree(kAbsent, {2, 1, 1}), 1);
  EXPECT_EQ(agree(kKeep, {2, 1, 1}), 1);
}

// S-CANDIDATES, S-IDEMPOTENT: a proposal equal to keep merges with it and changes nothing.
TEST_F(PolicyTest, keepMergesWithAProposal) {
  for (const char *policy : {"accept {\n}", "satisfy_max {\n}", "quorum of 1 {\n}"}) {
    readPolicy(policy);
    EXPECT_EQ(agree(kKeep, {kKeep}), kKeep);
    EXPECT_EQ(stamps("A")[0], 0);
    EXPECT_EQ(interpreter->counters["A.changed"], 0);
  }
}

// S-NAN-SCORE: a NaN loses to every number, and to −∞ too.
TEST_F(PolicyTest, nanScoresLose) {
  readPolicy("satisfy_max {\n}");
  environment.params["scores"] = numbers({8}, {0, NAN, -INFINITY, 0, NAN, 0, 0, 0});
  EXPECT_EQ(agree(kKeep, {2}), 2);
  EXPECT_EQ(agree(2, {1}), 2);
  EXPECT_EQ(agree(kKeep, {1}), 1) << "both NaN: the proposal before keep";
}

// S-INVALID: tokens outside of the vocabulary are counted and no candidates.
TEST_F(PolicyTest, invalidProposalsAreCounted) {
  readPolicy("accept {\n}");
  EXPECT_EQ(agree(kKeep, {8, -1, 1}), 1);
  EXPECT_EQ(interpreter->counters["A.invalid"], 2);
}

// S-ENABLE, S-ACTIVE: disabled rules do not apply; without a rule nothing is counted.
TEST_F(PolicyTest, rulesCanBeSwitchedOff) {
  readPolicy("accept {\n}");
  environment.enables = {{"R1", false}, {"R3", false}};
  EXPECT_EQ(agree(kKeep, {1, 2, 3}), 2);
  environment.enables["R2"] = false;
  interpreter->counters.clear();
  EXPECT_EQ(agree(kKeep, {1, 9, 3}), kKeep);
  EXPECT_EQ(interpreter->counters["A.invalid"], 0);
}

//===----------------------------------------------------------------------===//
// Constraints
//===----------------------------------------------------------------------===//

/// `require candidate == token`.
std::string requireToken(const std::string &name, int64_t token, const std::string &priority) {
  return "lci.constraint @" + name + " require on @A priority " + priority +
         " {\n^bb0(%i: index, %c: i64):\n%t = arith.constant " + std::to_string(token) +
         " : i64\n%h = arith.cmpi eq, %c, %t : i64\nlci.yield %h : i1\n}\n";
}

// S-RANK: levels from the highest priority under `max`, all alike under `count`, summed under
// `weighted`: the case in which the three disagree.
TEST_F(PolicyTest, theThreeSatisfyPoliciesDisagree) {
  std::string constraints = requireToken("C1", 1, "10") + requireToken("C2", 2, "9") +
                            requireToken("C3", 2, "9") + requireToken("C4", 3, "4") +
                            requireToken("C5", 3, "3") + requireToken("C6", 3, "2");
  readPolicy("satisfy_max {\n}", constraints);
  EXPECT_EQ(agree(kAbsent, {1, 2, 3}), 1);
  readPolicy("satisfy_weighted {\n}", constraints);
  EXPECT_EQ(agree(kAbsent, {1, 2, 3}), 2);
  readPolicy("satisfy_count {\n}", constraints);
  EXPECT_EQ(agree(kAbsent, {1, 2, 3}), 3);
}

// S-HARD, S-NONE, S-P4: candidates that violate a hard constraint are excluded; if none remains,
// the cell is unchanged.
TEST_F(PolicyTest, hardConstraintsFilter) {
  for (const char *policy : {"accept {\n}", "satisfy_max {\n}", "quorum of 1 {\n}"}) {
    readPolicy(policy, requireToken("Hard", 3, "1000"));
    EXPECT_EQ(agree(kAbsent, {1}), kAbsent) << policy;
    EXPECT_EQ(agree(kKeep, {1}), kKeep);
    EXPECT_EQ(agree(kKeep, {1, 3}), 3);
  }
  readPolicy("metropolis" + temperature, requireToken("Hard", 3, "1 hard"));
  EXPECT_EQ(agree(kKeep, {3}), 3) << "keep is not among the equals";
}

// S-WEIGHTED: priorities are added to the score instead of ranking.
TEST_F(PolicyTest, weightedConstraintsAreScore) {
  readPolicy("satisfy_max weighted {\n}", requireToken("C", 1, "3"));
  EXPECT_EQ(agree(kAbsent, {1, 2}), 2) << "1 + 3 < 5";
  readPolicy("satisfy_max weighted {\n}", requireToken("C", 1, "5"));
  EXPECT_EQ(agree(kAbsent, {1, 2}), 1) << "1 + 5 > 5";
  readPolicy("satisfy_max {\n}", requireToken("C", 1, "3"));
  EXPECT_EQ(agree(kAbsent, {1, 2}), 1) << "not weighted, it ranks";
}

// S-COUNT: of the winner; decisive where without the constraint another would have won.
TEST_F(PolicyTest, constraintsAreCounted) {
  readPolicy("satisfy_max {\n}", requireToken("C", 1, "1") + requireToken("D", 3, "1"));
  interpreter->counters.clear();
  EXPECT_EQ(agree(kAbsent, {1, 2}), 1);
  EXPECT_EQ(interpreter->counters["C.satisfied"], 1);
  EXPECT_EQ(interpreter->counters["D.violated"], 1);
  EXPECT_EQ(interpreter->counters["C.decisive"], 1);
  EXPECT_EQ(interpreter->counters["D.decisive"], 0);
}

// Explanations name candidates, checks, scores and the winner.
TEST_F(PolicyTest, explainsOneCell) {
  readPolicy("satisfy_max {\n}", requireToken("C", 1, "1"));
  propose({1, 2});
  restart();
  set("A", {1}, {kKeep});
  FailureOr<Explanation> why = interpreter->explain("A", {0}, 0, 0);
  ASSERT_TRUE(succeeded(why));
  ASSERT_EQ(why->candidates.size(), 3u);
  ASSERT_TRUE(why->winner);
  EXPECT_EQ(why->candidates[*why->winner].token, "1");
  EXPECT_TRUE(why->changes);
  EXPECT_EQ(why->stampAfter, 1);
  EXPECT_EQ(get("A")[0], kKeep) << "explaining changes nothing";
  std::string text;
  llvm::raw_string_ostream stream(text);
  why->print(stream);
  EXPECT_NE(text.find("* 1 (proposed) score 1"), std::string::npos) << text;
  EXPECT_NE(text.find("C is violated"), std::string::npos);
}

// An explanation also says why there is no commit.
TEST_F(PolicyTest, explainsThatNothingHappens) {
  auto print = [](const Explanation &why) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    why.print(stream);
    return text;
  };
  Explanation why;
  why.value = "A";
  why.cell = {2, 3};
  why.phase = 1;
  EXPECT_EQ(print(why), "A[2,3] at epoch 0, phase 1: not up in this phase\n");
  why.isScheduled = true;
  EXPECT_EQ(print(why), "A[2,3] at epoch 0, phase 1: no rule applies\n");
  why.isActive = true;
  why.policy = "accept";
  why.candidates.resize(1);
  why.candidates[0].token = "7";
  why.candidates[0].rule = "R";
  why.candidates[0].isKeep = true;
  why.candidates[0].isAdmissible = false;
  EXPECT_EQ(print(why), "A[2,3] at epoch 0, phase 1: policy accept\n"
                        "    7 (keep) score 0.000000e+00 by R, not admissible\n"
                        "    nothing is left: the cell stays\n"
                        "  stays, stamp 0 -> 0\n");
}

} // namespace

//===- Models.cpp - Random rules that evaluate a model --------------------===//
//
// Generates `Model(…)` and `ModelScore(…)` clauses together with the networks that they are bound
// to: each argument of a call is added to the signature of the function.
//
//===----------------------------------------------------------------------===//

#include "Network.h"

using namespace lci;

namespace {
/// The text of an argument of a call and the type that its function takes.
struct Argument {
  std::string spelling, element;
  int64_t members = 1, vocabulary = 0;
};
} // namespace

/// A read, a family or an expression of them, as an argument.
static Argument takeSight(Dice &dice, const Sight &sight, int64_t lastIndex) {
  int64_t members = sight.reachesBack ? lastIndex + 1 : sight.members;
  Argument argument{sight.spelling, "f32", members, sight.source->vocabulary};
  if (sight.source->cells != Cells::Number)
    argument.element = dice.chance(50) ? "i32" : "i64";
  return argument;
}

/// The arguments of a call; `networks` are the functions that it calls.
std::string Forge::makeArguments(std::vector<Network *> networks) {
  std::vector<const Sight *> fitting;
  for (const Sight &sight : sights)
    if (sight.when.empty() && sight.members > 0 && sight.members <= 64 &&
        (!sight.isFamily || lastIndex >= 0)) // else the rule applies to no cell
      fitting.push_back(&sight);
  std::vector<Argument> arguments;
  for (int64_t i = 0, n = dice.between(1, 3); i < n; ++i) {
    int64_t kind = dice.below(10);
    bool isNumber = dice.chance(30);
    const Sight *single = findSight(/*isFamily=*/false, isNumber);
    if (!fitting.empty() && kind < 7)
      arguments.push_back(takeSight(dice, *dice.pick(fitting), lastIndex));
    else if (kind < 8)
      arguments.push_back({use("(" + number(1) + " * 0.5)", "model: computed number"), "f32"});
    else if (kind < 9 && single && dice.chance(50)) // absent if its read is
      arguments.push_back({use("(" + single->spelling + (isNumber ? " * 2.0)" : " + 1)"),
                               "model: computed from a read"),
                           isNumber ? "f32" : "i64"});
    else if (kind < 9)
      arguments.push_back({use("(" + integer(1) + " % 50)", "model: computed integer"), "i32"});
    else
      arguments.push_back({use("(" + truth(1) + ")", "model: computed truth"), "i1"});
  }
  std::string text;
  for (const Argument &argument : arguments) {
    text += (text.empty() ? "" : ", ") + argument.spelling;
    for (Network *network : networks)
      network->addArgument(argument.element, argument.members, argument.vocabulary);
  }
  return text;
}

/// The score of a model that is evaluated for each candidate, or once for all.
std::string Forge::makeModelScore(const Made &value, Network &scorer, const std::string &arguments,
                                  bool isAny) {
  use("", "score model");
  std::string text = isAny ? arguments : "...";
  if (isAny || dice.chance(40)) {
    integerNames.push_back("candidate");
    bool isComputed = dice.chance(40);
    std::string about = isComputed ? "(" + integer(1) + " % 50)" : "candidate";
    text = arguments + ", " +
           use(about, isAny ? "score model of any candidate" : "score model of the candidate");
    scorer.addArgument(dice.chance(50) ? "i32" : "i64", 1, isComputed ? 0 : value.vocabulary);
  }
  scorer.join();
  dice.chance(50) && value.vocabulary <= 17 ? scorer.answerLogits(value.vocabulary)
                                            : scorer.answerScore();
  program.modelText += scorer.text();
  program.models["ModelScore"] = {"Judge", scorer.weights};
  return "\n  score ModelScore(" + text + ")";
}

/// Any token, scored by a model.
std::string Forge::makeAnyScoredByModel(const Made &value) {
  Network scorer(dice, program.coverage, "Judge");
  mayDraw = mayDraw && dice.chance(50); // one draw for each candidate
  std::string arguments = makeArguments({&scorer});
  std::string score = makeModelScore(value, scorer, arguments, /*isAny=*/true);
  mayDraw = false;
  return "\n  emit proposal " + cell(value.name) + " := any" + score;
}

/// The proposal, and the score, of a rule that evaluates models.
std::string Forge::makeModelClauses(const Made &value) {
  Network proposer(dice, program.coverage, "Net"), scorer(dice, program.coverage, "Judge");
  int64_t answer = dice.below(3);
  bool hasScorer = dice.chance(30);
  if (hasScorer && value.vocabulary <= 17 && dice.chance(40))
    return makeAnyScoredByModel(value);
  mayDraw = mayDraw && dice.chance(30);
  bool draws = mayDraw; // a score may not repeat draws
  std::vector<Network *> networks{&proposer};
  if (hasScorer)
    networks.push_back(&scorer);
  std::string arguments = makeArguments(networks);
  mayDraw = false;
  proposer.join();
  if (answer == 0)
    proposer.answerLogits(value.vocabulary);
  else
    proposer.answerToken(value.vocabulary, /*isSure=*/answer == 2);
  program.modelText += proposer.text();
  program.models["Model"] = {"Net", proposer.weights};
  std::string text =
      "\n  emit proposal " + cell(value.name) + " := " + use("Model(" + arguments + ")", "Model");
  if (hasScorer) {
    text += makeModelScore(value, scorer, arguments, /*isAny=*/false);
  } else if (answer != 1 && dice.chance(40)) {
    text += use("\n  score ModelScore(" + (draws || dice.chance(50) ? "..." : arguments) + ")",
                "score of the model itself");
  } else if (answer != 2 && dice.chance(40)) {
    integerNames.push_back("candidate");
    text += use("\n  score " + number(1), "score beside a model");
  }
  return text;
}

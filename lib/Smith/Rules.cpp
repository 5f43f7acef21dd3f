//===- Rules.cpp - Random formulas and rules ------------------------------===//
//
// Generates formulas (`def`) and the clauses of rules in the order of the language: on, read, let,
// emit, score. Names that a clause introduces become operands of the later ones.
//
//===----------------------------------------------------------------------===//

#include "Classes.h"
#include "Forge.h"

using namespace lci;

/// Collects the operands of expressions: indices, parameters, sizes, the epoch, definitions.
void Forge::makeNames() {
  integerNames = frame.axes;
  integerNames.push_back("(epoch % 7)");
  if (dice.chance(30))
    integerNames.push_back(use(dice.pick(whole.sizes), "size"));
  integerNames.insert(integerNames.end(), integerParams.begin(), integerParams.end());
  numberNames.clear();
  truthNames.clear();
  tokenNames.clear();
  for (const Sight &sight : sights)
    if (!sight.isFamily && sight.source->cells == Cells::Token)
      tokenNames.push_back(
          {sight.mayBeAbsent ? "(" + sight.spelling + " ?? 0)" : sight.spelling, sight.source});
}

//===----------------------------------------------------------------------===//
// Formulas
//===----------------------------------------------------------------------===//

void Forge::makeDef(const Made &value) {
  std::string name = "f" + value.name;
  mayDraw = false;
  // Labels belong to the rules of the value; formulas name their reads.
  std::vector<Sight> all = sights;
  sights.clear();
  for (const Sight &sight : all)
    if (!sight.isLocal)
      sights.push_back(sight);
  auto names = tokenNames;
  tokenNames.clear();
  declare("def " + cell(name) + " = " + number(2));
  numberNames.push_back(use(cell(name), "def"));
  if (dice.chance(30)) {
    declare("def " + cell("g" + value.name) + " = " + integer(2));
    integerNames.push_back(use("(" + cell("g" + value.name) + " % 60)", "def of an integer"));
  }
  if (dice.chance(30)) {
    declare("def " + cell("h" + value.name) + " = " + truth(2));
    truthNames.push_back(use(cell("h" + value.name), "def of a truth value"));
  }
  if (dice.chance(20)) {
    declare("def c" + value.name + " = " + use("pi", "pi") + " / 4.0");
    numberNames.push_back(use("c" + value.name, "def without indices"));
  }
  if (dice.chance(40) && frame.rank() > 0) {
    // Of indices alone, so that it may be used anywhere.
    auto integers = integerNames, numbers = numberNames, truths = truthNames;
    integerNames = frame.axes;
    numberNames.clear();
    truthNames.clear();
    hasCells = false;
    declare("def " + cell("k" + value.name) + " = " + integer(2));
    hasCells = true;
    integerNames = integers;
    numberNames = numbers;
    truthNames = truths;
    std::vector<std::string> moved = frame.axes;
    moved[0] = dice.chance(50) ? moved[0] + " + 1" : "2 * " + moved[0] + " - epoch";
    integerNames.push_back(
        use("(k" + value.name + "[" + join(moved) + "] % 40)", "def at other indices"));
  }
  sights = all;
  tokenNames = names;
}

//===----------------------------------------------------------------------===//
// The clauses of a rule
//===----------------------------------------------------------------------===//

std::string Forge::makeOn(const Made &value, bool callsModel) {
  std::string text = "\n  on " + cell(value.name);
  lastIndex = 0;
  if (frame.rank() == 0)
    return text;
  const std::string &axis = frame.axes[0];
  int64_t last = frame.extents[0] - 1;
  lastIndex = last;
  if (dice.chance(10)) {
    lastIndex = last == 1 ? 0 : last;
    return text + use(" when " + axis + " % 2 == 0 or " + axis + " > 1", "on … when … or");
  }
  if (dice.chance(20)) {
    lastIndex = last > 1 ? last - 1 : -1;
    return text + use(" when 0 < " + axis + " < " + frame.sizes[0] + " - 1", "on … when");
  }
  if (dice.chance(12) && !callsModel) {
    lastIndex = last;
    return text + use(" when " + makeIndexClass(dice, frame.axes), "on … when, a class of cells");
  }
  // A condition on indices alone would change the cells for which a model's families are counted.
  std::string condition = truth(1) + (callsModel ? " or epoch > 9" : "");
  if (dice.chance(15))
    return text + use(" when " + condition, "dynamic when");
  if (dice.chance(10))
    return text + use(" when " + axis + " >= 0 and (" + condition + ")", "on … when … and");
  return text;
}

/// The `read {…}` clause; the names of its items join the operands of the rule.
std::string Forge::makeReads(const Made &value) {
  std::vector<std::string> items;
  std::vector<Sight> named;
  for (const Sight &sight : sights) {
    Sight read = sight;
    read.when.clear();
    read.isLocal = true;
    bool isTaken = false;
    if (!sight.offsets.empty() && dice.chance(50)) {
      read.spelling = "neighbors";
      read.item = use("neighbors in " + sight.offsets, "read neighbors");
    } else if (sight.isPrevious && dice.chance(70)) {
      read.spelling = use("prev_frame", "prev_frame");
      read.item = read.spelling;
    } else if (sight.isLocal && sight.spelling.find('[') == std::string::npos && dice.chance(20)) {
      read.item = use(sight.spelling, "read a label");
    } else if (!sight.isLocal && !sight.isComputed && sight.when.empty() &&
               sight.source->name != value.name && dice.chance(30)) {
      read.spelling = sight.source->isScalar ? sight.spelling : sight.source->name;
      read.item = use(sight.spelling, sight.isFamily ? "read a family" : "read a cell");
    }
    for (const Sight &other : named)
      isTaken |= other.spelling == read.spelling;
    if (read.item.empty() || isTaken)
      continue;
    items.push_back(read.item);
    named.push_back(read);
  }
  if (items.empty())
    return "";
  // A name in `read {…}` refers to that item from here on.
  for (const Sight &read : named) {
    std::vector<Sight> others;
    for (const Sight &sight : sights)
      if (sight.spelling != read.spelling)
        others.push_back(sight);
    sights = others;
  }
  sights.insert(sights.end(), named.begin(), named.end());
  return "\n  read {" + join(items) + "}";
}

std::string Forge::makeLets() {
  std::string text;
  if (dice.chance(50)) {
    text += use("\n  let m = " + integer(2), "let");
    integerNames.push_back("m");
  }
  if (dice.chance(15)) {
    text += use("\n  let p = " + truth(2), "let of a truth value");
    truthNames.push_back("p");
  }
  for (const Sight &sight : sights) {
    if (!sight.isFamily || !sight.isLocal || !dice.chance(20))
      continue;
    Sight lifted = sight;
    lifted.spelling = "lifted";
    bool isNumber = sight.source->cells == Cells::Number;
    text += use("\n  let lifted = abs(" + memberOf(sight) + " - " +
                    (isNumber ? number(0) : integer(0) + " % 90") + ")",
                "let of a family");
    sights.push_back(lifted);
    break;
  }
  return text;
}

std::string Forge::makeProposal(const Made &value) {
  if (value.cells == Cells::Number)
    return number(3);
  std::string body = integer(3);
  if (value.cells == Cells::Integer)
    return "(" + body + ") % 1000";
  // Without the remainder, some proposals lie outside of the vocabulary.
  if (dice.chance(15))
    return use("(" + body + " + epoch % 7) % " + std::to_string(value.vocabulary + 2),
               "unchecked proposal");
  if (dice.chance(20))
    return "if " + truth(2) + " then 1 else 0";
  return "(" + body + ") % " + std::to_string(value.vocabulary);
}

/// A `let` of the score, computed from the candidate.
std::string Forge::makeCandidateLet(const Made &value) {
  bool isNumber = value.cells == Cells::Number;
  if (!dice.chance(20))
    return "";
  (isNumber ? numberNames : integerNames).push_back("near");
  std::string token = value.cells == Cells::Integer ? "candidate % 50" : "candidate";
  return use("\n  let near = abs(" + token + (isNumber ? " - 0.5)" : " - 1)"),
             "let of the candidate");
}

std::string Forge::makeScore(const Made &value, bool isNeeded) {
  if (!isNeeded && !dice.chance(30))
    return "";
  bool draws = mayDraw && dice.chance(50);
  mayDraw = false;
  std::string let = makeCandidateLet(value);
  (value.cells == Cells::Number ? numberNames : integerNames)
      .push_back(value.cells == Cells::Integer ? "(candidate % 50)" : "candidate");
  std::string text = number(1) + " + " + number(1);
  if (draws)
    text += " + " +
            use("uniform()", value.cells == Cells::Number ? "score draw of numbers" : "score draw");
  return let + use("\n  score " + text, "score");
}

std::string Forge::makeRange(int64_t vocabulary) {
  if (dice.chance(50))
    return use("any in 1.." + std::to_string(vocabulary - 1), "any in");
  int64_t low = dice.below(vocabulary),
          last = low + dice.below(std::max<int64_t>(vocabulary / 3, 1));
  std::string ends = std::to_string(low) + ".." + std::to_string(std::min(last, vocabulary - 1));
  return use("any in " + ends, "any in a few");
}

void Forge::makeRule(const Made &value, int number) {
  makeNames();
  hasCells = true;
  if (number == 0 && dice.chance(25))
    makeDef(value);
  std::vector<Sight> all = sights;
  mayDraw = dice.chance(50);
  std::string name = "R" + value.name + (number ? std::to_string(number) : "");
  program.switches.push_back(name);
  // There is one function for each name, so one rule evaluates a model.
  bool callsModel = value.cells == Cells::Token && program.models.empty() && dice.chance(20);
  std::string text = "rule " + name + ":" + makeOn(value, callsModel);
  if (dice.chance(30))
    text += makeReads(value);
  if (callsModel) {
    text += makeModelClauses(value);
  } else {
    text += makeLets();
    bool isAny = value.cells == Cells::Token && value.vocabulary <= 17 && dice.chance(25);
    std::string proposal;
    if (isAny && value.vocabulary > 2 && dice.chance(40))
      proposal = makeRange(value.vocabulary);
    else
      proposal = isAny ? use("any", "any") : makeProposal(value);
    std::string score = makeScore(value, isAny);
    text += "\n  emit proposal " + cell(value.name) + " := " + proposal;
    // The lets of the score precede the emit clause.
    size_t clause = score.find("\n  score");
    if (clause != std::string::npos && clause > 0) {
      text.insert(text.rfind("\n  emit"), score.substr(0, clause));
      score = score.substr(clause);
    }
    text += score;
  }
  declare(text);
  sights = all;
}

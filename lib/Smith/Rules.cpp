//===- Rules.cpp - Random rules, constraints and agreements -----------------===//

#include "Forge.h"

using namespace lci;

/// What expressions may name: indices, parameters and the epoch.
void Forge::makeNames(const Made &, const std::string &) {
  integerNames = axes;
  integerNames.push_back("(epoch % 7)");
  integerNames.insert(integerNames.end(), integerParams.begin(), integerParams.end());
  numberNames.clear();
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

void Forge::makeDef(const Made &value) {
  std::string name = "f" + value.name;
  mayDraw = false;
  // Labels belong to the rules of the value; formulas name what they read.
  std::vector<Sight> all = sights;
  sights.clear();
  for (const Sight &sight : all)
    if (sight.spelling[0] != 'n')
      sights.push_back(sight);
  declare("def " + cell(name) + " = " + number(2));
  sights = all;
  numberNames.push_back(use(cell(name), "def"));
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

void Forge::makeRule(const Made &value) {
  makeNames(value, "");
  hasCells = true;
  if (dice.chance(25))
    makeDef(value);
  mayDraw = dice.chance(50);
  std::string name = "R" + value.name;
  program.switches.push_back(name);
  std::string text = "rule " + name + ":\n  on " + cell(value.name);
  if (dice.chance(20))
    text += use(" when 0 < " + axes[0] + " < " + sizes[0] + " - 1", "on … when");
  else if (dice.chance(15))
    text += use(" when " + truth(1), "dynamic when");
  if (dice.chance(50)) {
    text += use("\n  let m = " + integer(2), "let");
    integerNames.push_back("m");
  }
  bool isAny = value.cells == Cells::Token && value.vocabulary <= 17 && dice.chance(25);
  text += "\n  emit proposal " + cell(value.name) + " := ";
  if (isAny && value.vocabulary > 2 && dice.chance(40))
    text += use("any in 1.." + std::to_string(value.vocabulary - 1), "any in");
  else
    text += isAny ? use("any", "any") : makeProposal(value);
  // A draw in a score takes the candidate as its number, which only tokens can be.
  mayDraw = mayDraw && value.cells == Cells::Token;
  if (isAny || dice.chance(30)) {
    (value.cells == Cells::Number ? numberNames : integerNames)
        .push_back(value.cells == Cells::Integer ? "(candidate % 50)" : "candidate");
    bool drew = mayDraw;
    ++reductions; // no reduction draws inside of a score
    mayDraw = false;
    std::string first = number(1);
    --reductions;
    mayDraw = drew && dice.chance(50);
    int held = reductions;
    std::string second = mayDraw ? use("uniform()", "score draw") : number(1);
    reductions = held;
    mayDraw = false;
    text += use("\n  score " + first + " + " + second + " + " + number(1), "score");
  }
  declare(text);
}

//===----------------------------------------------------------------------===//
// Constraints
//===----------------------------------------------------------------------===//

/// Some of the cells, as indices of a reference.
std::string Forge::makePlace(const Made &value) {
  if (dice.chance(30)) {
    std::string name = "r" + value.name;
    unsigned from = static_cast<unsigned>(dice.below(rank));
    std::vector<std::pair<int64_t, int64_t>> rect;
    for (unsigned axis = from; axis < rank; ++axis) {
      int64_t low = dice.below(extents[axis]);
      rect.push_back({low, dice.between(low, extents[axis] - 1)});
    }
    if (program.regions.count(name))
      return value.name + "[*]";
    program.regions[name] = rect;
    std::vector<std::string> indices(axes.begin(), axes.begin() + from);
    indices.push_back(use("region(\"" + name + "\")", "region"));
    return value.name + "[" + join(indices) + "]";
  }
  std::vector<std::string> indices = axes;
  unsigned axis = static_cast<unsigned>(dice.below(rank));
  indices[axis] = use("0.." + std::to_string(dice.below(extents[axis] + 1)), "range of cells");
  return dice.chance(20) ? value.name + "[*]" : value.name + "[" + join(indices) + "]";
}

void Forge::makeConstraints(const Made &value) {
  static const std::vector<std::string> priorities = {"1", "1", "2", "50", "100", "1000", "hard"};
  makeNames(value, "");
  hasCells = true;
  mayDraw = false;
  for (int64_t i = 0, n = dice.below(4); i < n; ++i) {
    std::string name = "C" + value.name + std::to_string(i);
    program.switches.push_back(name);
    const std::string &priority = dice.pick(priorities);
    std::string tail = " priority " + use(priority, priority == "hard"   ? "priority hard"
                                                    : priority == "1000" ? "priority 1000"
                                                                         : "priority");
    std::string head = "constraint " + name + ":\n  ";
    // Chains may go through every value: only after the last one has its reads is it known.
    bool isLast = &value == &values.back() || !(&value + 1)->isRuled;
    if (staysInTime && rank == 3 && isLast && dice.chance(50)) {
      declare(head + use("forbid read_future(" + cell(value.name) + ")", "read_future") + tail);
      continue;
    }
    if (dice.chance(30)) {
      declare(head + use("forbid change(" + makePlace(value) + ")", "forbid change") + tail);
      continue;
    }
    if (value.cells == Cells::Token && dice.chance(40)) {
      std::string palette = "p-" + name;
      std::vector<int64_t> members;
      for (int64_t token = 0; token < value.vocabulary; ++token)
        if (dice.chance(50))
          members.push_back(token);
      program.palettes[palette] = members;
      program.vocabularies[palette] = value.vocabulary;
      declare(head + "require " + makePlace(value) + " in " +
              use("Palette(\"" + palette + "\")", "palette") + tail);
      continue;
    }
    auto &names = value.cells == Cells::Number ? numberNames : integerNames;
    names.resize(names.size() + 2,
                 value.cells == Cells::Integer ? "(candidate % 50)" : "candidate");
    declare(head + "on " + cell(value.name) + (dice.chance(20) ? " when " + axes[0] + " > 0" : "") +
            "\n  " + (dice.chance(70) ? use("require ", "require") : use("forbid ", "forbid")) +
            truth(2) + tail);
    names.resize(names.size() - 2);
  }
}

//===----------------------------------------------------------------------===//
// Agreement
//===----------------------------------------------------------------------===//

void Forge::makeSchedule(const Made &value) {
  int64_t kind = dice.below(10);
  std::string head = "schedule " + value.name + "[*] using ";
  if (kind < 2)
    declare(head + use("all", "all"));
  else if (kind < 5)
    declare(head + use("red_black", "red_black"));
  else if (kind < 6)
    declare(head + use("red_black(axes=" + std::to_string(dice.below(rank)) + ")", "axes"));
  else if (kind < 7 && rank > 1)
    declare(head + use("four_color", "four_color"));
}

void Forge::makeCommit(const Made &value) {
  bool isAny = program.declarations.back().find(":= any") != std::string::npos;
  std::string rule;
  for (const std::string &text : program.declarations)
    if (text.rfind("rule R" + value.name + ":", 0) == 0)
      rule = text;
  isAny = rule.find(":= any") != std::string::npos;
  std::string policy;
  switch (dice.below(isAny ? 4 : 5)) {
  case 0:
    policy = use("accept", "accept");
    break;
  case 1:
    policy = use("satisfy(max_constraints_then_score)", "satisfy max");
    break;
  case 2:
    policy = use("satisfy(count_constraints_then_score)", "satisfy count");
    break;
  case 3:
    policy = use("satisfy(weighted_constraints_then_score)", "satisfy weighted");
    break;
  default:
    policy = use("metropolis(temperature = " +
                     (numberParams.empty() ? "1.5" : "0.5 + abs(" + numberParams[0] + ")") + ")",
                 "metropolis");
  }
  declare("commit " + value.name + "[*] using " + policy);
}

void Forge::makeObservers() {
  const Made &value = values[static_cast<size_t>(dice.below(static_cast<int64_t>(values.size())))];
  static const std::vector<std::string> kinds = {"sum", "mean", "count", "product"};
  const std::string &kind = dice.pick(kinds);
  std::string member = cell(value.name);
  if (kind == "product" && value.cells != Cells::Number)
    member = member + " % 2"; // more cells than bits: no power of two fits
  if (kind == "count")
    member += " == " + cell(value.name);
  std::string body = kind + "(" + member + ")";
  declare(use("observe o := " + (kind == "mean" ? body + " ?? 0.0" : body), "observe"));
}

SmithProgram Forge::make() {
  makeSizes();
  makeParams();
  values.reserve(6); // others point to them
  int64_t numRuled = dice.chance(60) ? 1 : dice.between(2, 3);
  for (int64_t i = 0; i < numRuled; ++i)
    makeValue(/*isRuled=*/true, /*isCoarse=*/false);
  if (dice.chance(40))
    makeValue(/*isRuled=*/false, /*isCoarse=*/false);
  if (dice.chance(25))
    makeValue(/*isRuled=*/false, /*isCoarse=*/true);
  for (const Made &value : values) {
    if (!value.isRuled)
      continue;
    makeSights(value);
    makeRule(value);
    makeConstraints(value);
    makeSchedule(value);
    makeCommit(value);
  }
  if (dice.chance(50))
    makeObservers();
  program.epochs = dice.between(1, 3);
  return std::move(program);
}

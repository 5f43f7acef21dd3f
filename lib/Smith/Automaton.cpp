//===- Automaton.cpp - Random programs over small tokens ------------------===//
//
// Generates programs that the compiler can lower to planes of bits: expressions are restricted to
// forms with a circuit or a table, and row lengths are drawn around the thresholds of the layout.
//
//===----------------------------------------------------------------------===//

#include "Automaton.h"
#include "Classes.h"
#include "Sizes.h"
#include "Text.h"
#include "llvm/ADT/STLExtras.h"

using namespace lci;

std::string Automaton::use(const std::string &text, const std::string &construct) {
  ++program.coverage[construct];
  return text;
}

std::string Automaton::cell(const std::string &name) const { return name + "[" + join(axes) + "]"; }

//===----------------------------------------------------------------------===//
// Lattices
//===----------------------------------------------------------------------===//

/// Row lengths around thresholds; for an election, whole vectors and a remainder; for a torus,
/// mostly whole words.
int64_t Automaton::makeRow() {
  if (isElection)
    return dice.between(64, 200);
  if (isTorus && dice.chance(90))
    return 64 * dice.between(1, 4);
  return crossThreshold(dice, Measure::Row, 200);
}

/// Fewer rows where they are long.
void Automaton::makeSizes() {
  static const std::vector<std::string> axisNames = {"t", "x", "y"}, sizeNames = {"T", "W", "H"};
  int64_t mostCells = isElection ? 400 : isTorus ? 1500 : 300;
  int64_t rank = isTorus ? 2 : dice.between(1, 3);
  axes.assign(axisNames.end() - rank, axisNames.end());
  sizes.assign(sizeNames.end() - rank, sizeNames.end());
  int64_t row = makeRow();
  // With an odd number of groups that share random bits, some rows begin in the middle of a word.
  int64_t fewest = row > 64 && dice.chance(75) ? 5 - rank : 1;
  int64_t most = std::max<int64_t>(mostCells / row, fewest);
  for (int64_t axis = 0; axis + 1 < rank; ++axis)
    extents.push_back(dice.between(std::min<int64_t>(fewest, 2),
                                   std::min<int64_t>(most, rank == 2 ? (isTorus ? 24 : 12) : 3)));
  extents.push_back(row);
  for (int64_t axis = 0; axis < rank; ++axis)
    program.sizes[sizes[axis]] = extents[axis];
  noteExtents(program, extents);
  program.aim = isTorus      ? SmithProgram::Aim::Kernels
                : isElection ? SmithProgram::Aim::Any
                             : SmithProgram::Aim::Planes;
}

void Automaton::makeInput(const Lattice &value) {
  Array input(DType::I64, extents);
  for (int64_t i = 0; i < input.size(); ++i)
    input.setInt(i, dice.below(value.vocabulary));
  program.inputs[value.name] = input;
}

void Automaton::makeValue() {
  static const std::vector<int64_t> vocabularies = {2, 2, 2, 3, 4, 5, 7, 8, 12, 16, 17};
  static const std::vector<std::string> boundaries = {"wrap", "wrap", "clamp", "open"};
  Lattice value{std::string(1, static_cast<char>('A' + values.size())),
                isTorus ? 2 : dice.pick(vocabularies)};
  std::vector<std::string> its;
  for (size_t axis = 0; axis < axes.size(); ++axis)
    its.push_back(isTorus ? "wrap" : dice.pick(boundaries));
  value.isOpen = llvm::is_contained(its, "open");
  declare("value " + value.name + " : Token[" + std::to_string(value.vocabulary) + "] shape Grid(" +
          join(sizes) + ") boundary " + (its.size() > 1 ? bracket(join(its)) : its.front()) +
          (dice.chance(50) ? " init randint(" + std::to_string(value.vocabulary) + ")"
                           : " init[i" + std::string(axes.size() > 1 ? ", j" : "") +
                                 (axes.size() > 2 ? ", k" : "") + "] (i * 5 + i / 3) % " +
                                 std::to_string(value.vocabulary)));
  if (dice.chance(40))
    makeInput(value);
  values.push_back(value);
}

//===----------------------------------------------------------------------===//
// Sights
//===----------------------------------------------------------------------===//

/// The shifted indices of a neighbourhood, and the set of shifts.
std::string Automaton::makeNeighbourhood() {
  static const std::vector<std::string> planar = {
      "N4", "N8", "Diagonal", "Moore(2)", "VonNeumann(2)", "{(1,0), (0,-1)}"};
  static const std::vector<std::string> linear = {"{-1, 1}", "-1..1", "{-3, 2}", "-2..2", "{1}"};
  std::vector<std::string> moved = axes;
  moved.back() += "+dy";
  if (axes.size() == 1 || dice.chance(25))
    return "[" + join(moved) + "] when dy in " + dice.pick(linear);
  moved[moved.size() - 2] += "+dx";
  return "[" + join(moved) + "] when (dx,dy) in " + dice.pick(planar);
}

void Automaton::makeSights(const Lattice &value) {
  integers.clear();
  if (!isTorus)
    integers.push_back(axes.back() + " % 4");
  if (!isPlain)
    integers.emplace_back("epoch % 3");
  families.clear();
  tokens.clear();
  for (const Lattice &source : values) {
    declare("visible " + cell(value.name) + " <- " + cell(source.name));
    tokens.emplace_back(source.name == value.name ? "self" : cell(source.name), source.vocabulary);
    std::string label = "near" + value.name + source.name;
    declare("visible " + label + ": " + cell(value.name) + " <- " + source.name +
            makeNeighbourhood());
    families.push_back(label);
    if (dice.chance(40)) {
      std::vector<std::string> moved = axes;
      moved[static_cast<size_t>(dice.below(static_cast<int64_t>(axes.size())))] +=
          dice.chance(50) ? "-1" : "+2";
      std::string shifted = source.name + "[" + join(moved) + "]";
      declare("visible " + cell(value.name) + " <- " + shifted);
      tokens.emplace_back(source.isOpen ? bracket(shifted + " ?? 0") : shifted, source.vocabulary);
    }
  }
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

/// A small integer computed from the neighbours.
std::string Automaton::count(const Lattice &value) {
  const std::string &family = dice.pick(families);
  switch (dice.below(6)) {
  case 0:
    return "sum(" + family + ")";
  case 1:
    return "count(" + family + " == " + number(value.vocabulary) + ")";
  case 2:
    return "count(" + family + " == self)";
  case 3:
    return bracket("max(" + family + ") ?? 0");
  case 4:
    return bracket("min(" + family + ") ?? 1");
  default:
    return "count(" + family + " > " + number(value.vocabulary) + ")";
  }
}

/// A draw with a probability that is the same for all cells, or one of few.
std::string Automaton::chance() {
  const std::string &counted = dice.pick(integers);
  switch (int64_t kind = dice.below(isPlain ? 5 : 7)) {
  case 3:
    return use("bernoulli(0.06 * " + bracket(counted) + ")", "chance of few");
  case 4:
    return use(chanceByCount(counted), "chance of few");
  case 5:
    return bracket("randint(" + std::to_string(dice.between(2, 9)) + ") == 1");
  case 6:
    return bracket("uniform() < 0.125 * " + bracket(counted));
  default:
    return chanceOfAll(kind);
  }
}

std::string Automaton::comparison() {
  static const std::vector<std::string> relations = {" == ", " != ", " < ", " <= ", " > ", " >= "};
  const auto &[name, vocabulary] = dice.pick(tokens);
  const std::string &counted = dice.pick(integers);
  switch (dice.below(6)) {
  case 0:
    return bracket(name + dice.pick(relations) + number(vocabulary));
  case 1:
    return bracket(counted + dice.pick(relations) + number(6));
  case 2:
    return bracket(number(3) + " <= " + counted + " < " + std::to_string(dice.between(3, 8)));
  case 3:
    return bracket(counted + " in {" + number(3) + ", " + std::to_string(dice.between(3, 9)) + "}");
  case 4:
    return bracket(name + dice.pick(relations) + dice.pick(tokens).first);
  default:
    return bracket(counted + dice.pick(relations) + name);
  }
}

std::string Automaton::condition(int depth) {
  if (!isTorus && dice.chance(20))
    return chance();
  if (depth <= 0)
    return comparison();
  switch (dice.below(6)) {
  case 0:
    return bracket(condition(depth - 1) + " and " + condition(depth - 1));
  case 1:
    return bracket(condition(depth - 1) + " or " + condition(depth - 1));
  case 2:
    return bracket("not " + condition(depth - 1));
  case 3:
    return bracket(condition(depth - 1) + " xor " + condition(0));
  default:
    return comparison();
  }
}

/// A token of the value's vocabulary, without a conditional.
std::string Automaton::leaf(const Lattice &value) {
  std::string most = std::to_string(value.vocabulary - 1);
  const auto &[name, vocabulary] = dice.pick(tokens);
  switch (dice.below(isPlain ? 5 : 7)) {
  case 0:
    return number(value.vocabulary);
  case 1:
    return "clamp(" + dice.pick(integers) + " + " + number(4) + ", 0, " + most + ")";
  case 2:
    return "abs(" + number(value.vocabulary) + " - min(self, " + most + "))";
  case 5:
    return use(bracket("self + " + number(value.vocabulary)) + " % " +
                   std::to_string(value.vocabulary),
               "cycle of tokens");
  case 6:
    return "randint(" + std::to_string(value.vocabulary) + ")";
  default:
    return vocabulary <= value.vocabulary ? name : "min(" + name + ", " + most + ")";
  }
}

std::string Automaton::token(const Lattice &value, int depth) {
  if (depth <= 0)
    return leaf(value);
  return bracket("if " + condition(depth - 1) + " then " + token(value, depth - 2) + " else " +
                 token(value, depth - 1));
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

/// The score of a candidate, in integers and simple fractions of them.
std::string Automaton::vote() {
  auto agreeing = [&] { return "count(" + dice.pick(families) + " == candidate)"; };
  switch (dice.below(6)) {
  case 0:
    return agreeing();
  case 1:
    return "0.5 * " + agreeing() + " - 0.25 * " + agreeing();
  case 2:
    return "2 * " + agreeing() + " - 3 * (candidate == self)";
  case 3:
    return "-0.3 * " + bracket(agreeing() + " - " + dice.pick(integers));
  case 4:
    return bracket("if " + comparison() + " then 1.5 else -2.0") + " * " + agreeing();
  default:
    return bracket("candidate - " + dice.pick(integers)) + " * 0.75";
  }
}

std::string Automaton::makeEmit(const Lattice &value) {
  std::string text = "\n  emit proposal " + cell(value.name) + " := ";
  votes = isPlain && dice.chance(30);
  if (votes)
    return text + use("any", "any token of whole votes") + "\n  score " + vote();
  scores = isElection || (!isPlain && dice.chance(40));
  if (!scores)
    return text + token(value, 3);
  static const std::vector<std::string> factors = {"0.5 * ", "beta * ", "-0.25 * "};
  std::string agreeing = "count(" + dice.pick(families) + " == candidate)";
  bool isAny = isElection || dice.chance(50);
  return text + (isAny ? use("any", "any token of few") : token(value, 2)) + "\n  score " +
         dice.pick(factors) +
         (dice.chance(70) ? agreeing : bracket("candidate - " + dice.pick(integers)));
}

void Automaton::makeRule(const Lattice &value, int number) {
  std::vector<std::string> outer = integers;
  std::string name = "R" + value.name + std::to_string(number);
  program.switches.push_back(name);
  std::string text = "rule " + name + ":\n  on " + cell(value.name);
  if (!isTorus && dice.chance(25))
    text += " when " + (dice.chance(50) ? axes.back() + " > 0" : makeIndexClass(dice, axes));
  for (const char *let : {"n", "m"}) {
    text += "\n  let " + std::string(let) + " = " + count(value);
    integers.emplace_back(let);
  }
  declare(text + makeEmit(value));
  integers = outer;
}

void Automaton::makeConstraint(const Lattice &value) {
  std::string name = "C" + value.name;
  program.switches.push_back(name);
  std::string text = "constraint " + name + ":\n  on " + cell(value.name);
  switch (dice.below(3)) {
  case 0:
    text += " when " + axes.back() + " < 40\n  forbid candidate != self";
    break;
  case 1:
    text += "\n  require candidate != " + number(value.vocabulary) + " or " + comparison();
    break;
  default:
    text += "\n  forbid count(" + families.front() + " == candidate) > " + number(4);
  }
  declare(text + "\n  priority " + (dice.chance(30) ? "hard" : number(50)));
}

void Automaton::makeSchedule(const Lattice &value) {
  std::vector<std::string> kinds = {"all", "red_black", "red_black", "random(0.5)", "masked"};
  if (axes.size() > 1)
    kinds.insert(kinds.end(), {"four_color", "red_black(legalize=snapshot)"});
  if (dice.chance(70))
    declare("schedule " + value.name + "[*] using " + dice.pick(kinds));
}

void Automaton::makeCommit(const Lattice &value) {
  static const std::vector<std::string> choices = {
      "accept", "satisfy(max_constraints_then_score)", "satisfy(weighted_constraints_then_score)",
      "sample(temperature = 1.5)", "metropolis(temperature = 0.75)"};
  bool accepts = !scores && dice.chance(votes ? 40 : 70);
  const std::string &choice = votes ? choices[1] : dice.pick(choices);
  declare("commit " + value.name + "[*] using " + (accepts ? choices.front() : choice));
}

SmithProgram Automaton::make() {
  isElection = !isTorus && dice.chance(25);
  isPlain = isTorus || (!isElection && dice.chance(75));
  use("", isElection ? "election"
          : isTorus  ? "automaton on a torus"
          : isPlain  ? "automaton of circuits"
                     : "automaton");
  makeSizes();
  declare("param beta : F32");
  program.params["beta"] = Array::scalar(static_cast<double>(dice.between(0, 10)) * 0.11);
  for (int64_t i = isElection || isTorus || dice.chance(70) ? 1 : 2; i > 0; --i)
    makeValue();
  for (const Lattice &value : values) {
    makeSights(value);
    makeRule(value, 0);
    if (isTorus) {
      declare("commit " + value.name + "[*] using accept");
      continue;
    }
    if (dice.chance(20))
      makeRule(value, 1);
    if (dice.chance(25))
      makeConstraint(value);
    makeSchedule(value);
    makeCommit(value);
  }
  program.epochs = dice.between(isTorus ? 2 : 1, isElection ? 2 : 8);
  return std::move(program);
}

//===- Grids.cpp - Random programs of one rule at awkward sizes -----------===//
//
// Generates one value, its neighbourhood, rule, constraint, schedule and policy. One extent is
// drawn around a threshold of the compiler; the other extents follow from limits on the
// interpreter's work.
//
//===----------------------------------------------------------------------===//

#include "Grids.h"
#include "Classes.h"
#include "Sizes.h"
#include "Text.h"
#include "llvm/ADT/STLExtras.h"

using namespace lci;

/// The most reads of cells in all epochs together, so that the interpreter is quick. Long rows
/// leave few of them; for row lengths that need many rows, this many are taken.
static constexpr int64_t kMaxReads = 30000, kManyRows = 12;

/// With more members than that a rule has one reduction: each is code for all members.
static constexpr int64_t kMaxMembers = 60;

std::string Grids::use(const std::string &text, const std::string &construct) {
  ++program.coverage[construct];
  return text;
}

std::string Grids::cell() const { return "C[" + join(axes) + "]"; }

int64_t Grids::countCells() const {
  int64_t cells = 1;
  for (int64_t extent : extents)
    cells *= extent;
  return cells;
}

//===----------------------------------------------------------------------===//
// The lattice
//===----------------------------------------------------------------------===//

/// Mostly vocabularies that fit planes; the first that does not, and numbers.
void Grids::makeKind() {
  static const std::vector<int64_t> small = {2, 2, 2, 3, 4, 5, 7, 8};
  int64_t chosen = dice.below(100);
  kind = chosen < 14 ? Kind::Number : chosen < 20 ? Kind::Integer : Kind::Token;
  use("", kind == Kind::Number    ? "grid of numbers"
          : kind == Kind::Integer ? "grid of integers"
                                  : "grid");
  int64_t most = dice.chance(75) ? 20 : dice.chance(65) ? 300 : 65600;
  vocabulary = most == 20 && dice.chance(70)
                   ? dice.pick(small)
                   : std::max<int64_t>(2, crossThreshold(dice, Measure::Tokens, most));
  if (kind == Kind::Token)
    program.measures[Measure::Tokens].insert(vocabulary);
  isPlain = kind == Kind::Token && vocabulary <= 16 && dice.chance(85);
  if (isPlain)
    program.aim = SmithProgram::Aim::Planes;
  if (kind != Kind::Token)
    program.aim = SmithProgram::Aim::Windows;
  if (dice.chance(12))
    program.aim = SmithProgram::Aim::Kernels;
}

/// Mostly few neighbours; some families are about as large as the unrolling limit.
void Grids::makeSight() {
  static const std::vector<std::string> planar = {
      "N4", "N8", "Moore(2)", "Diagonal", "VonNeumann(2)", "{(0,1), (1,0), (-1,-1)}"};
  static const int64_t counts[] = {4, 8, 24, 4, 12, 3};
  std::vector<std::string> moved = axes;
  moved.back() += "+dy";
  bool isPlanar = axes.size() > 1 && dice.chance(75);
  if (isPlanar)
    moved[axes.size() - 2] += "+dx";
  std::string set;
  isWholeRow = dice.chance(3);
  if (isWholeRow) {
    members = 140; // at most, where a row is as long
    moved = axes;
    moved.back() = "k";
    set = "k != " + axes.back();
  } else if (isPlanar && dice.chance(90)) {
    size_t number = static_cast<size_t>(dice.below(static_cast<int64_t>(planar.size())));
    set = "(dx,dy) in " + planar[number];
    members = counts[number];
  } else {
    bool isLarge = dice.chance(isPlanar ? 100 : 35);
    members = isLarge ? crossThreshold(dice, Measure::Members, 1100) : dice.between(1, 9);
    int64_t wide = members; // a line, or a rectangle, mostly of exactly so many cells
    while (isPlanar && wide > 1 && (wide > 33 || members % wide != 0))
      --wide;
    if (members / wide > 33)
      wide = 33;
    int64_t high = members / wide;
    members = wide * high;
    auto range = [&](const std::string &name, int64_t count) {
      int64_t low = count / 2;
      return name + " in -" + std::to_string(low) + ".." + std::to_string(count - 1 - low);
    };
    set = (isPlanar ? range("dx", high) + " and " : "") + range("dy", wide);
  }
  program.measures[Measure::Members].insert(members);
  if (members > kMaxMembers) {
    policy = "accept";
    schedule = "all";
    elects = isSweep = false;
  }
  near = "C[" + join(moved) + "] when " + set;
}

/// One extent crosses a threshold; the others use up the limit of cells, or are small.
void Grids::makeSizes() {
  static const std::vector<std::string> axisNames = {"t", "x", "y"}, sizeNames = {"T", "W", "H"};
  int64_t rank = dice.chance(isPlain ? 85 : 70) ? 2 : dice.between(1, 3);
  axes.assign(axisNames.end() - rank, axisNames.end());
  sizes.assign(sizeNames.end() - rank, sizeNames.end());
  makeSight();
  int64_t most = std::max<int64_t>(kMaxReads / (members + 6) / (elects ? vocabulary : 1), 1);
  most = isSweep ? std::min<int64_t>(most, 150) : most;
  bool isLong =
      rank > 1 && !isWholeRow && dice.chance(isPlain ? 15 : 30); // many rows rather than long ones
  auto cross = [&](Measure measure, int64_t longest) {
    return crossThreshold(dice, measure, std::min(most, longest));
  };
  int64_t manyRows = std::max<int64_t>(most / kManyRows, 70);
  int64_t crossing = isLong ? cross(Measure::Rows, most)
                     : isWholeRow
                         ? cross(Measure::Members, 140)
                         : cross(Measure::Row, isPlain || dice.chance(75) ? manyRows : 3000);
  if (isPlain && !isLong && !isWholeRow) // several words
    crossing = std::max(crossing, cross(Measure::Row, manyRows));
  if (isPlain && isLong && most > mlir::lci::kStripWords && dice.chance(60)) // more than one strip
    crossing = dice.between(mlir::lci::kStripWords - 1, most);
  // Inner cells of rows that begin and end at cache lines.
  isInner = kind == Kind::Number && rank == 2 && !isLong && !isWholeRow && dice.chance(60);
  if (isInner && dice.chance(60))
    crossing = 64 * dice.between(1, 4);
  int64_t left = std::max<int64_t>(most / crossing, 1);
  extents.assign(rank, 1);
  (isLong ? extents.front() : extents.back()) = crossing;
  for (int64_t axis = isLong ? 1 : 0; axis < (isLong ? rank : rank - 1); ++axis) {
    int64_t here = std::min<int64_t>(left, isSweep ? 12 : isPlain ? 300 : 70);
    extents[axis] = dice.chance(75) ? here : dice.between(1, here);
    left = std::max<int64_t>(left / extents[axis], 1);
  }
  for (int64_t axis = 0; axis < rank; ++axis)
    program.sizes[sizes[axis]] = extents[axis];
  noteExtents(program, extents);
  program.epochs = std::clamp<int64_t>(most / countCells(), 1, dice.between(1, 9));
}

void Grids::makeValue() {
  static const std::vector<std::string> boundaries = {"wrap", "wrap", "open", "clamp"};
  std::vector<std::string> its;
  for (size_t axis = 0; axis < axes.size(); ++axis)
    its.push_back(axis > 0 && dice.chance(70) ? its.front() : dice.pick(boundaries));
  std::string tokens = std::to_string(vocabulary);
  std::string type = kind == Kind::Number    ? "F32"
                     : kind == Kind::Integer ? "I32"
                                             : "Token[" + tokens + "]";
  declare("value C : " + type + " shape Grid(" + join(sizes) + ") boundary " +
          (its.size() > 1 ? bracket(join(its)) : its.front()) + " init " +
          (kind == Kind::Number ? "normal()" : "randint(" + tokens + ")"));
  declare("visible " + cell() + " <- " + cell());
  declare("visible near: " + cell() + " <- " + near);
}

//===----------------------------------------------------------------------===//
// The rule
//===----------------------------------------------------------------------===//

/// A draw whose probability is the same for all cells, one of few, or one that an earlier draw
/// chooses. Eight random bits suffice for a probability of so few bits: mostly they do not.
std::string Grids::chance() {
  switch (int64_t kind = dice.below(isPlain ? 6 : 7)) {
  case 3:
    return "bernoulli(min(0.07 * count(near == self), 1.0))";
  case 4:
    return chanceByCount("count(near == 1)");
  case 5:
    return use("bernoulli(if bernoulli(0.4) then 0.71 else 0.13)", "second draw of a first");
  case 6:
    return bracket("uniform() < 0.25");
  default:
    return chanceOfAll(kind);
  }
}

std::string Grids::makeTokens() {
  std::string tokens = std::to_string(vocabulary), last = std::to_string(vocabulary - 1);
  if (members > kMaxMembers)
    return dice.chance(50) ? "(sum(near) + self) % " + tokens
                           : "min(count(near > 0), " + last + ")";
  std::string next = bracket("(self + 1) % " + tokens);
  switch (dice.below(isPlain ? 8 : 9)) {
  case 0:
  case 1:
  case 7:
    return "if " + chance() + " then " + next + " else self";
  case 2:
    return "if " + chance() + " then " + next + " else min(max(near) ?? 1, " + last + ")";
  case 3:
    return "clamp((max(near) ?? 0) - (if " + chance() + " then 1 else 0), 0, " + last + ")";
  case 4:
    return "min(count(near > 0), " + last + ")";
  case 5:
    return "if count(near == self) in {1, 3} then self else " + next;
  case 6:
    return "(sum(near) + self) % " + tokens;
  default:
    return "(sum(near) + randint(" + tokens + ")) % " + tokens;
  }
}

/// Results stay small, so that finite bits and not infinities are compared.
std::string Grids::makeNumbers() {
  if (kind == Kind::Integer)
    return dice.chance(50) ? "(sum(near) + 3 * self) % 1009"
                           : "(if " + chance() + " then sum(near) else self - 5) % 251";
  std::string sum = dice.chance(50) ? "sum(near)" : "(0.5 * (max(near) ?? 0.0) - beta * self)";
  std::string step = "clamp(0.5 * self + 0.125 * " + sum + ", -8.0, 8.0)";
  return dice.chance(30) ? "if " + chance() + " then " + step + " else self" : step;
}

std::string Grids::makeBody() {
  return elects ? "any" : kind == Kind::Token ? makeTokens() : makeNumbers();
}

std::string Grids::makeScore() {
  if (kind != Kind::Token)
    return dice.chance(50) ? "0.25 * (candidate - self)" : "0.5 * (self - candidate)";
  return isPlain || dice.chance(60) ? "1.0 * count(near == candidate)"
                                    : "0.3 * (count(near == candidate) - candidate)";
}

void Grids::makeRule() {
  program.switches.push_back("R");
  std::string text = "rule R:\n  on " + cell();
  if (isInner)
    text += " when 0 < x < W-1 and 0 < y < H-1";
  else if (dice.chance(20))
    text += " when " + (dice.chance(50) ? "0 < " + axes.back() + " < " + sizes.back() + "-1"
                                        : makeIndexClass(dice, axes));
  text += "\n  emit proposal " + cell() + " := " + makeBody();
  bool needsScore = policy != "accept" || schedule.rfind("confidence", 0) == 0;
  if (needsScore || (members <= kMaxMembers && dice.chance(20)))
    text += "\n  score " + makeScore();
  declare(text);
}

/// Locked cells: some of a row, in a region or by their indices; or a cell with few equal
/// neighbours.
void Grids::makeConstraint() {
  program.switches.push_back("K");
  std::string text = "constraint K:\n";
  int64_t chosen = dice.below(3), end = extents.back() - 1;
  if (chosen == 0) {
    std::vector<std::string> place = axes;
    place.back() = "region(\"g\")";
    program.regions["g"] = {{dice.between(0, end / 2), dice.between(end / 2, end)}};
    text += "  forbid change(C[" + join(place) + "])";
  } else if (chosen == 1) {
    text += "  on " + cell() + " when " + axes.back() + " < 40\n  forbid candidate != self";
  } else {
    text += "  on " + cell() + "\n  forbid count(near == candidate) > 3";
  }
  declare(text + "\n  priority " +
          (chosen == 0 || dice.chance(30) ? "hard" : std::to_string(dice.below(50))));
}

/// Sequential schedules have as many phases as cells, so they get few cells.
void Grids::makePlan() {
  static const std::vector<std::string> policies = {
      "accept", "accept", "satisfy(max_constraints_then_score)", "sample(temperature = 0.8)",
      "metropolis(temperature = 1.5)"};
  static const std::vector<std::string> plainPolicies = {
      "accept", "accept", "metropolis(temperature = 1.5)", "metropolis(temperature = 0.75)",
      "satisfy(max_constraints_then_score)"};
  static const std::vector<std::string> schedules = {
      "all",     "all",     "red_black",       "random(0.4)",
      "recolor", "recolor", "confidence(0.3)", "red_black(legalize=recolor)"};
  static const std::vector<std::string> plainSchedules = {"all", "all", "red_black", "random(0.4)"};
  policy = dice.pick(isPlain ? plainPolicies : policies);
  if (kind == Kind::Number && policy.rfind("sample", 0) == 0)
    policy = "accept";
  isSweep = !isPlain && dice.chance(8);
  bool compares = policy != "accept" && policy.rfind("metropolis", 0) != 0;
  elects = kind == Kind::Token && vocabulary <= 70 && compares && dice.chance(60);
  schedule = isSweep ? (dice.chance(50) ? "raster" : "wavefront")
                     : dice.pick(isPlain ? plainSchedules : schedules);
}

SmithProgram Grids::make() {
  makeKind();
  makePlan();
  makeSizes();
  if (axes.size() > 1 && members <= kMaxMembers && dice.chance(12))
    schedule = "four_color";
  program.measures[Measure::Phases].insert(isSweep                    ? countCells()
                                           : schedule == "four_color" ? 4
                                           : schedule == "red_black"  ? 2
                                                                      : 1);
  declare("param beta : F32");
  program.params["beta"] = Array::scalar(static_cast<double>(dice.between(0, 9)) * 0.11);
  makeValue();
  makeRule();
  if (kind == Kind::Token && members <= kMaxMembers && dice.chance(12))
    makeConstraint();
  declare("schedule C[*] using " + schedule);
  declare("commit C[*] using " + policy);
  return std::move(program);
}

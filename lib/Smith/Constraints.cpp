//===- Constraints.cpp - Random constraints -------------------------------===//
//
// Generates constraints of a value in both forms of the language: with `on` as a predicate over the
// indices and the candidate, and without as a reference to a region of cells. Adds the palettes and
// regions that they name.
//
//===----------------------------------------------------------------------===//

#include "Classes.h"
#include "Forge.h"

using namespace lci;

/// A reference to some of the cells.
std::string Forge::makePlace(const Made &value) {
  unsigned rank = frame.rank();
  std::string name = value.name; // a name of another kind
  if (rank == 0)
    return value.name;
  if (dice.chance(30) && !program.regions.count(name)) {
    unsigned from = static_cast<unsigned>(dice.below(rank));
    std::vector<std::pair<int64_t, int64_t>> rect;
    for (unsigned axis = from; axis < rank; ++axis) {
      int64_t low = dice.below(frame.extents[axis]);
      rect.push_back({low, dice.between(low, frame.extents[axis] - 1)});
    }
    program.regions[name] = rect;
    std::vector<std::string> indices(frame.axes.begin(), frame.axes.begin() + from);
    indices.push_back(use("region(\"" + name + "\")", "region"));
    return value.name + "[" + join(indices) + "]";
  }
  if (dice.chance(20))
    return value.name + "[*]";
  std::vector<std::string> indices = frame.axes;
  unsigned axis = static_cast<unsigned>(dice.below(rank));
  if (dice.chance(20))
    indices[axis] = use(std::to_string(dice.below(frame.extents[axis])), "one cell of an axis");
  else if (frame.extents[axis] > 1 && dice.chance(20))
    indices[axis] = use("1.." + frame.sizes[axis] + "-1", "range of cells to a size");
  else
    indices[axis] = use("0.." + std::to_string(dice.below(frame.extents[axis])), "range of cells");
  return value.name + "[" + join(indices) + "]";
}

std::string Forge::addPalette(const Made &value) {
  std::string palette = "p" + std::to_string(program.palettes.size());
  if (!program.palettes.count(value.name) && dice.chance(20))
    palette = use(value.name, "palette named as a value");
  std::vector<int64_t> members;
  for (int64_t token = 0; token < value.vocabulary; ++token)
    if (dice.chance(50))
      members.push_back(token);
  program.palettes[palette] = members;
  return use("Palette(\"" + palette + "\")", "palette");
}

std::string Forge::makePriority() {
  static const std::vector<std::string> priorities = {"1", "1", "2", "50", "100", "1000", "hard"};
  if (dice.chance(10))
    return use("", "no priority");
  const std::string &priority = dice.pick(priorities);
  return " priority " + use(priority, priority == "hard"   ? "priority hard"
                                      : priority == "1000" ? "priority 1000"
                                                           : "priority");
}

/// With `on`: a predicate on the candidate and the cell's reads.
void Forge::makeConstraint(const Made &value, const std::string &name) {
  auto integers = integerNames, numbers = numberNames;
  auto tokens = tokenNames;
  std::string text = "constraint " + name + ":\n  on " + cell(value.name);
  if (dice.chance(20) && frame.rank() > 0)
    text += " when " + (dice.chance(50) ? use(frame.axes[0] + " > 0", "constraint on … when")
                                        : use(makeIndexClass(dice, frame.axes),
                                              "constraint on a class of cells"));
  if (dice.chance(20)) {
    text += use("\n  let m = " + integer(1), "let of a constraint");
    integerNames.push_back("m");
  }
  auto &names = value.cells == Cells::Number ? numberNames : integerNames;
  names.resize(names.size() + 2, value.cells == Cells::Integer ? "(candidate % 50)" : "candidate");
  if (value.cells == Cells::Token)
    tokenNames.push_back({"candidate", &value});
  text += "\n  " + (dice.chance(70) ? use("require ", "require") : use("forbid ", "forbid"));
  if (dice.chance(20))
    text += use("change(" + cell(value.name) + ")", "change of the cell") + " or ";
  text += truth(2);
  declare(text + makePriority());
  integerNames = integers;
  numberNames = numbers;
  tokenNames = tokens;
}

void Forge::makeConstraints(const Made &value) {
  makeNames();
  hasCells = true;
  mayDraw = false;
  for (int64_t i = 0, n = dice.below(4); i < n; ++i) {
    std::string name = "C" + value.name + std::to_string(i);
    program.switches.push_back(name);
    std::string head = "constraint " + name + ":\n  ";
    // Chains may go through every value: only the last one knows all reads.
    bool isLast = &value == &values.back() || !(&value + 1)->isRuled;
    bool maySeeAhead = !staysInTime || frame.rank() != 3 || !isLast;
    if (!maySeeAhead && dice.chance(50))
      declare(head + use("forbid read_future(" + cell(value.name) + ")", "read_future") +
              makePriority());
    else if (dice.chance(30))
      declare(head + use("forbid change(" + makePlace(value) + ")", "forbid change") +
              makePriority());
    else if (value.cells == Cells::Token && dice.chance(40))
      declare(head + "require " + makePlace(value) + " in " + addPalette(value) + makePriority());
    else
      makeConstraint(value, name);
  }
}

//===- Classes.cpp - Random programs about classes of cells ---------------===//
//
// Generates conditions that are functions of the indices alone (bounds, and remainders and
// quotients of sums of indices), which the compiler uses to split the index space.
//
//===----------------------------------------------------------------------===//

#include "Classes.h"
#include "Sizes.h"
#include "Text.h"

using namespace lci;

/// A sum of multiples of one index or two.
static std::string makeSum(Dice &dice, const std::vector<std::string> &axes) {
  auto term = [&] {
    int64_t factor = dice.chance(70) ? 1 : dice.between(2, 5);
    return (factor == 1 ? "" : std::to_string(factor) + " * ") + dice.pick(axes);
  };
  std::string sum = term();
  if (dice.chance(15))
    sum += " + " + term();
  if (dice.chance(15))
    sum += " + " + std::to_string(dice.below(200));
  return "(" + sum + ")";
}

static std::string makeRemainder(Dice &dice, const std::vector<std::string> &axes) {
  static const std::vector<std::string> relations = {"<", "!=", ">=", "=="};
  std::string sum = makeSum(dice, axes);
  if (dice.chance(15))
    sum += " / " + std::to_string(dice.between(2, 40));
  int64_t divisor = dice.between(2, 9);
  return sum + " % " + std::to_string(divisor) + " " + dice.pick(relations) + " " +
         std::to_string(dice.between(1, divisor - 1));
}

std::string lci::makeIndexClass(Dice &dice, const std::vector<std::string> &axes) {
  std::string cells = makeRemainder(dice, axes);
  if (dice.chance(30))
    cells += (dice.chance(50) ? " and " : " or ") + makeRemainder(dice, axes);
  static const std::vector<int64_t> bounds = {1, 30, 64, 127, 130, 200, 255};
  if (dice.chance(40))
    cells = dice.pick(axes) + " > " + std::to_string(dice.pick(bounds)) + " and (" + cells + ")";
  return cells;
}

std::string Classes::cell() const { return "A[" + join(axes) + "]"; }

/// Mostly a row beyond the range of eight bits, at times of sixteen.
void Classes::makeSizes() {
  bool isLong = dice.chance(8), isLine = isLong || dice.chance(50);
  axes = isLine ? std::vector<std::string>{"y"} : std::vector<std::string>{"x", "y"};
  sizes = isLine ? std::vector<std::string>{"H"} : std::vector<std::string>{"W", "H"};
  std::vector<int64_t> extents;
  if (!isLine)
    extents.push_back(dice.between(1, 6));
  static const std::vector<int64_t> edges = {32768, 65536};
  extents.push_back(isLong            ? dice.pick(edges) + dice.between(-3, 300)
                    : dice.chance(70) ? dice.between(130, 256)
                                      : dice.between(100, 300));
  for (size_t axis = 0; axis < axes.size(); ++axis)
    program.sizes[sizes[axis]] = extents[axis];
  noteExtents(program, extents);
}

void Classes::makeValue() {
  static const std::vector<std::string> boundaries = {"wrap", "clamp", "open"};
  int64_t kind = dice.below(4), vocabulary = dice.between(2, 9);
  std::string tokens = std::to_string(vocabulary);
  std::string type = kind == 0 ? "F32" : kind == 1 ? "I32" : "Token[" + tokens + "]";
  step = kind == 0 ? " + 0.25)" : kind == 1 ? " + 3) % 1009" : " + 1) % " + tokens;
  std::string init = kind == 0 ? "normal()" : "randint(" + tokens + ")";
  declare("value A : " + type + " shape Grid(" + join(sizes) + ") boundary " +
          dice.pick(boundaries) + " init " + init);
  declare("visible " + cell() + " <- " + cell());
  std::string offset = axes.size() == 1 ? "A[y+d]" : "A[x, y+d]";
  declare("visible near: " + cell() + " <- " + offset + " when d in -1..1" +
          (dice.chance(50) ? " and (" + makeIndexClass(dice, axes) + ")" : ""));
}

void Classes::makeRule(int number) {
  std::string name = "R" + std::to_string(number);
  program.switches.push_back(name);
  std::string read = dice.chance(50) ? "self" : "sum(near)";
  declare("rule " + name + ":\n  on " + cell() + when() + "\n  emit proposal " + cell() + " := (" +
          read + step);
}

void Classes::makeConstraint() {
  program.switches.push_back("K");
  declare("constraint K:\n  on " + cell() + when() +
          (dice.chance(50) ? "\n  forbid candidate != self" : "\n  require sum(near) < 9") +
          "\n  priority " + (dice.chance(50) ? "hard" : "1"));
}

SmithProgram Classes::make() {
  ++program.coverage["classes"];
  makeSizes();
  makeValue();
  for (int64_t number = dice.between(1, 3); number > 0; --number)
    makeRule(static_cast<int>(number));
  if (dice.chance(30))
    makeConstraint();
  if (dice.chance(30))
    declare("schedule A[*] using red_black(legalize=snapshot)");
  declare("commit A[*] using accept");
  declare("observe o := count(" + cell() + " == " + cell() + when() + ")");
  program.epochs = dice.between(1, 3);
  return std::move(program);
}

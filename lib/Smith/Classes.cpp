//===- Classes.cpp - Conditions on indices ----------------------------------===//

#include "Classes.h"

using namespace lci;

/// A sum of multiples of one index or two.
static std::string makeSum(Dice &dice, const std::vector<std::string> &axes) {
  auto term = [&] {
    int64_t factor = dice.chance(50) ? 1 : dice.between(2, 5);
    return (factor == 1 ? "" : std::to_string(factor) + " * ") + dice.pick(axes);
  };
  std::string sum = term();
  if (dice.chance(30))
    sum += " + " + term();
  if (dice.chance(30))
    sum += " + " + std::to_string(dice.below(200));
  return "(" + sum + ")";
}

static std::string makeRemainder(Dice &dice, const std::vector<std::string> &axes) {
  static const std::vector<std::string> relations = {"<", "!=", ">=", "=="};
  std::string sum = makeSum(dice, axes);
  if (dice.chance(30))
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

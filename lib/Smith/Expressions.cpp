//===- Expressions.cpp - Random expressions of one type -------------------===//
//
// Integers stay small, by construction: every product is reduced by a remainder and every operand
// of a bit operation by a mask, so that interval analysis proves that 64 bits hold them.
//
//===----------------------------------------------------------------------===//

#include "Forge.h"

using namespace lci;

std::string Forge::literal(bool isNumber) {
  if (!isNumber)
    return std::to_string(dice.below(6));
  static const std::vector<std::string> numbers = {"0.0",  "0.25",  "0.5", "1.0",   "1.5",
                                                   "2.75", "0.125", "3.0", "(-0.0)"};
  return dice.chance(5) ? use("pi", "pi") : dice.pick(numbers);
}

std::string Forge::draw(bool asNumber) {
  if (asNumber)
    return dice.chance(50) ? use("uniform()", "uniform") : use("normal()", "normal");
  if (dice.chance(50))
    return use("randint(" + std::to_string(dice.between(1, 9)) + ")", "randint");
  return bracket("if " + use("bernoulli(0.375)", "bernoulli") + " then 1 else 0");
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

std::string Forge::integerLeaf() {
  std::vector<std::string> leaves = {literal(false)};
  leaves.insert(leaves.end(), integerNames.begin(), integerNames.end());
  if (const Sight *sight = findSight(false, false)) {
    std::string asked = dice.chance(10) ? use(sight->spelling + "?", "?") : sight->spelling;
    std::string read =
        sight->mayBeAbsent ? bracket(asked + " ?? " + literal(false)) : sight->spelling;
    if (sight->source->cells == Cells::Integer)
      read = bracket(read + " % 100");
    leaves.push_back(read);
    leaves.push_back(read);
  }
  return dice.pick(leaves);
}

/// Bits, shifts and functions of an integer.
std::string Forge::integerFunction(int depth, const std::string &a) {
  std::string masked = bracket(a + " & 255");
  switch (dice.below(10)) {
  case 0:
    return use(bracket(bracket(a + " >> 1") + " & 15"), ">>");
  case 1:
    return use(bracket(bracket(a + " & 31") + " << " + std::to_string(dice.below(4))), "<<");
  case 2:
    return use(bracket("~" + masked), "~");
  case 3:
    return use(bracket(masked + (dice.chance(50) ? " xor " : " | ") +
                       bracket(integer(depth - 1) + " & 255")),
               "bits");
  case 4:
    return use(bracket(bracket(a + " % 16") + " ^ 2"), "^");
  case 5:
    return use(dice.chance(50) ? "min(" + a + ", " + integer(depth - 1) + ", 40)"
                               : "max(" + a + ", " + integer(depth - 1) + ")",
               "pointwise");
  case 6:
    return dice.chance(50) ? use("abs(" + a + ")", "abs") : use("relu(" + a + ")", "relu");
  case 7:
    return use("popcount" + masked, "popcount");
  case 8:
    return use("clamp(" + a + ", -3, 9)", "clamp of integers");
  default:
    return use("(-" + a + ")", "unary");
  }
}

std::string Forge::integer(int depth) {
  if (depth <= 0 || dice.chance(15))
    return integerLeaf();
  std::string a = integer(depth - 1);
  // A divisor, one of six of which is computed and may be anything from 1 to 8.
  auto divisor = [&] {
    int64_t small = dice.between(2, 7);
    std::string any = tableParam.empty() ? a : tableParam + "[" + a + " % 3, 0]";
    return small < 7 ? std::to_string(small) : use("max(" + any + " % 9, 1)", "computed divisor");
  };
  switch (dice.below(15)) {
  case 0:
    return use(bracket(a + " + " + integer(depth - 1)), "+");
  case 1:
    return use(bracket(a + " - " + integer(depth - 1)), "-");
  case 2:
    return use(bracket(bracket(a + " % 50") + " * " + bracket(integer(depth - 1) + " % 97")), "*");
  case 3:
    return use(bracket(a + " / " + divisor()), "/");
  case 4:
    return use(bracket(a + " % " + divisor()), "%");
  case 5:
    return bracket("if " + truth(depth - 1) + " then " + a + " else " + integer(depth - 1));
  case 6:
    return mayDraw ? draw(false) : a;
  case 7:
    return use(bracket(a + " + " + truth(depth - 1)), "truth as integer");
  case 8:
    return tableParam.empty()
               ? a
               : use(bracket(tableParam + "[" + a + " % 3, " + integer(0) + " % 2] % 100"),
                     "integer array");
  case 9:
  case 10:
  case 11:
    return integerReduction(depth);
  default:
    return integerFunction(depth, a);
  }
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

std::string Forge::numberLeaf() {
  std::vector<std::string> leaves = {literal(true)};
  leaves.insert(leaves.end(), numberNames.begin(), numberNames.end());
  leaves.insert(leaves.end(), numberParams.begin(), numberParams.end());
  if (const Sight *sight = findSight(false, true)) {
    std::string read = sight->mayBeAbsent ? bracket(sight->spelling + " ?? 0.5") : sight->spelling;
    leaves.push_back(read);
    leaves.push_back(read);
  }
  return dice.pick(leaves);
}

std::string Forge::numberFunction(int depth) {
  static const std::vector<std::string> unary = {
      "exp", "exp2", "log",  "log2", "sin",   "cos",  "tan",   "tanh", "sigmoid",
      "erf", "atan", "sqrt", "abs",  "rsqrt", "relu", "floor", "ceil", "round"};
  std::string x = number(depth - 1);
  switch (dice.below(8)) {
  case 0:
    return use("pow(abs(" + x + "), " + literal(true) + ")", "pow");
  case 1:
    return use("atan2(" + x + ", " + number(0) + ")", "atan2");
  case 2:
    return use("clamp(" + x + ", -1.5, 2.0)", "clamp");
  default:
    const std::string &name = dice.pick(unary);
    return use(name + bracket(x), name);
  }
}

std::string Forge::number(int depth) {
  if (depth <= 0 || dice.chance(15))
    return numberLeaf();
  std::string a = number(depth - 1);
  switch (dice.below(14)) {
  case 0:
    return bracket(a + " + " + number(depth - 1));
  case 1:
    return bracket(a + " - " + number(depth - 1));
  case 2:
    return bracket(a + " * " + number(depth - 1));
  case 3:
    return use(bracket(a + " / " + number(depth - 1)), "float /");
  case 4:
    return use(bracket(a + " * " + bracket(integer(depth - 1) + " % 50")), "integer to number");
  case 5:
    return bracket("if " + truth(depth - 1) + " then " + a + " else " + number(depth - 1));
  case 6:
    return bracket(a + " ^ " + std::to_string(dice.below(4)));
  case 7:
    return mayDraw ? draw(true) : "min(" + a + ", " + literal(true) + ")";
  case 8:
    if (!arrayParam.empty())
      return use(arrayParam + "[" + integer(depth - 1) + " % 4]", "array parameter");
    return "max(" + a + ", " + literal(true) + ")";
  case 9:
  case 11:
  case 12:
    return numberFunction(depth);
  case 10:
    return use(bracket("-" + a), "unary");
  default:
    return numberReduction(depth);
  }
}

//===----------------------------------------------------------------------===//
// Truth values
//===----------------------------------------------------------------------===//

/// A number in a set, or a token in a palette.
std::string Forge::membership() {
  if (!tokenNames.empty() && dice.chance(50)) {
    const auto &[name, source] = dice.pick(tokenNames);
    return use(bracket(name + " in " + addPalette(*source)), "palette of a name");
  }
  static const std::vector<std::pair<std::string, std::string>> sets = {
      {"1..3", "in range"}, {"{0, 2, 5}", "in set"}, {"{1} | (3..4)", "in union"}};
  const auto &[set, construct] = dice.pick(sets);
  return use(bracket(integer(0) + " in " + set), construct);
}

std::string Forge::truth(int depth) {
  static const std::vector<std::string> relations = {" == ", " != ", " < ", " <= ", " > ", " >= "};
  if (depth <= 0 || dice.chance(40)) {
    if (!truthNames.empty() && dice.chance(30))
      return dice.pick(truthNames);
    return bracket(dice.chance(70) ? integer(depth - 1) + dice.pick(relations) + integer(0)
                                   : number(depth - 1) + dice.pick(relations) + number(0));
  }
  std::string a = truth(depth - 1);
  switch (dice.below(8)) {
  case 0:
    return use(bracket(a + " and " + truth(depth - 1)), "and");
  case 1:
    return use(bracket(a + " or " + truth(depth - 1)), "or");
  case 2:
    return use(bracket("not " + a), "not");
  case 3:
    return use(bracket("0 <= " + integer(0) + " < " + std::to_string(dice.between(1, 5))), "chain");
  case 4:
    return use(bracket(a + " xor " + truth(0)), "truth xor");
  case 5:
    return use(bracket("(" + integer(0) + ", " + integer(0) + ") " +
                       (dice.chance(50) ? "==" : "!=") + " (1, " + integer(0) + ")"),
               "tuple");
  case 6:
    return membership();
  default:
    return mayDraw ? use("bernoulli(sigmoid(" + number(depth - 1) + "))", "bernoulli") : a;
  }
}

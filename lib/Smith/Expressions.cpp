//===- Expressions.cpp - Random expressions of one type ---------------------===//
//
// Integers stay small: every product is cut back by a remainder, so that no program is refused for
// what 64 bits cannot hold.
//
//===----------------------------------------------------------------------===//

#include "Forge.h"

using namespace lci;

static std::string bracket(const std::string &text) { return "(" + text + ")"; }

std::string Forge::literal(bool isNumber) {
  if (!isNumber)
    return std::to_string(dice.below(6));
  static const std::vector<std::string> numbers = {"0.0", "0.25", "0.5",   "1.0",
                                                   "1.5", "2.75", "0.125", "3.0"};
  return dice.pick(numbers);
}

const Sight *Forge::findSight(bool isFamily, bool isNumber) {
  std::vector<const Sight *> fitting;
  for (const Sight &sight : sights)
    if (sight.isFamily == isFamily && (sight.source->cells == Cells::Number) == isNumber)
      fitting.push_back(&sight);
  return fitting.empty() || !hasCells ? nullptr : dice.pick(fitting);
}

/// The body of a reduction over a family, and its `when`.
std::string Forge::memberOf(const Sight &sight) const {
  return sight.source->cells == Cells::Integer ? bracket(sight.spelling + " % 100")
                                               : sight.spelling;
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

std::string Forge::integerReduction(int depth) {
  const Sight *sight = findSight(true, dice.chance(30));
  if (!sight || reductions > 0)
    return literal(false);
  bool isNumber = sight->source->cells == Cells::Number;
  std::string member = memberOf(*sight), when = sight->when;
  ++reductions;
  std::string other = isNumber ? number(0) : integer(0);
  --reductions;
  auto wrap = [&](const char *name, const std::string &body) {
    return use(name + bracket(body + when), name);
  };
  switch (dice.below(isNumber ? 4 : 9)) {
  case 0:
    return wrap("count", member + (dice.chance(50) ? " == " : " < ") + other);
  case 1:
    return bracket(wrap("argmin", member) + " ?? 0");
  case 2:
    return bracket(wrap("argmax", member) + " ?? 0");
  case 3:
    return bracket("if " + wrap(dice.chance(50) ? "any" : "all", member + " > " + other) +
                   " then 1 else " + std::to_string(dice.below(3)));
  case 4:
    return bracket(wrap("min", member) + " ?? " + literal(false));
  case 5:
    return bracket(wrap("max", member) + " ?? " + literal(false));
  case 6:
    return bracket(wrap("product", bracket(member) + " % 3 + 1") + " % 1000");
  case 7:
    return mayDraw && depth > 0
               ? use(wrap("sum", "if bernoulli(0.5) then " + member + " else 1"), "member draw")
               : wrap("count", member);
  default:
    return wrap("sum", member);
  }
}

std::string Forge::integer(int depth) {
  if (depth <= 0 || dice.chance(15)) {
    std::vector<std::string> leaves = {literal(false)};
    leaves.insert(leaves.end(), integerNames.begin(), integerNames.end());
    if (const Sight *sight = findSight(false, false)) {
      std::string read =
          sight->mayBeAbsent ? bracket(sight->spelling + " ?? " + literal(false)) : sight->spelling;
      if (sight->source->cells == Cells::Integer)
        read = bracket(read + " % 100");
      leaves.push_back(read);
      leaves.push_back(read);
    }
    return dice.pick(leaves);
  }
  std::string a = integer(depth - 1);
  auto small = [&] { return std::to_string(dice.between(2, 7)); };
  switch (dice.below(14)) {
  case 0:
    return use(bracket(a + " + " + integer(depth - 1)), "+");
  case 1:
    return use(bracket(a + " - " + integer(depth - 1)), "-");
  case 2:
    return use(bracket(bracket(a + " % 50") + " * " + bracket(integer(depth - 1) + " % 97")), "*");
  case 3:
    return use(bracket(a + " / " + small()), "/");
  case 4:
    return use(bracket(a + " % " + small()), "%");
  case 5:
    return use(bracket(bracket(a + " >> 1") + " & 15"), ">>");
  case 6:
    return use(bracket(bracket(a + " % 16") + " ^ 2"), "^");
  case 7:
    return bracket("if " + truth(depth - 1) + " then " + a + " else " + integer(depth - 1));
  case 8:
    return use(dice.chance(50) ? "min(" + a + ", " + integer(depth - 1) + ")"
                               : "max(" + a + ", " + integer(depth - 1) + ")",
               "pointwise");
  case 9:
    return dice.chance(50) ? use("abs(" + a + ")", "abs") : use("relu(" + a + ")", "relu");
  case 10:
    return use("popcount" + bracket(a + " & 255"), "popcount");
  case 11:
    return mayDraw && reductions == 0 ? draw(false) : use("(-" + a + ")", "unary");
  case 12:
    return use(bracket(a + (dice.chance(50) ? " xor " : " | ") + integer(depth - 1)), "bits");
  default:
    return integerReduction(depth);
  }
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

std::string Forge::numberReduction(int depth) {
  const Sight *sight = findSight(true, dice.chance(70));
  if (!sight || reductions > 0)
    return literal(true);
  bool isNumber = sight->source->cells == Cells::Number;
  std::string member = memberOf(*sight), when = sight->when;
  auto wrap = [&](const char *name, const std::string &body) {
    return use(name + bracket(body + when), name);
  };
  switch (dice.below(isNumber ? 6 : 2)) {
  case 0:
    return bracket(wrap("mean", member) + " ?? " + literal(true));
  case 1:
    return wrap("sum", member + " * " + literal(true));
  case 2:
    return bracket(wrap("min", member) + " ?? " + literal(true));
  case 3:
    return bracket(wrap("max", member + " - " + literal(true)) + " ?? 1.0");
  case 4:
    return wrap("product", member);
  default:
    return wrap("sum", mayDraw && depth > 0 && dice.chance(30)
                           ? use("uniform() * " + member, "member draw")
                           : member);
  }
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
    return use(name + bracket(x), name.c_str());
  }
}

std::string Forge::number(int depth) {
  if (depth <= 0 || dice.chance(15)) {
    std::vector<std::string> leaves = {literal(true)};
    leaves.insert(leaves.end(), numberNames.begin(), numberNames.end());
    leaves.insert(leaves.end(), numberParams.begin(), numberParams.end());
    if (const Sight *sight = findSight(false, true)) {
      std::string read =
          sight->mayBeAbsent ? bracket(sight->spelling + " ?? 0.5") : sight->spelling;
      leaves.push_back(read);
      leaves.push_back(read);
    }
    return dice.pick(leaves);
  }
  std::string a = number(depth - 1);
  switch (dice.below(11)) {
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
    return mayDraw && reductions == 0 ? draw(true) : "min(" + a + ", " + literal(true) + ")";
  case 8:
    if (!arrayParam.empty())
      return use(arrayParam + "[" + integer(depth - 1) + " % 4]", "array parameter");
    return "max(" + a + ", " + literal(true) + ")";
  case 9:
    return numberFunction(depth);
  default:
    return numberReduction(depth);
  }
}

//===----------------------------------------------------------------------===//
// Truth values
//===----------------------------------------------------------------------===//

std::string Forge::truth(int depth) {
  static const std::vector<std::string> relations = {" == ", " != ", " < ", " <= ", " > ", " >= "};
  if (depth <= 0 || dice.chance(40))
    return bracket(dice.chance(70) ? integer(depth - 1) + dice.pick(relations) + integer(0)
                                   : number(depth - 1) + dice.pick(relations) + number(0));
  std::string a = truth(depth - 1);
  switch (dice.below(6)) {
  case 0:
    return use(bracket(a + " and " + truth(depth - 1)), "and");
  case 1:
    return use(bracket(a + " or " + truth(depth - 1)), "or");
  case 2:
    return use(bracket("not " + a), "not");
  case 3:
    return use(bracket("0 <= " + integer(0) + " < " + std::to_string(dice.between(1, 5))), "chain");
  case 4:
    return use(bracket(integer(0) + " in 1..3"), "in range");
  default:
    return mayDraw && reductions == 0
               ? use("bernoulli(sigmoid(" + number(depth - 1) + "))", "bernoulli")
               : a;
  }
}

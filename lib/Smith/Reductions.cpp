//===- Reductions.cpp - Random reductions over families -------------------===//
//
// Generates reductions over the families in sight and over array parameters, with conditions on
// their members and reductions nested in each other, up to a bound on the visited members.
//
//===----------------------------------------------------------------------===//

#include "Forge.h"

using namespace lci;

const Sight *Forge::findSight(bool isFamily, bool isNumber) {
  std::vector<const Sight *> fitting;
  for (const Sight &sight : sights)
    if (sight.isFamily == isFamily && (sight.source->cells == Cells::Number) == isNumber)
      fitting.push_back(&sight);
  return fitting.empty() || !hasCells ? nullptr : dice.pick(fitting);
}

/// The body of a reduction over a family.
std::string Forge::memberOf(const Sight &sight) const {
  return sight.source->cells == Cells::Integer ? bracket(sight.spelling + " % 100")
                                               : sight.spelling;
}

/// The clause behind the body: the range of free names, and a condition on the member.
std::string Forge::whenOf(const Sight &sight, const std::string &member) {
  if (!dice.chance(15))
    return sight.when;
  std::string condition = member + (sight.source->cells == Cells::Number ? " > 0.25" : " != 1");
  return sight.when + use(sight.when.empty() ? " when " : " and ", "when of members") + condition;
}

/// A reduction over the elements of an array parameter.
std::string Forge::parameterReduction(bool asNumber) {
  if (asNumber && !arrayParam.empty())
    return dice.chance(50) ? use("sum(" + arrayParam + ")", "reduced parameter")
                           : use("(max(" + arrayParam + "[k]) ?? 0.0)", "reduced elements");
  if (!asNumber && !tableParam.empty() && dice.chance(30)) {
    bool drew = mayDraw;
    mayDraw = false; // a draw must not decide the number of members
    std::string last = integerLeaf();
    mayDraw = drew;
    return use("sum(" + tableParam + "[k, 1] % 50 when k in 0.." + bracket(last) + " % 3)",
               "limited range");
  }
  if (!asNumber && !tableParam.empty())
    return dice.chance(50)
               ? use("(argmax(" + tableParam + ") ?? 0)", "reduced parameter")
               : use("sum(" + tableParam + "[k, 1] % 50 when k in 1..2)", "reduced elements");
  return literal(asNumber);
}

/// The operand that a member is compared with, which may be a nested reduction.
std::string Forge::comparedWith(const Sight &sight) {
  ++reductions;
  bool drew = mayDraw;
  int64_t around = visited;
  visited *= std::max<int64_t>(sight.members, 1);
  mayDraw = mayDraw && dice.chance(85);
  // A free name of the family must not be free in a nested reduction as well.
  bool nests = sight.when.empty() && (reductions < 2 || visited <= 100) && reductions < 4 &&
               dice.chance(reductions < 2 ? 30 : 60);
  if (nests)
    use("", reductions < 2 ? "nested reduction" : "reductions nested three deep");
  int level = nests ? 2 : 0;
  bool isNumber = sight.source->cells == Cells::Number;
  std::string other = nests && reductions > 1 ? integerReduction(1)
                      : isNumber              ? number(level)
                                              : integer(level);
  --reductions;
  visited = around;
  mayDraw = drew;
  return other;
}

std::string Forge::integerReduction(int depth) {
  if (dice.chance(10))
    return parameterReduction(/*asNumber=*/false);
  const Sight *sight = findSight(true, dice.chance(30));
  if (!sight || reductions > 3)
    return literal(false);
  bool isNumber = sight->source->cells == Cells::Number;
  std::string member = memberOf(*sight), when = whenOf(*sight, member);
  // NaNs are unordered: the first member is then not as good as any other.
  std::string ranked =
      isNumber && dice.chance(40) ? use("log" + bracket(member), "ranked NaN") : member;
  bool drew = mayDraw;
  std::string other = comparedWith(*sight);
  auto wrap = [&](const char *name, const std::string &body) {
    return use(name + bracket(body + when), name);
  };
  std::string reduced;
  bool isDeep = reductions > 1 && mayDraw && !isNumber;
  switch (isDeep && dice.chance(60) ? 7 : dice.below(isNumber ? 4 : 10)) {
  case 0:
    reduced = wrap("count", member + (dice.chance(50) ? " == " : " < ") + other);
    break;
  case 1:
    reduced = bracket(wrap("argmin", ranked) + " ?? 0");
    break;
  case 2:
    reduced = bracket(wrap("argmax", ranked) + " ?? 0");
    break;
  case 3:
    reduced = bracket("if " + wrap(dice.chance(50) ? "any" : "all", member + " > " + other) +
                      " then 1 else " + std::to_string(dice.below(3)));
    break;
  case 4:
    reduced = bracket(wrap("min", member) + " ?? " + literal(false));
    break;
  case 5:
    reduced = bracket(wrap("max", member) + " ?? " + literal(false));
    break;
  case 6:
    // Three to the power of 39 is the last that 64 bits hold.
    reduced = sight->members > 39
                  ? wrap("count", member)
                  : bracket(wrap("product", bracket(member) + " % 3 + 1") + " % 1000");
    break;
  case 7:
    reduced = mayDraw && depth > 0
                  ? use(wrap("sum", "if bernoulli(0.5) then " + member + " else 1"),
                        reductions < 2 ? "member draw" : "draw in three reductions")
                  : wrap("count", member);
    break;
  case 8:
    reduced = bracket(wrap("sum", "abs(" + member + " - " + bracket(other) + " % 90)") + " % 1000");
    break;
  default:
    reduced = wrap("sum", member);
  }
  mayDraw = drew;
  return reduced;
}

std::string Forge::numberReduction(int depth) {
  if (dice.chance(10))
    return parameterReduction(/*asNumber=*/true);
  const Sight *sight = findSight(true, dice.chance(70));
  if (!sight || reductions > 3)
    return literal(true);
  bool isNumber = sight->source->cells == Cells::Number;
  std::string member = memberOf(*sight), when = whenOf(*sight, member);
  auto wrap = [&](const char *name, const std::string &body) {
    return use(name + bracket(body + when), name);
  };
  // Only the angle distinguishes a sum of negative zeros from zero.
  if (dice.chance(8))
    return use("atan2(" + wrap("sum", "abs(" + member + ") * (-0.0)") + ", -1.0)", "signed zero");
  bool draws = mayDraw && depth > 0;
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
    return wrap("sum", draws && dice.chance(30)
                           ? use("uniform() * " + member,
                                 reductions < 2 ? "member draw" : "draw in three reductions")
                           : member);
  }
}

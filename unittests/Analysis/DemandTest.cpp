//===- DemandTest.cpp - Demand of divisors, cell by cell ------------------===//
//
// A division whose divisor is a form of the index and of two cells, in one branch of a select, in a
// rule with conditions. The truth: whether some cell the rule applies to, with some tokens in the
// cells, takes that branch with a divisor of zero.
//
//===----------------------------------------------------------------------===//

#include "LCI/Analysis/Demand.h"
#include "RandomRelations.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::test;

namespace {

constexpr int64_t kTokens = 3;

/// `index · x + here · A[x] + next · A[x+1] + constant`, or its remainder.
struct RandomForm {
  int64_t index, here, next, constant, modulus;

  explicit RandomForm(RandomRelations &random)
      : index(random.pick(-1, 2)), here(random.maybe(50) ? random.pick(-1, 1) : 0),
        next(random.maybe(30) ? random.pick(-1, 1) : 0), constant(random.pick(-4, 4)),
        modulus(random.maybe(20) ? random.pick(2, 3) : 0) {}

  int64_t at(int64_t x, int64_t a, int64_t b) const {
    int64_t value = index * x + here * a + next * b + constant;
    return modulus ? value - floorOf(value, modulus) * modulus : value;
  }

  /// Emits its reads of the cells, so that one read occurs several times.
  std::string print(const std::string &name) const {
    std::string text, sum = "%" + name + "k";
    text += sum + " = arith.constant " + std::to_string(constant) + " : i64\n";
    auto add = [&](const std::string &term, int64_t factor, const std::string &number) {
      std::string part = "%" + name + term;
      text += part + "f = arith.constant " + std::to_string(factor) + " : i64\n" + part +
              "p = arith.muli " + number + ", " + part + "f : i64\n" + part + " = arith.addi " +
              sum + ", " + part + "p : i64\n";
      sum = part;
    };
    auto read = [&](const std::string &cell, const std::string &map) {
      text += "%" + name + cell + "v, %" + name + cell + "q = lci.read @A[affine_map<(x) -> (" +
              map + ")>](%x) : i64\n";
      return "%" + name + cell + "v";
    };
    if (index)
      add("i", index, "%i");
    if (here)
      add("h", here, read("h", "x"));
    if (next)
      add("n", next, read("n", "x + 1"));
    if (modulus) {
      text += "%" + name + "m = arith.constant " + std::to_string(modulus) + " : i64\n";
      text += "%" + name + " = lci.floormod " + sum + ", %" + name + "m : i64\n";
      return text;
    }
    return text + "%" + name + "z = arith.constant 0 : i64\n%" + name + " = arith.addi " + sum +
           ", %" + name + "z : i64\n";
  }
};

/// Two comparisons, combined.
struct RandomGuard {
  RandomForm left, right;
  bool isAnd, isEqual;

  explicit RandomGuard(RandomRelations &random)
      : left(random), right(random), isAnd(random.maybe(50)), isEqual(random.maybe(50)) {}

  bool holds(int64_t x, int64_t a, int64_t b) const {
    bool one = isEqual ? left.at(x, a, b) == 0 : left.at(x, a, b) != 0;
    bool other = right.at(x, a, b) > 0;
    return isAnd ? one && other : one || other;
  }

  std::string print(const std::string &name) const {
    return left.print(name + "l") + right.print(name + "r") + "%" + name +
           "o = arith.constant 0 : i64\n%" + name + "a = arith.cmpi " + (isEqual ? "eq" : "ne") +
           ", %" + name + "l, %" + name + "o : i64\n%" + name + "b = arith.cmpi sgt, %" + name +
           "r, %" + name + "o : i64\n%" + name + " = arith." + (isAnd ? "andi" : "ori") + " %" +
           name + "a, %" + name + "b : i1\n";
  }
};

struct Trial {
  int64_t extent, first;
  RandomForm divisor;
  RandomGuard choice, condition;
  bool isElse, hasCondition;

  explicit Trial(RandomRelations &random)
      : extent(random.pick(2, 5)), first(random.pick(0, 2)), divisor(random), choice(random),
        condition(random), isElse(random.maybe(50)), hasCondition(random.maybe(40)) {}

  std::string print() const {
    std::string text = "lci.value @A token vocabulary affine_map<() -> (" +
                       std::to_string(kTokens) + ")> shape affine_map<() -> (" +
                       std::to_string(extent) + ")> boundary [#lci.boundary<wrap>] {\n}\n";
    text += "lci.rule @R on @A where [affine_set<(x) : (x - " + std::to_string(first) +
            " >= 0)>] {\n^bb0(%x: index):\n%i = arith.index_cast %x : index to i64\n"
            "%nine = arith.constant 9 : i64\n";
    text += divisor.print("d") + choice.print("c") + condition.print("w");
    text += "%ratio = lci.floordiv %nine, %d : i64\n%n = arith.select %c, ";
    text += isElse ? "%nine, %ratio" : "%ratio, %nine";
    return text + " : i64\nlci.emit %n : i64" + (hasCondition ? " when %w" : "") + "\n}\n";
  }

  /// Whether the divisor is zero where it is demanded; or, with `isInside` false, outside of
  /// bounds.
  bool fails(NumberQuery query, int64_t x, int64_t a, int64_t b) const {
    bool isUsed = choice.holds(x, a, b) != isElse && (!hasCondition || condition.holds(x, a, b));
    int64_t number = divisor.at(x, a, b);
    bool isInside = query.first <= number && number <= query.last;
    return isUsed && isInside == query.isInside;
  }

  std::optional<int64_t> findFirst(NumberQuery query) const {
    for (int64_t x = first; x < extent; ++x)
      for (int64_t a = 0; a < kTokens; ++a)
        for (int64_t b = 0; b < kTokens; ++b)
          if (fails(query, x, a, b))
            return x;
    return std::nullopt;
  }
};

// No false alarm, no miss, the first cell, and the reported contents make the divisor zero.
TEST(DemandTest, DivisorsAgainstEveryCellAndToken) {
  RandomRelations random(51);
  int numZero = 0;
  for (int round = 0; round < 2000; ++round) {
    Trial trial(random);
    auto module = random.parse(trial.print());
    RuleOp rule = *getProgram(*module).getOps<RuleOp>().begin();
    RangeAnalysis ranges(rule);
    FloorDivOp division;
    rule.walk([&](FloorDivOp op) { division = op; });
    bool isZero = random.maybe(50);
    NumberQuery query{0, isZero ? 0 : random.pick(0, 5), /*isInside=*/isZero};
    std::optional<NumberWitness> found = findNumber(division.getRhs(), division, query, ranges);
    std::optional<int64_t> truth = trial.findFirst(query);
    ASSERT_EQ(found.has_value(), truth.has_value()) << trial.print();
    // Divisions that the ranges already exclude are not queried.
    if (truth && isZero)
      ASSERT_TRUE(llvm::is_contained(ranges.getZeroDivisions(), division)) << trial.print();
    numZero += truth.has_value();
    if (!found)
      continue;
    ASSERT_EQ(found->cell, SmallVector<int64_t>{*truth}) << trial.print();
    std::optional<int64_t> here, next;
    for (auto [read, token] : found->reads)
      (read.getMap().isIdentity() ? here : next) = token;
    bool isWitness = false;
    for (int64_t a = 0; a < kTokens; ++a)
      for (int64_t b = 0; b < kTokens; ++b)
        if (here.value_or(a) == a && next.value_or(b) == b)
          isWitness |= trial.fails(query, *truth, a, b);
    ASSERT_TRUE(isWitness) << trial.print();
  }
  EXPECT_GT(numZero, 300);
  EXPECT_LT(numZero, 1700);
}

} // namespace

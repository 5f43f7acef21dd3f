//===- RangesTest.cpp - Ranges hold all computed values -------------------===//

#include "LCI/Analysis/Ranges.h"
#include "RandomRelations.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::test;

namespace {

/// A random straight-line body over the cell's index and its values at every cell.
struct RandomBody {
  std::string text;
  std::vector<std::vector<int64_t>> values; ///< of each name, at each cell
};

/// Adds one operation on two earlier names; skips divisors that may not be positive.
void addOperation(RandomRelations &random, RandomBody &body, int64_t numCells) {
  size_t a = random.pick(0, body.values.size() - 1), b = random.pick(0, body.values.size() - 1);
  std::string left = "%v" + std::to_string(a), right = "%v" + std::to_string(b);
  std::string name = "%v" + std::to_string(body.values.size());
  int64_t kind = random.pick(0, 8), constant = random.pick(1, 9);
  // The host's arithmetic must not overflow either.
  auto isLarge = [](int64_t value) { return std::abs(value) > (int64_t(1) << 20); };
  if ((kind == 2 || kind == 7) && llvm::any_of(body.values[a], isLarge))
    kind = 5;
  body.values.emplace_back();
  auto each = [&](llvm::function_ref<int64_t(int64_t, int64_t)> function) {
    for (int64_t cell = 0; cell < numCells; ++cell)
      body.values.back().push_back(function(body.values[a][cell], body.values[b][cell]));
  };
  auto binary = [&](const std::string &op) {
    return name + " = " + op + " " + left + ", " + right + " : i64\n";
  };
  auto withConstant = [&](const std::string &op) {
    return name + "c = arith.constant " + std::to_string(constant) + " : i64\n" + name + " = " +
           op + " " + left + ", " + name + "c : i64\n";
  };
  switch (kind) {
  case 0:
    body.text += binary("arith.addi");
    each([](int64_t x, int64_t y) { return x + y; });
    break;
  case 1:
    body.text += binary("arith.subi");
    each([](int64_t x, int64_t y) { return x - y; });
    break;
  case 2:
    body.text += withConstant("arith.muli");
    each([&](int64_t x, int64_t) { return x * constant; });
    break;
  case 3:
    body.text += withConstant("lci.floordiv");
    each([&](int64_t x, int64_t) { return floorOf(x, constant); });
    break;
  case 4:
    body.text += withConstant("lci.floormod");
    each([&](int64_t x, int64_t) { return x - floorOf(x, constant) * constant; });
    break;
  case 5:
    body.text += binary("arith.minsi");
    each([](int64_t x, int64_t y) { return std::min(x, y); });
    break;
  case 6:
    body.text += binary("arith.andi");
    each([](int64_t x, int64_t y) { return x & y; });
    break;
  case 7:
    body.text += name + " = lci.power " + left + ", 2 : i64\n";
    each([](int64_t x, int64_t) { return x * x; });
    break;
  default:
    body.text += name + "c = arith.cmpi slt, " + left + ", " + right + " : i64\n" + name +
                 " = arith.select " + name + "c, " + right + ", " + left + " : i64\n";
    each([](int64_t x, int64_t y) { return x < y ? y : x; });
  }
}

TEST(RangesTest, HoldEveryValueAtEveryCell) {
  RandomRelations random(9);
  for (int round = 0; round < 2000; ++round) {
    int64_t numCells = random.pick(1, 12);
    RandomBody body{"%v0 = arith.index_cast %i : index to i64\n", {{}}};
    for (int64_t cell = 0; cell < numCells; ++cell)
      body.values[0].push_back(cell);
    for (int step = 0; step < 6; ++step)
      addOperation(random, body, numCells);
    std::string last = "%v" + std::to_string(body.values.size() - 1);
    auto module = random.parse(
        "lci.value @A token vocabulary affine_map<() -> (4)> shape affine_map<() -> (" +
        std::to_string(numCells) + ")> boundary [#lci.boundary<open>] {\n^bb0(%i: index):\n" +
        body.text + "lci.yield " + last + " : i64\n}\n");
    ValueOp value = getProgram(*module).lookupValue("A");
    RangeAnalysis ranges(value);
    ConstantIntRanges range =
        ranges.getRange(cast<YieldOp>(value.getInit().front().getTerminator()).getValue());
    if (!ranges.getOverflows().empty())
      continue;
    for (int64_t computed : body.values.back())
      ASSERT_FALSE(RangeAnalysis::isOutside(range, computed, computed)) << body.text;
  }
}

} // namespace

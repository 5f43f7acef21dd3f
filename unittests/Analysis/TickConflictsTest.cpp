//===- TickConflictsTest.cpp - Conflicts of loads and stores, by cell -----===//

#include "LCI/Analysis/Independence.h"
#include "RandomRelations.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::test;

namespace {

/// A tick on a one- or two-dimensional state, in a strided box and a set of the phase.
struct RandomTick {
  Point offsets, extents, strides;
  int64_t phase, modulus; ///< the sum of indices is congruent to the phase; 1 for no set

  std::set<Point> getCells(const Point &shape) const {
    std::set<Point> cells;
    forCells(extents, [&](const Point &step) {
      Point cell;
      int64_t sum = 0;
      for (size_t axis = 0; axis < step.size(); ++axis) {
        cell.push_back(offsets[axis] + step[axis] * strides[axis]);
        sum += cell.back();
      }
      if (floorOf(sum - phase, modulus) * modulus == sum - phase)
        cells.insert(cell);
    });
    return cells;
  }
};

std::string list(const Point &numbers) {
  std::string text = "[";
  for (size_t i = 0; i < numbers.size(); ++i)
    text += (i ? ", " : "") + std::to_string(numbers[i]);
  return text + "]";
}

/// The text of a tick that loads through one access without free indices.
std::string print(const RandomTick &tick, const RandomAccess &access, StringRef result) {
  const RandomValue &value = *access.reader;
  unsigned rank = value.extents.size();
  std::string type = "tensor<", args, boundary, sum;
  for (unsigned i = 0; i < rank; ++i) {
    type += std::to_string(value.extents[i]) + "x";
    args += "%d" + std::to_string(i) + ": index, ";
    boundary +=
        (i ? ", " : "") + ("#lci.boundary<" + stringifyBoundary(value.boundary[i]) + ">").str();
    sum += (i ? " + d" : "d") + std::to_string(i);
  }
  type += "f32>";
  std::string dims = rank == 1 ? "(d0)" : "(d0, d1)";
  std::string cells = tick.modulus == 1
                          ? ""
                          : " cells affine_set<" + dims + "[s0] : ((" + sum + " - s0) mod " +
                                std::to_string(tick.modulus) + " == 0)>";
  return "%phase" + result.str() + " = arith.constant " + std::to_string(tick.phase) + " : i64\n" +
         result.str() + " = lci.tick @A at %e, %phase" + result.str() + ", %e inputs(%s : " + type +
         ") target(%s : " + type + ") box " + list(tick.offsets) + " " + list(tick.extents) +
         " step " + list(tick.strides) + cells + " class_stride 1 {\n^bb0(" + args +
         "%ep: i64, %ph: i64, %k: i64, %in: " + type + "):\n%v = lci.load %in[" +
         access.printMap() + "](" + access.printIndices(rank) + ") [" + boundary + "] : " + type +
         " -> f32\n%yes = arith.constant true\nlci.install %v if %yes : f32\n} -> " + type + "\n";
}

RandomTick makeTick(RandomRelations &random, const RandomValue &value, int64_t phase) {
  RandomTick tick{{}, {}, {}, phase, random.pick(1, 3)};
  for (int64_t extent : value.extents) {
    tick.offsets.push_back(random.pick(0, extent - 1));
    tick.strides.push_back(random.pick(1, 2));
    int64_t room = (extent - tick.offsets.back() + tick.strides.back() - 1) / tick.strides.back();
    tick.extents.push_back(random.pick(1, room));
  }
  return tick;
}

// A tick with itself and with another box of its phase.
TEST(TickConflictsTest, FindsALoadOfAWrittenCell) {
  RandomRelations random(7);
  int numConflicts = 0;
  for (int round = 0; round < 1500; ++round) {
    RandomValue value = random.makeValue("A", random.pick(1, 2));
    RandomAccess access = random.makeAccess(value, value);
    unsigned rank = value.extents.size();
    SmallVector<AffineExpr> results;
    for (unsigned axis = 0; axis < rank; ++axis)
      results.push_back(random.makeForm(rank));
    access.numFree = 0;
    access.map = AffineMap::get(rank, 0, results, &random.context);
    access.sets = {random.makeSet(rank, 0)};
    access.sets = {IntegerSet::get(rank, 0, getAffineConstantExpr(0, &random.context), true)};
    int64_t phase = random.pick(0, 2);
    RandomTick ticks[] = {makeTick(random, value, phase), makeTick(random, value, phase)};
    std::string type = "tensor<";
    for (int64_t extent : value.extents)
      type += std::to_string(extent) + "x";
    std::string text = "func.func @f(%s: " + type + "f32>, %e: i64) {\n" +
                       print(ticks[0], access, "%a") + print(ticks[1], access, "%b") +
                       "return\n}\n";
    for (size_t at = 0; (at = text.find("%phase%", at)) != std::string::npos;)
      text.erase(at + 6, 1);
    auto module = random.parseModule(text);
    SmallVector<TickOp> ops;
    module->walk([&](TickOp tick) { ops.push_back(tick); });
    for (int writer : {0, 1}) {
      std::set<Point> reading = ticks[0].getCells(value.extents);
      std::set<Point> written = ticks[writer].getCells(value.extents);
      std::set<Point> truth;
      for (const Point &pair : access.getPairs()) {
        auto [from, to] = split(pair, rank);
        if (reading.count(from) && written.count(to) && (writer != 0 || from != to))
          truth.insert(pair);
      }
      std::optional<TickConflict> found = findConflict(ops[0], {0u}, ops[writer]);
      ASSERT_EQ(found.has_value(), !truth.empty()) << text;
      numConflicts += found.has_value();
      if (!found)
        continue;
      ASSERT_TRUE(truth.count(join(found->reader, found->written))) << text;
    }
  }
  EXPECT_GT(numConflicts, 150);
  EXPECT_LT(numConflicts, 2700);
}

// The phase is arbitrary, the same for both ticks; red and black never conflict over odd distances.
TEST(TickConflictsTest, PhaseMayBeAnything) {
  RandomRelations random(8);
  auto check = [&](StringRef distance) {
    std::string text = (R"mlir(
      func.func @f(%s: tensor<8xf32>, %e: i64, %p: i64) -> tensor<8xf32> {
        %r = lci.tick @A at %e, %p, %e inputs(%e, %s : i64, tensor<8xf32>) target(%s : tensor<8xf32>)
            cells affine_set<(d0)[s0] : ((d0 - s0) mod 2 == 0)> class_stride 2 {
        ^bb0(%i: index, %ep: i64, %ph: i64, %k: i64, %x: i64, %in: tensor<8xf32>):
          %v = lci.load %in[affine_map<(d0) -> (d0 + )mlir" +
                        distance + R"mlir()>](%i)
              [#lci.boundary<wrap>] : tensor<8xf32> -> f32
          %yes = arith.constant true
          lci.install %v if %yes : f32
        } -> tensor<8xf32>
        return %r : tensor<8xf32>
      })mlir")
                           .str();
    auto module = random.parseModule(text);
    TickOp tick;
    module->walk([&](TickOp op) { tick = op; });
    EXPECT_FALSE(findConflict(tick, {0u}, tick)); // not an input that is written
    return findConflict(tick, {1u}, tick);
  };
  EXPECT_FALSE(check("1"));
  EXPECT_FALSE(check("3"));
  EXPECT_TRUE(check("2"));
  EXPECT_FALSE(check("8")); // all around: the cell itself
}

// In a box of one cell its index is a constant, and refers to no other cell.
TEST(TickConflictsTest, IndicesMayBeConstant) {
  RandomRelations random(9);
  auto check = [&](StringRef cell) {
    std::string text = (R"mlir(
      func.func @f(%s: tensor<8xf32>, %e: i64) -> tensor<8xf32> {
        %r = lci.tick @A at %e, %e, %e inputs(%s : tensor<8xf32>) target(%s : tensor<8xf32>)
            box [0] [1] step [1] class_stride 1 {
        ^bb0(%i: index, %ep: i64, %ph: i64, %k: i64, %in: tensor<8xf32>):
          %c = arith.constant )mlir" +
                        cell + R"mlir( : index
          %v = lci.load %in[affine_map<(d0) -> (d0)>](%c)
              [#lci.boundary<wrap>] : tensor<8xf32> -> f32
          %yes = arith.constant true
          lci.install %v if %yes : f32
        } -> tensor<8xf32>
        %q = lci.tick @A at %e, %e, %e inputs(%s : tensor<8xf32>) target(%r : tensor<8xf32>)
            box [2] [2] step [2] class_stride 1 {
        ^bb0(%i: index, %ep: i64, %ph: i64, %k: i64, %in: tensor<8xf32>):
          %v = arith.constant 1.0 : f32
          %yes = arith.constant true
          lci.install %v if %yes : f32
        } -> tensor<8xf32>
        return %q : tensor<8xf32>
      })mlir")
                           .str();
    auto module = random.parseModule(text);
    SmallVector<TickOp> ticks;
    module->walk([&](TickOp op) { ticks.push_back(op); });
    return findConflict(ticks[0], {0u}, ticks[1]).has_value();
  };
  EXPECT_FALSE(check("0"));
  EXPECT_FALSE(check("3"));
  EXPECT_TRUE(check("4"));
}

} // namespace

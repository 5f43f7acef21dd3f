//===- ColouringTest.cpp - Greedy colours against every pair of cells -----===//

#include "LCI/Analysis/Colouring.h"
#include "LCI/Analysis/AffineSystem.h"
#include "RandomRelations.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::test;

namespace {

/// The cells of a value in row-major order.
std::vector<Point> getCells(const RandomValue &value) {
  std::vector<Point> cells;
  forCells(value.extents, [&](const Point &cell) { cells.push_back(cell); });
  return cells;
}

/// The smallest colour that no earlier cell has which reads the cell or is read by it.
std::vector<int64_t> colourGreedily(const std::vector<Point> &cells, const Pairs &reads) {
  std::vector<int64_t> colours;
  for (const Point &cell : cells) {
    std::set<int64_t> taken;
    for (size_t other = 0; other < colours.size(); ++other) {
      if (reads.count(join(cell, cells[other])) || reads.count(join(cells[other], cell)))
        taken.insert(colours[other]);
    }
    int64_t colour = 0;
    while (taken.count(colour))
      ++colour;
    colours.push_back(colour);
  }
  return colours;
}

// Borders of all kinds, odd tori, guards and stencils of radius two: the colours are the greedy
// ones, no cell reads another of its colour, and the colour as an index set, where there is one,
// agrees on every cell.
TEST(ColouringTest, ColoursAreGreedyAndIndependent) {
  RandomRelations random(31);
  int numSets = 0, numColoured = 0;
  for (int round = 0; round < 1500; ++round) {
    RandomValue value = random.makeValue("A", random.pick(1, 2));
    RandomAccess access = random.makeAccess(value, value);
    if (random.maybe(50)) { // a neighbourhood, which is more regular
      SmallVector<AffineExpr> moved;
      for (size_t axis = 0; axis < value.extents.size(); ++axis)
        moved.push_back(getAffineDimExpr(axis, &random.context) + random.pick(-2, 2));
      access.map = AffineMap::get(access.map.getNumDims(), 0, moved, &random.context);
    }
    auto module = random.parse(value.declare() + access.printRule("R"));
    ValueOp op = getProgram(*module).lookupValue("A");
    std::optional<Colouring> colouring = computeColouring(op);
    ASSERT_TRUE(colouring);
    std::vector<Point> cells = getCells(value);
    Pairs reads = access.getPairs();
    ASSERT_EQ(std::vector<int64_t>(colouring->colours.begin(), colouring->colours.end()),
              colourGreedily(cells, reads))
        << access.printRule("R");
    EXPECT_EQ(colouring->count, *llvm::max_element(colouring->colours) + 1);
    numColoured += colouring->count > 1;
    std::optional<IntegerSet> set = getColourSet(*colouring, op);
    if (!set)
      continue;
    ++numSets;
    for (int64_t colour = 0; colour < colouring->count; ++colour) {
      AffineExpr symbol = getAffineConstantExpr(colour, &random.context);
      IntegerSet fixed = set->replaceDimsAndSymbols({}, symbol, set->getNumDims(), 0);
      for (auto [cell, mine] : llvm::zip_equal(cells, colouring->colours))
        EXPECT_EQ(containsPoint(fixed, cell), mine == colour);
    }
  }
  EXPECT_GT(numColoured, 100);
  EXPECT_GT(numSets, 100);
}

/// A rule on the cells of a graph given by two arrays, as `near: A[i] <- A[nbr[m]]` declares it.
std::string printGraph(int64_t cells, const Point &start, const Point &nbr) {
  auto list = [](const Point &numbers) {
    std::string text;
    for (int64_t number : numbers)
      text += (text.empty() ? "" : ", ") + std::to_string(number);
    return "[" + text + "]";
  };
  auto size = [](size_t number) {
    return "shape affine_map<() -> (" + std::to_string(number) + ")>";
  };
  return "lci.param @start i32 " + size(start.size()) + " elements " + list(start) +
         " {\n}\nlci.param @nbr i32 " + size(nbr.size()) + " elements " + list(nbr) +
         " {\n}\nlci.value @A f32 " + size(cells) + R"( boundary [#lci.boundary<open>] {
}
lci.rule @R on @A {
^bb0(%i: index):
  %at = arith.index_cast %i : index to i64
  %one = arith.constant 1 : i64
  %next = arith.addi %at, %one : i64
  %first = lci.param_value @start[%at] : i64
  %end = lci.param_value @start[%next] : i64
  %last = arith.subi %end, %one : i64
  %s, %some = lci.reduce sum [affine_set<(i, m) : (m >= 0, )" +
         std::to_string(nbr.size() - 1) + R"( - m >= 0)>](%i) limits(%first, %last) of [0] : f32 {
  ^bb0(%m: index, %rank: index):
    %k = arith.index_cast %m : index to i64
    %who = lci.param_value @nbr[%k] : i64
    %cell = arith.index_cast %who : i64 to index
    %v, %p = lci.read @A[affine_map<(j) -> (j)>](%cell) : f32
    lci.yield %v present %p : f32
  }
  lci.emit %s : f32
}
)";
}

// The edges of random graphs, some of whose cells have no neighbours, are read from the arrays.
TEST(ColouringTest, GraphsAreColouredByTheirArrays) {
  RandomRelations random(33);
  for (int round = 0; round < 200; ++round) {
    RandomValue value{"A", {random.pick(2, 9)}, {Boundary::Open}};
    Point start{0}, nbr;
    Pairs reads;
    for (int64_t cell = 0; cell < value.extents[0]; ++cell) {
      for (int64_t number = random.pick(0, 3); number > 0; --number) {
        nbr.push_back(random.pick(0, value.extents[0] - 1));
        reads.insert({cell, nbr.back()});
      }
      start.push_back(nbr.size());
    }
    if (nbr.empty())
      continue;
    auto module = random.parse(printGraph(value.extents[0], start, nbr));
    std::optional<Colouring> colouring = computeColouring(getProgram(*module).lookupValue("A"));
    ASSERT_TRUE(colouring);
    ASSERT_EQ(std::vector<int64_t>(colouring->colours.begin(), colouring->colours.end()),
              colourGreedily(getCells(value), reads));
    for (const Point &pair : reads)
      EXPECT_TRUE(pair[0] == pair[1] || colouring->colours[pair[0]] != colouring->colours[pair[1]]);
  }
}

// If more pairs of cells than the limit would be visited there is no colouring, unless there is a
// lattice.
TEST(ColouringTest, KnowsItsLimits) {
  RandomRelations random(32);
  RandomValue value{"A", {7}, {Boundary::Wrap}};
  RandomAccess access = random.makeAccess(value, value);
  access.numFree = 0;
  access.map = AffineMap::get(1, 0, getAffineDimExpr(0, &random.context) + 1, &random.context);
  access.sets = {IntegerSet::get(1, 0, getAffineConstantExpr(0, &random.context), true)};
  auto module = random.parse(value.declare() + access.printRule("R"));
  ValueOp op = getProgram(*module).lookupValue("A");
  Obstacle obstacle;
  std::optional<Colouring> lattice = computeColouring(op, &obstacle, {/*pairs=*/6, 1000});
  EXPECT_TRUE(obstacle.isTooMany);
  EXPECT_FALSE(lattice);
  EXPECT_TRUE(computeColouring(op, &obstacle, {/*pairs=*/7, 1000}));
}

} // namespace

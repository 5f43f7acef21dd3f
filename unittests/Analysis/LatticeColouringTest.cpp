//===- LatticeColouringTest.cpp - Lattices against every formula and pair of cells -===//

#include "LCI/Analysis/AffineSystem.h"
#include "LCI/Analysis/Colouring.h"
#include "RandomRelations.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::test;

namespace {

using Colour = std::function<int64_t(const Point &)>;

/// The first proper formula Σ (index mod period) · (product of the later periods).
std::optional<Colour> findDigits(const RandomValue &value, int64_t count,
                                 llvm::function_ref<bool(const Colour &)> isProper) {
  std::optional<Colour> found;
  size_t rank = value.extents.size();
  forAll(Point(rank, 1), Point(rank, count), [&](const Point &periods) {
    int64_t product = 1;
    bool wraps = true;
    for (size_t axis = 0; axis < rank; ++axis) {
      product *= periods[axis];
      wraps &= value.boundary[axis] != Boundary::Wrap || value.extents[axis] % periods[axis] == 0;
    }
    Colour colour = [periods](const Point &cell) {
      int64_t number = 0;
      for (size_t axis = 0; axis < cell.size(); ++axis)
        number = number * periods[axis] + cell[axis] % periods[axis];
      return number;
    };
    if (!found && product == count && wraps && isProper(colour))
      found = colour;
  });
  return found;
}

/// The first proper formula (Σ step · index) mod count.
std::optional<Colour> findSum(const RandomValue &value, int64_t count,
                              llvm::function_ref<bool(const Colour &)> isProper) {
  std::optional<Colour> found;
  size_t rank = value.extents.size();
  forAll(Point(rank, 0), Point(rank, count - 1), [&](const Point &steps) {
    bool wraps = true;
    for (size_t axis = 0; axis < rank; ++axis)
      wraps &=
          value.boundary[axis] != Boundary::Wrap || steps[axis] * value.extents[axis] % count == 0;
    Colour colour = [steps, count](const Point &cell) {
      int64_t sum = 0;
      for (size_t axis = 0; axis < cell.size(); ++axis)
        sum += steps[axis] * cell[axis];
      return sum % count;
    };
    if (!found && wraps && isProper(colour))
      found = colour;
  });
  return found;
}

// S-LATTICE: the fewest colours of a formula by which no cell reads one of its colour, and the
// first such formula, equal those found by trying all formulas on all pairs.
TEST(LatticeColouringTest, HasTheFewestColoursThatTellPairsApart) {
  RandomRelations random(35);
  std::map<int64_t, int> numWith;
  int numNone = 0;
  for (int round = 0; round < 1500; ++round) {
    RandomValue value = random.makeValue("A", random.pick(1, 2));
    RandomAccess access = random.makeAccess(value, value);
    if (random.maybe(70)) { // a neighbourhood
      SmallVector<AffineExpr> moved;
      for (size_t axis = 0; axis < value.extents.size(); ++axis) {
        AffineExpr index = getAffineDimExpr(axis, &random.context) + random.pick(-2, 2);
        if (access.numFree > 0 && random.maybe(60))
          index = index + getAffineDimExpr(value.extents.size(), &random.context);
        moved.push_back(index);
      }
      access.map = AffineMap::get(access.map.getNumDims(), 0, moved, &random.context);
    }
    auto module = random.parse(value.declare() + access.printRule("R"));
    ValueOp op = getProgram(*module).lookupValue("A");
    std::optional<Colouring> lattice = findLattice(op);
    Pairs reads = access.getPairs();
    auto isProper = [&](const Colour &colour) {
      return llvm::all_of(reads, [&](const Point &pair) {
        auto [reader, read] = split(pair, value.extents.size());
        return reader == read || colour(reader) != colour(read);
      });
    };
    int64_t most = lattice ? lattice->count : 9;
    std::optional<Colour> truth;
    for (int64_t count = 1; !truth && count <= most; ++count) {
      truth = count > 1 ? findDigits(value, count, isProper) : std::nullopt;
      if (!truth)
        truth = findSum(value, count, isProper);
      if (truth && lattice)
        ASSERT_EQ(count, lattice->count) << value.declare() << access.printRule("R");
    }
    if (!lattice) {
      ++numNone;
      continue;
    }
    ++numWith[lattice->count];
    ASSERT_TRUE(truth) << value.declare() << access.printRule("R");
    std::optional<IntegerSet> set = getColourSet(*lattice, op);
    ASSERT_TRUE(set);
    forCells(value.extents, [&](const Point &cell) {
      EXPECT_EQ(lattice->getColour(cell), (*truth)(cell));
      for (int64_t colour = 0; colour < lattice->count; ++colour) {
        AffineExpr symbol = getAffineConstantExpr(colour, &random.context);
        IntegerSet fixed = set->replaceDimsAndSymbols({}, symbol, set->getNumDims(), 0);
        EXPECT_EQ(containsPoint(fixed, cell), (*truth)(cell) == colour);
      }
    });
  }
  EXPECT_GE(numWith.size(), 4u);
  EXPECT_LT(numNone, 900);
}

/// A value of two axes whose cells read the eight around them.
std::string printNeighbours(int64_t width, int64_t height, StringRef boundary) {
  std::string text = R"(lci.value @A f32 shape affine_map<() -> (W, H)>
    boundary [#lci.boundary<B>, #lci.boundary<B>] {
  }
  lci.rule @R on @A {
  ^bb0(%x: index, %y: index):
    %s, %p = lci.reduce sum [affine_set<(x, y, a, b) : (a + 1 >= 0, 1 - a >= 0, b + 1 >= 0, 1 - b >= 0)>](%x, %y) : f32 {
    ^bb0(%a: index, %b: index, %rank: index):
      %v, %q = lci.read @A[affine_map<(x, y, a, b) -> (x + a, y + b)>](%x, %y, %a, %b) : f32
      lci.yield %v present %q : f32
    }
    lci.emit %s : f32
  })";
  auto replace = [&](StringRef what, const std::string &by) {
    for (size_t at; (at = text.find(what.str())) != std::string::npos;)
      text.replace(at, what.size(), by);
  };
  replace("(W, H)", "(" + std::to_string(width) + ", " + std::to_string(height) + ")");
  replace("<B>", "<" + boundary.str() + ">");
  return text;
}

// For large values the first formula is found whatever their size; small ones have greedy colours,
// which are the same here. A ring that no period divides has no lattice, and is coloured by
// counting.
TEST(LatticeColouringTest, ColoursLargeValues) {
  RandomRelations random(36);
  auto colour = [&](int64_t width, int64_t height, StringRef boundary, Obstacle *obstacle) {
    auto module = random.parse(printNeighbours(width, height, boundary));
    return computeColouring(getProgram(*module).lookupValue("A"), obstacle,
                            {/*pairs=*/100000, /*greedyCells=*/65536});
  };
  Obstacle obstacle;
  for (StringRef boundary : {"open", "wrap", "clamp"}) {
    std::optional<Colouring> large = colour(100000, 70000, boundary, &obstacle);
    ASSERT_TRUE(large);
    EXPECT_EQ(large->count, 4);
    EXPECT_EQ(large->getColour({99999, 69998}), 2);
    std::optional<Colouring> small = colour(20, 30, boundary, &obstacle);
    ASSERT_TRUE(small);
    for (int64_t x = 0; x < 20; ++x)
      for (int64_t y = 0; y < 30; ++y)
        EXPECT_EQ(small->getColour({x, y}), large->getColour({x, y}));
  }
  EXPECT_FALSE(colour(1009, 1009, "wrap", &obstacle));
  EXPECT_TRUE(obstacle.isTooMany);
}

} // namespace

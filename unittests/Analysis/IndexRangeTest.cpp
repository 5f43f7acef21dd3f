//===- IndexRangeTest.cpp - Bounds of affine expressions, by enumeration --===//

#include "LCI/Dialect/IndexRange.h"
#include "RandomRelations.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::test;

namespace {

/// A random expression over two dimensions.
AffineExpr makeExpression(std::mt19937 &random, MLIRContext *context, int depth) {
  auto pick = [&](int64_t first, int64_t last) {
    return std::uniform_int_distribution<int64_t>(first, last)(random);
  };
  if (depth == 0)
    return pick(0, 2) == 0 ? getAffineConstantExpr(pick(-4, 4), context)
                           : getAffineDimExpr(pick(0, 1), context);
  AffineExpr left = makeExpression(random, context, depth - 1);
  switch (pick(0, 4)) {
  case 0:
    return left * pick(-3, 3);
  case 1:
    return left.floorDiv(pick(1, 4));
  case 2:
    return left.ceilDiv(pick(1, 4));
  case 3:
    return left % pick(1, 4);
  default:
    return left + makeExpression(random, context, depth - 1);
  }
}

// No value lies outside of the bounds.
TEST(IndexRangeTest, BoundsHoldEveryValue) {
  MLIRContext context;
  std::mt19937 random(7);
  for (int round = 0; round < 5000; ++round) {
    AffineExpr expression = makeExpression(random, &context, 3);
    auto pick = [&] { return std::uniform_int_distribution<int64_t>(-3, 5)(random); };
    int64_t a = pick(), b = pick();
    IndexRange dims[] = {{a, a + std::abs(pick())}, {b, b + std::abs(pick())}};
    std::optional<IndexRange> range = computeRange(expression, dims);
    ASSERT_TRUE(range);
    forAll({a, b}, {dims[0].upper, dims[1].upper}, [&](const Point &point) {
      EXPECT_GE(valueAt(expression, point), range->lower);
      EXPECT_LE(valueAt(expression, point), range->upper);
    });
  }
}

// A remainder whose dividend crosses a multiple of the divisor may be zero: upstream's bound says
// that it is at least one.
TEST(IndexRangeTest, RemaindersStartAtZero) {
  MLIRContext context;
  AffineExpr odd = (getAffineDimExpr(0, &context) - 1) % 2;
  std::optional<IndexRange> range = computeRange(odd, IndexRange{0, 1});
  ASSERT_TRUE(range);
  EXPECT_EQ(range->lower, 0);
  EXPECT_EQ(range->upper, 1);
  range = computeRange(odd, IndexRange{3, 3});
  EXPECT_EQ(range->upper, 0);
}

// Nothing is known of a symbol.
TEST(IndexRangeTest, SymbolsAreUnknown) {
  MLIRContext context;
  EXPECT_FALSE(computeRange(getAffineSymbolExpr(0, &context) + 1, {}));
}

} // namespace

//===- ConditionTest.cpp - The normal form of conditions on indices -------===//
//
// Boolean algebra on unions of sets, checked against brute force on a small domain, and the normal
// form: equal for all spellings of the same inequalities.
//
//===----------------------------------------------------------------------===//

#include "LCI/Builder/Condition.h"
#include "mlir/IR/MLIRContext.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::lci;

namespace {

class ConditionTest : public ::testing::Test {
protected:
  AffineExpr x() { return getAffineDimExpr(0, &context); }
  AffineExpr y() { return getAffineDimExpr(1, &context); }
  AffineExpr n() { return getAffineSymbolExpr(0, &context); }
  AffineExpr c(int64_t value) { return getAffineConstantExpr(value, &context); }

  /// The value of an expression at a point, with the size n = 4.
  static int64_t evaluate(AffineExpr expr, int64_t x, int64_t y) {
    MLIRContext *context = expr.getContext();
    AffineExpr point[] = {getAffineConstantExpr(x, context), getAffineConstantExpr(y, context)};
    AffineExpr size = getAffineConstantExpr(4, context);
    return cast<AffineConstantExpr>(expr.replaceDimsAndSymbols(point, size)).getValue();
  }

  static bool holds(const Condition &condition, int64_t x, int64_t y) {
    return llvm::any_of(condition.getCases(), [&](const Condition::Case &list) {
      return llvm::all_of(list, [&](const IndexConstraint &constraint) {
        int64_t value = evaluate(constraint.expr, x, y);
        return constraint.isEquality ? value == 0 : value >= 0;
      });
    });
  }

  template <typename Predicate>
  static void expectPoints(const Condition &condition, Predicate predicate) {
    for (int64_t x = -5; x <= 5; ++x)
      for (int64_t y = -5; y <= 5; ++y)
        EXPECT_EQ(holds(condition, x, y), predicate(x, y)) << x << ", " << y;
  }

  MLIRContext context;
};

} // namespace

TEST_F(ConditionTest, TermsHaveOneOrder) {
  EXPECT_EQ(normalizeExpr(n() + y() * 2 + x() - y()), normalizeExpr(x() + y() + n()));
  EXPECT_EQ(normalizeExpr((y() + x()).floorDiv(2)), normalizeExpr((x() + y()).floorDiv(2)));
  EXPECT_NE(normalizeExpr(x() - y()), normalizeExpr(y() - x()));
}

TEST_F(ConditionTest, OneFormForOneSet) {
  auto strict = Condition::isNonNegative(x() - 1);
  EXPECT_EQ(Condition::isNonNegative(x() * 2 - 1).normalize(), strict.normalize());
  EXPECT_EQ(Condition::isNonNegative(x() - 1).conjoin(Condition::isNonNegative(x()))->normalize(),
            strict.normalize());
  auto point = Condition::isBetween(c(3), x(), c(3)).normalize();
  EXPECT_EQ(point, Condition::isZero(x() - 3).normalize());
  EXPECT_EQ(point, Condition::isZero(c(3) - x()).normalize());
}

TEST_F(ConditionTest, ContradictionsVanish) {
  EXPECT_TRUE(Condition::isBetween(c(3), x(), c(2)).normalize().getCases().empty());
  EXPECT_TRUE(Condition::isZero(x() * 2 - 1)
                  .conjoin(Condition::isZero(x() * 2 - 3))
                  ->normalize()
                  .getCases()
                  .empty());
  EXPECT_TRUE(Condition::isZero(c(0)).normalize().isAlways());
  EXPECT_TRUE(Condition::isNonNegative(c(-1)).normalize().getCases().empty());
}

TEST_F(ConditionTest, AlgebraAgreesWithBruteForce) {
  auto inside = Condition::isBetween(c(-1), x(), c(2));
  auto equal = Condition::isZero(x() + y());
  auto either = inside.disjoin(equal);
  expectPoints(either.normalize(),
               [](int64_t x, int64_t y) { return (x >= -1 && x <= 2) || x + y == 0; });
  expectPoints(*either.negate(),
               [](int64_t x, int64_t y) { return !((x >= -1 && x <= 2) || x + y == 0); });
  expectPoints(inside.conjoin(*equal.negate())->normalize(),
               [](int64_t x, int64_t y) { return x >= -1 && x <= 2 && x + y != 0; });
  expectPoints(Condition::isNonNegative(n() - x() * 3).normalize(),
               [](int64_t x, int64_t y) { return 4 - 3 * x >= 0; });
}

TEST_F(ConditionTest, NamedOffsets) {
  AffineExpr offset[] = {x(), y()};
  for (int64_t radius : {1, 2, 3}) {
    expectPoints(isMooreNeighbor(offset, c(radius)).normalize(), [&](int64_t x, int64_t y) {
      return std::max(std::abs(x), std::abs(y)) <= radius && (x || y);
    });
    expectPoints(isVonNeumannNeighbor(offset, c(radius))->normalize(), [&](int64_t x, int64_t y) {
      return std::abs(x) + std::abs(y) <= radius && (x || y);
    });
  }
  expectPoints(isDiagonalNeighbor(offset).normalize(),
               [](int64_t x, int64_t y) { return std::abs(x) == 1 && std::abs(y) == 1; });
}

TEST_F(ConditionTest, SetsAndBack) {
  AffineExpr offset[] = {x(), y()};
  Condition moore = isMooreNeighbor(offset, c(1)).normalize();
  EXPECT_EQ(Condition::fromSets(moore.toSets(&context, 2, 1)), moore);
  EXPECT_TRUE(Condition::fromSets(Condition::always().toSets(&context, 2, 1)).isAlways());
  EXPECT_TRUE(Condition::fromSets(Condition::never().toSets(&context, 2, 1)).getCases().empty());
}

TEST_F(ConditionTest, TooManyCasesAreNothing) {
  Condition many = Condition::never();
  for (int64_t i = 0; i < 40; ++i)
    many = many.disjoin(Condition::isZero(x() - i));
  EXPECT_FALSE(many.conjoin(many).has_value());
}

//===- FirstPointTest.cpp - The first point of a relation -----------------===//
//
// The result is compared with all points of small boxes. That the search terminates where
// upstream's search by cuts does not is tested in test/Transforms/Program/first-points.lmpm.
//
//===----------------------------------------------------------------------===//

#include "LCI/Analysis/AffineSystem.h"
#include <gtest/gtest.h>
#include <random>

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::presburger;

namespace {

/// A relation of four bounded indices, of which the last two are quotients of each other.
AffineSystem randomSystem(std::mt19937 &random, SmallVectorImpl<int64_t> &extents) {
  auto among = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  AffineSystem system(/*numDomain=*/2, /*numRange=*/2);
  SmallVector<Linear> index = {system.domain(0), system.domain(1), system.range(0),
                               system.range(1)};
  for (const Linear &each : index) {
    extents.push_back(among(1, 6));
    system.addWithin(each, extents.back());
  }
  for (int rows = among(0, 2); rows > 0; --rows) {
    Linear form(among(-4, 8));
    for (const Linear &each : index)
      form = form + each * DynamicAPInt(among(-3, 3));
    system.addNonNegative(form);
  }
  Linear moved = index[0] * DynamicAPInt(among(-2, 2)) + index[1] + Linear(among(-3, 3));
  system.addZero(index[3] - system.modulo(moved, DynamicAPInt(extents[3])));
  return system;
}

TEST(FirstPointTest, IsTheFirstOfAll) {
  std::mt19937 random(7);
  unsigned numFound = 0;
  for (int round = 0; round < 200; ++round) {
    SmallVector<int64_t> extents;
    AffineSystem system = randomSystem(random, extents);
    std::optional<SmallVector<int64_t>> truth;
    SmallVector<int64_t> point(4);
    for (point[0] = 0; point[0] < extents[0]; ++point[0])
      for (point[1] = 0; point[1] < extents[1]; ++point[1])
        for (point[2] = 0; point[2] < extents[2]; ++point[2])
          for (point[3] = 0; point[3] < extents[3]; ++point[3])
            if (!truth && system.get().containsPointNoLocal(point))
              truth = point;
    EXPECT_EQ(findFirstPoint(PresburgerRelation(system.get())), truth);
    numFound += truth.has_value();
  }
  EXPECT_GT(numFound, 50u);
  EXPECT_LT(numFound, 200u);
}

} // namespace

//===- IndependenceTest.cpp - Phases against all pairs of their cells -------===//

#include "LCI/Analysis/Independence.h"
#include "RandomRelations.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::test;

namespace {

int64_t phaseOf(StringRef strategy, const Point &cell, const Point &extents) {
  int64_t sum = 0, position = 0;
  for (size_t axis = 0; axis < cell.size(); ++axis) {
    sum += cell[axis];
    position = position * extents[axis] + cell[axis];
  }
  if (strategy == "red_black")
    return sum % 2;
  if (strategy == "wavefront")
    return sum;
  if (strategy == "raster")
    return position;
  if (strategy == "four_color")
    return cell.size() == 1 ? cell[0] % 2 : cell[0] % 2 + 2 * (cell[1] % 2);
  return 0;
}

// Every strategy; only cells where the rule applies change.
TEST(IndependenceTest, FindsTheFirstDependentPair) {
  RandomRelations random(6);
  const std::string strategies[] = {"all", "red_black", "four_color", "raster", "wavefront"};
  int numDependent = 0;
  for (int round = 0; round < 600; ++round) {
    RandomValue value = random.makeValue("A", random.pick(1, 2));
    RandomAccess access = random.makeAccess(value, value), where = random.makeAccess(value, value);
    where.sets = {random.makeSet(value.extents.size(), 0)};
    const std::string &strategy = strategies[random.pick(0, 4)];
    auto module =
        random.parse(value.declare() + access.printRule("R", "where " + where.printSets() + " ") +
                     "lci.schedule @A using " + strategy + "\n");
    std::optional<Point> truth;
    size_t rank = value.extents.size();
    for (const Point &pair : access.getPairs()) {
      Point reader(pair.begin(), pair.begin() + rank), written(pair.begin() + rank, pair.end());
      bool isActive = holdsAt(where.sets, reader) && holdsAt(where.sets, written);
      bool samePhase =
          phaseOf(strategy, reader, value.extents) == phaseOf(strategy, written, value.extents);
      if (!truth && isActive && samePhase && reader != written)
        truth = pair;
    }
    auto schedule = *getProgram(*module).getOps<ScheduleOp>().begin();
    std::optional<DependentPair> found = findDependentPair(schedule);
    ASSERT_EQ(found.has_value(), truth.has_value()) << access.printRule("R") << strategy;
    numDependent += truth.has_value();
    if (!found)
      continue;
    Point pair(found->reader.begin(), found->reader.end());
    EXPECT_EQ(found->phase, phaseOf(strategy, pair, value.extents));
    pair.insert(pair.end(), found->written.begin(), found->written.end());
    ASSERT_EQ(pair, *truth) << access.printRule("R") << strategy;
  }
  EXPECT_GT(numDependent, 100);
  EXPECT_LT(numDependent, 500);
}

} // namespace

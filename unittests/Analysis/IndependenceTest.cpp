//===- IndependenceTest.cpp - Phases against all pairs of their cells -----===//

#include "LCI/Analysis/Independence.h"
#include "RandomRelations.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::test;

namespace {

/// A strategy with its options; the tile is 1 on every axis where there is none.
struct RandomSchedule {
  std::string strategy;
  Point axes, tile;

  RandomSchedule(RandomRelations &random, const RandomValue &value) {
    const std::string strategies[] = {"all", "red_black", "four_color", "raster", "wavefront"};
    size_t rank = value.extents.size();
    strategy = strategies[random.pick(0, 4)];
    if (strategy == "four_color" && rank < 2)
      strategy = "red_black";
    tile.assign(rank, 1);
    bool takesAxes = strategy == "red_black" || strategy == "raster" || strategy == "wavefront";
    if (takesAxes && random.maybe(30))
      axes = rank > 1 && strategy == "raster" && random.maybe(50) ? Point{1, 0}
                                                                  : Point{random.pick(0, rank - 1)};
    if ((strategy == "red_black" || strategy == "four_color") && random.maybe(40))
      for (int64_t &extent : tile)
        extent = random.pick(1, 3);
  }

  std::string print() const {
    std::string text = "lci.schedule @A using " + strategy;
    auto list = [](const Point &numbers) {
      std::string all;
      for (int64_t number : numbers)
        all += (all.empty() ? "" : ", ") + std::to_string(number);
      return "[" + all + "]";
    };
    bool isTiled = llvm::any_of(tile, [](int64_t extent) { return extent != 1; });
    return text + (axes.empty() ? "" : " axes " + list(axes)) +
           (isTiled ? " tile " + list(tile) : "") + "\n";
  }
};

int64_t phaseOf(const RandomSchedule &schedule, const Point &cell, const Point &extents) {
  const std::string &strategy = schedule.strategy;
  int64_t sum = 0, position = 0, colour = 0;
  Point tiled, axes = schedule.axes;
  for (size_t axis = 0; axis < cell.size(); ++axis) {
    tiled.push_back(cell[axis] / schedule.tile[axis]);
    if (schedule.axes.empty())
      axes.push_back(static_cast<int64_t>(axis));
  }
  for (int64_t axis : axes) {
    sum += cell[axis];
    position = position * extents[axis] + cell[axis];
    colour += tiled[axis];
  }
  if (strategy == "red_black")
    return colour % 2;
  if (strategy == "wavefront")
    return sum;
  if (strategy == "raster")
    return position;
  if (strategy == "four_color")
    return cell.size() == 1 ? tiled[0] % 2 : tiled[0] % 2 + 2 * (tiled[1] % 2);
  return 0;
}

// Every strategy, with axes and tiles; only cells where the rule applies change. The reads of a
// rule and the cells tied by a constraint are checked alike.
TEST(IndependenceTest, FindsTheFirstDependentPair) {
  RandomRelations random(6);
  int numDependent = 0;
  for (int round = 0; round < 2000; ++round) {
    RandomValue value = random.makeValue("A", random.pick(1, 2));
    RandomAccess access = random.makeAccess(value, value), where = random.makeAccess(value, value);
    where.sets = {random.makeSet(value.extents.size(), 0)};
    RandomSchedule schedule(random, value);
    bool ties = random.maybe(30);
    std::string region = "where " + where.printSets() + " ";
    std::string text = ties ? access.printBlindRule("R", region) + access.printConstraint("C")
                            : access.printRule("R", region);
    auto module = random.parse(value.declare() + text + schedule.print());
    std::optional<Point> truth;
    for (const Point &pair : access.getPairs()) {
      auto [reader, written] = split(pair, value.extents.size());
      bool isActive = holdsAt(where.sets, reader) && holdsAt(where.sets, written);
      bool samePhase =
          phaseOf(schedule, reader, value.extents) == phaseOf(schedule, written, value.extents);
      if (!truth && isActive && samePhase && reader != written)
        truth = pair;
    }
    ProgramOp program = getProgram(*module);
    std::optional<DependentPair> found =
        ties ? findDependentPair(*program.getOps<ConstraintOp>().begin())
             : findDependentPair(*program.getOps<ScheduleOp>().begin());
    ASSERT_EQ(found.has_value(), truth.has_value()) << text << schedule.print();
    numDependent += truth.has_value();
    if (!found)
      continue;
    Point reader(found->reader.begin(), found->reader.end());
    EXPECT_EQ(found->phase, phaseOf(schedule, reader, value.extents));
    ASSERT_EQ(join(reader, found->written), *truth) << text << schedule.print();
  }
  EXPECT_GT(numDependent, 500);
  EXPECT_LT(numDependent, 1800);
}

} // namespace

//===- PhasesTest.cpp - Phases cover every cell once ----------------------===//

#include "LCI/Interpreter/Phases.h"
#include "Testing.h"
#include <random>

using namespace mlir;
using namespace mlir::lci;

namespace {

/// Visits the cells of an array.
void forCells(ArrayRef<int64_t> extents, function_ref<void(ArrayRef<int64_t>)> visit) {
  SmallVector<int64_t> cell(extents.size(), 0);
  for (size_t axis = 1; axis != 0;) {
    visit(cell);
    for (axis = cell.size(); axis > 0 && ++cell[axis - 1] == extents[axis - 1]; --axis)
      cell[axis - 1] = 0;
  }
}

struct RandomPlan {
  std::string strategy, shape, options;
  SmallVector<int64_t> extents, axes; // no axes: all of them

  explicit RandomPlan(std::mt19937 &random) {
    auto pick = [&](int64_t first, int64_t last) {
      return std::uniform_int_distribution<int64_t>(first, last)(random);
    };
    const char *strategies[] = {"all",       "red_black", "four_color", "recolor",   "raster",
                                "wavefront", "masked",    "random",     "confidence"};
    strategy = strategies[pick(0, 8)];
    int64_t rank = pick(strategy == "four_color" ? 2 : 1, 3);
    std::string tile, list;
    for (int64_t axis = 0; axis < rank; ++axis) {
      extents.push_back(pick(1, 5));
      shape += (axis ? ", " : "") + std::to_string(extents.back());
      tile += (axis ? ", " : "") + std::to_string(pick(1, 3));
      if (pick(0, 1) || (axis + 1 == rank && axes.empty()))
        axes.insert(axes.begin() + pick(0, axes.size()), axis);
    }
    for (int64_t axis : axes)
      list += (list.empty() ? "" : ", ") + std::to_string(axis);
    bool isColoured = strategy == "red_black" || strategy == "four_color";
    if (isColoured && pick(0, 1))
      options = "tile=(" + tile + ")";
    if (strategy == "random" || strategy == "confidence")
      options = "0.5";
    bool takesAxes = strategy == "red_black" || strategy == "raster" || strategy == "wavefront";
    if (takesAxes && pick(0, 1))
      options += (options.empty() ? "axes=(" : ", axes=(") + list + ")";
    else
      axes.clear();
  }

  /// A value whose cells read the next one on every axis.
  std::string print() const {
    static const std::string kNames[] = {"x", "y", "z"};
    std::string cell, next;
    for (size_t axis = 0; axis < extents.size(); ++axis) {
      cell += (axis ? "," : "") + kNames[axis];
      next += (axis ? "," : "") + kNames[axis] + "+1";
    }
    std::string read = "A[" + next + "]", own = "A[" + cell + "]";
    return "value A : Token[3] shape Grid(" + shape + ") boundary wrap init 1\nvisible " + own +
           " <- " + read + "\nrule R:\n  on " + own + "\n  emit proposal " + own + " := " + read +
           "\nschedule A[*] using " + strategy + (options.empty() ? "" : "(" + options + ")") +
           "\ncommit A[*] using accept\n";
  }
};

class PhasesTest : public InterpreterTest {};

/// S-AXES: the position of a cell on the axes of a sweep: their sum, or their row-major number.
int64_t placeOf(const RandomPlan &plan, ArrayRef<int64_t> cell) {
  SmallVector<int64_t> axes(plan.axes);
  if (axes.empty())
    axes = llvm::to_vector(llvm::seq<int64_t>(0, cell.size()));
  int64_t sum = 0, number = 0;
  for (int64_t axis : axes) {
    sum += cell[axis];
    number = number * plan.extents[axis] + cell[axis];
  }
  return plan.strategy == "raster" ? number : sum;
}

// Cells that agree on the axes of a sweep are in one phase, and phases follow the order of these
// axes.
TEST_F(PhasesTest, SweepAlongTheirAxes) {
  std::mt19937 random(72);
  int numSwept = 0;
  for (int round = 0; round < 200; ++round) {
    RandomPlan plan(random);
    if (plan.strategy != "raster" && plan.strategy != "wavefront")
      continue;
    readText(plan.print());
    Phases phases(getProgram().lookupValue("A"), *getProgram().getOps<ScheduleOp>().begin());
    int64_t last = 0;
    forCells(plan.extents, [&](ArrayRef<int64_t> cell) {
      ASSERT_EQ(phases.getPhaseOf(cell), placeOf(plan, cell)) << plan.print();
      last = std::max(last, phases.getPhaseOf(cell));
    });
    ASSERT_EQ(phases.getNumPhases(), last + 1) << plan.print();
    numSwept += !plan.axes.empty();
  }
  EXPECT_GT(numSwept, 10);
}

// Each cell is in one phase of an epoch; under 'masked' only while it is empty, and under 'random'
// if it is drawn.
TEST_F(PhasesTest, CoverEveryCellOnce) {
  std::mt19937 random(71);
  std::map<std::string, int> seen;
  for (int round = 0; round < 300; ++round) {
    RandomPlan plan(random);
    readText(plan.print());
    auto schedule = *getProgram().getOps<ScheduleOp>().begin();
    ASSERT_TRUE(succeeded(Phases::verify(schedule)));
    Phases phases(getProgram().lookupValue("A"), schedule);
    int numDrawn = 0, numCells = 0;
    forCells(plan.extents, [&](ArrayRef<int64_t> cell) {
      for (bool isAbsent : {false, true}) {
        int numTimes = 0;
        for (int64_t phase = 0; phase < phases.getNumPhases(); ++phase)
          numTimes += phases.contains(cell, {7, 0, static_cast<uint64_t>(phase)}, isAbsent);
        if (plan.strategy != "random")
          ASSERT_EQ(numTimes, plan.strategy != "masked" || isAbsent) << plan.print();
        ASSERT_LE(numTimes, 1) << plan.print();
        numDrawn += numTimes;
        ++numCells;
      }
    });
    if (plan.strategy == "random" && numCells > 60)
      ASSERT_TRUE(0 < numDrawn && numDrawn < numCells) << plan.print();
    ++seen[plan.strategy];
  }
  EXPECT_EQ(seen.size(), 9u);
}

} // namespace

//===- Skews.cpp - Access ranges and skews of time-tiled stages -----------===//
//
// Collects the stages of an epoch loop with the rows that they access, and
// computes the smallest skews that keep the order of every two accesses to a
// row, because results must not change. Decides how many epochs to tile by the
// size of the cache.
//
//===----------------------------------------------------------------------===//

#include "LCI/Dialect/DrawQueries.h"
#include "LCI/Dialect/ElementSize.h"
#include "LCI/Dialect/Layout.h"
#include "LCI/Numerics/Draws.h"
#include "LCI/Transforms/Support/BufferAliasAnalysis.h"
#include "LCI/Transforms/Support/OperationQueries.h"
#include "SkewedEpochLoop.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::timetile;

/// The longest ping-pong period.
static constexpr unsigned kMaxPeriod = 4;

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// The index of a value among those that a loop carries.
static std::optional<unsigned> numberOfCarried(scf::ForOp loop, Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != loop.getBody() || value == loop.getInductionVar())
    return std::nullopt;
  return argument.getArgNumber() - loop.getNumInductionVars();
}

/// Finds the permutation of the carried buffers and its period.
std::optional<std::string> SkewedEpochLoop::findPeriod() {
  llvm::SmallDenseSet<unsigned> seen;
  for (Value yielded : loop.getYieldedValues()) {
    std::optional<unsigned> number = numberOfCarried(loop, yielded);
    if (!number || !seen.insert(*number).second)
      return "a loop that carries more than buffers";
    permutation.push_back(*number);
  }
  auto isHome = [&](unsigned number) {
    unsigned at = number;
    for (unsigned epoch = 0; epoch < epochsOfPeriod; ++epoch)
      at = permutation[at];
    return at == number;
  };
  while (!llvm::all_of(llvm::seq<unsigned>(permutation.size()), isHome))
    if (++epochsOfPeriod > kMaxPeriod)
      return "many ping-pong buffers";
  return std::nullopt;
}

/// The buffer outside of the loop behind a value of its body, or behind a view, in an epoch.
Value SkewedEpochLoop::bufferOf(Value value, unsigned epoch) {
  value = rootOf(value);
  std::optional<unsigned> number = numberOfCarried(loop, value);
  if (!number)
    return value;
  for (; epoch > 0; --epoch)
    number = permutation[*number];
  return loop.getInitArgs()[*number];
}

/// The row of the buffer at which its view begins; nothing if it is unknown.
static std::optional<int64_t> rowsBefore(Value value) {
  int64_t rows = 0;
  while (auto view = value.getDefiningOp<memref::SubViewOp>()) {
    if (view.getType().getRank() != view.getSourceType().getRank() ||
        ShapedType::isDynamic(view.getStaticOffsets().front()) ||
        view.getStaticStrides().front() != 1)
      return std::nullopt;
    rows += view.getStaticOffsets().front();
    value = view.getSource();
  }
  return rows;
}

/// Whether an array is a `noalias` argument with a static shape.
static bool isNoAliasArray(Value array) {
  auto type = dyn_cast<MemRefType>(array.getType());
  return type && type.hasStaticShape() && type.getRank() > 0 && isNoAliasArgument(array);
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

std::optional<std::string> SkewedEpochLoop::collectReads(TickOp tick, Stage &stage) {
  for (auto [argument, input] : llvm::zip_equal(tick.getInputArguments(), tick.getInputs())) {
    Value array = bufferOf(input, stage.epoch);
    if (!isa<MemRefType>(input.getType()) || !written.contains(array)) {
      if (isNoAliasArray(array))
        stage.accesses.push_back({array, 0, false});
      continue;
    }
    std::optional<int64_t> before = rowsBefore(input);
    for (Operation *user : argument.getUsers()) {
      auto load = dyn_cast<LoadOp>(user);
      auto window = load && before ? load.getWindow() : std::nullopt;
      if (!window || window->empty() || window->front().first != 0)
        return "a read of no window that follows the rows";
      stage.accesses.push_back({array, window->front().second + *before, false});
    }
  }
  return std::nullopt;
}

std::optional<std::string> SkewedEpochLoop::collect(TickOp tick, unsigned epoch) {
  if (tick.getRank() < 2 || tick.getScores() || tick.callsModel())
    return "a tick of one axis, with scores or with a model";
  if (!tick.isCellwise())
    return "a tick of several targets, or of elements that are no cells";
  std::optional<int64_t> first = getConstantIntValue(tick.getMixedOffsets().front());
  std::optional<int64_t> count = getConstantIntValue(tick.getMixedExtents().front());
  std::optional<int64_t> before = rowsBefore(tick.getTarget());
  Value target = bufferOf(tick.getTarget(), epoch);
  if (!first || !count || !before)
    return "a box whose rows are not known";
  if (!isNoAliasArray(target))
    return "an array that may have another name";
  Stage stage{tick, epoch, *first, *count, tick.getStridesOrOnes().front()};
  stage.accesses.push_back({target, *before, true});
  auto obstacle = collectReads(tick, stage);
  if (!obstacle && stage.count > 0)
    stages.push_back(std::move(stage));
  return obstacle;
}

/// Rows of the halo repeat rows of cells, so they are accessed together with those.
std::optional<std::string> SkewedEpochLoop::collect(RefreshHaloOp halo, unsigned epoch) {
  Value storage = bufferOf(halo.getStorage(), epoch);
  if (!isNoAliasArray(storage) || halo.getFill() || halo.getBegin() ||
      rowsBefore(halo.getStorage()) != 0)
    return "a halo that is filled or in part";
  Stage stage{halo, epoch, 0, halo.getExtent(0)};
  stage.accesses.push_back({storage, halo.getLow().front(), true});
  stages.push_back(std::move(stage));
  bool isAround = halo.getBoundaryOf(0) == Boundary::Wrap &&
                  (halo.getLow().front() > 0 || halo.getHigh().front() > 0);
  if (isAround && torus.value_or(halo.getExtent(0)) != halo.getExtent(0))
    return "tori of different heights";
  if (isAround)
    torus = halo.getExtent(0);
  return std::nullopt;
}

std::optional<std::string> SkewedEpochLoop::collect(Block &block, unsigned epoch) {
  for (Operation &op : block.without_terminator()) {
    auto branch = dyn_cast<scf::IfOp>(op);
    std::optional<std::string> obstacle;
    if (auto tick = dyn_cast<TickOp>(op))
      obstacle = collect(tick, epoch);
    else if (auto halo = dyn_cast<RefreshHaloOp>(op))
      obstacle = collect(halo, epoch);
    else if (branch && branch.getNumResults() == 0 && branch.getElseRegion().empty() &&
             loop.isDefinedOutsideOfLoop(branch.getCondition()))
      obstacle = collect(*branch.thenBlock(), epoch);
    else if (isa<scf::ForallOp>(op))
      obstacle = "ticks that threads share";
    else if (!isPure(&op))
      obstacle = "'" + op.getName().getStringRef().str() + "'";
    if (obstacle)
      return obstacle;
  }
  return std::nullopt;
}

/// Around a torus all stages must have the same rows.
std::optional<std::string> SkewedEpochLoop::findTorusObstacle() {
  if (torus && llvm::any_of(stages, [&](const Stage &stage) { return stage.end() > *torus; }))
    return "tori of different heights";
  return std::nullopt;
}

std::optional<std::string> SkewedEpochLoop::findObstacle() {
  if (!loop.getInductionVar().getType().isInteger(64) || !matchPattern(loop.getStep(), m_One()))
    return "a loop that does not count epochs";
  if (auto obstacle = findPeriod())
    return obstacle;
  for (unsigned epoch = 0; epoch < epochsOfPeriod; ++epoch)
    loop.getBody()->walk([&](TickOp tick) { written.insert(bufferOf(tick.getTarget(), epoch)); });
  for (unsigned epoch = 0; epoch < epochsOfPeriod; ++epoch)
    if (auto obstacle = collect(*loop.getBody(), epoch))
      return obstacle;
  return findTorusObstacle();
}

//===----------------------------------------------------------------------===//
// Skews
//===----------------------------------------------------------------------===//

namespace {
/// The stages that access each array.
class Conflicts {
public:
  explicit Conflicts(ArrayRef<Stage> stages) {
    for (const Stage &stage : stages)
      for (const Access &access : stage.accesses)
        byArray[access.array].push_back({&stage, access});
  }

  /// For each conflicting access of another stage to an array of this one: that stage, and the
  /// least skew of this stage behind it, or its least beginning below it. The early stage must
  /// access each row first.
  void forEachBefore(const Stage &late, int64_t direction,
                     function_ref<void(const Stage &, int64_t)> visit) const {
    for (const Access &second : late.accesses)
      for (const auto &[early, first] : byArray.at(second.array))
        if (first.isWrite || second.isWrite)
          visit(*early, std::max<int64_t>(direction * (second.move - first.move), 0));
  }

private:
  llvm::DenseMap<Value, SmallVector<std::pair<const Stage *, Access>>> byArray;
};
} // namespace

/// Assigns each stage its skew, which never decreases, and returns the skew from one period to the
/// next.
static int64_t spread(MutableArrayRef<Stage> stages, int64_t Stage::*side, int64_t direction) {
  Conflicts conflicts(stages);
  int64_t most = 0;
  for (Stage &late : stages) {
    conflicts.forEachBefore(late, direction, [&](const Stage &early, int64_t distance) {
      if (&early < &late)
        most = std::max(most, early.*side + distance);
    });
    late.*side = most;
  }
  int64_t ofPeriod = most; // that of the first stage is 0
  for (const Stage &late : stages)
    conflicts.forEachBefore(late, direction, [&](const Stage &early, int64_t distance) {
      ofPeriod = std::max(ofPeriod, early.*side + distance - late.*side);
    });
  return ofPeriod;
}

void SkewedEpochLoop::skewStages() {
  skewOfPeriod = spread(stages, &Stage::skew, 1);
  leadOfPeriod = spread(stages, &Stage::lead, -1);
}

//===----------------------------------------------------------------------===//
// Profitability
//===----------------------------------------------------------------------===//

/// The number of threads that have enough work in an iteration of the tile.
int64_t SkewedEpochLoop::countParts(const Worth &worth, Blocking by) {
  int64_t work = 0, numRows = 1;
  for (const Stage &stage : stages) {
    if (auto tick = dyn_cast<TickOp>(stage.op))
      work += getTickWork(tick);
    numRows = std::max(numRows, stage.end());
  }
  return mlir::lci::countParts(work / numRows * by.rows * by.periods,
                               std::min(worth.threads, by.periods), worth.grain);
}

/// The arrays that stages access.
static SmallVector<Value> arraysOf(ArrayRef<Stage> stages) {
  llvm::SmallSetVector<Value, 8> arrays;
  for (const Stage &stage : stages)
    for (const Access &access : stage.accesses)
      arrays.insert(access.array);
  return arrays.takeVector();
}

static int64_t bytesOf(Value array) {
  auto type = cast<MemRefType>(array.getType());
  if (LayoutAttr planes = layoutOf(type))
    return llvm::divideCeil(type.getNumElements() * planes.getPlanes(), 8);
  return bytesOfArray(type);
}

/// Bytes of the arrays, and of one row of each.
std::pair<int64_t, int64_t> SkewedEpochLoop::countBytes() {
  int64_t bytes = 0, rowBytes = 0;
  for (Value array : arraysOf(stages)) {
    int64_t rows = cast<MemRefType>(array.getType()).getDimSize(0), all = bytesOf(array);
    bytes += all;
    rowBytes += llvm::divideCeil(all, std::max<int64_t>(rows, 1));
  }
  return {bytes, rowBytes};
}

/// Bytes that a core moves from or to memory while it draws a block of random bits; measured.
static constexpr int64_t kBytesOfBlock = 64;

/// The blocks of random bits that the cells of a tick draw: one for four numbers; of the blocks
/// that decide 32 threshold draws, nearly always only the first ones.
static int64_t countBlocks(TickOp tick) {
  constexpr int64_t cells = ::lci::numerics::kThresholdCells;
  int64_t ofCells = 0;
  tick.getBody().walk([&](Operation *op) {
    if (isa<BernoulliOp, DrawBelowOp>(op))
      ofCells += ::lci::numerics::kEagerBlocks;
    else if (isDraw(op))
      ofCells += cells / ::lci::numerics::kNumberCells;
  });
  for (unsigned axis = 0; axis < tick.getRank(); ++axis)
    ofCells = llvm::SaturatingMultiply<uint64_t>(ofCells, getMaxExtent(tick, axis));
  return ofCells / cells;
}

/// Whether memory traffic takes longer than draws.
bool SkewedEpochLoop::isBoundByMemory() {
  int64_t moved = 0, drawn = 0;
  for (const Stage &stage : stages) {
    auto tick = dyn_cast<TickOp>(stage.op);
    if (!tick)
      continue;
    for (Value array : arraysOf(stage))
      moved += bytesOf(array);
    drawn += countBlocks(tick) * kBytesOfBlock;
  }
  return moved >= drawn;
}

/// The most periods for which the rows left out next to the seam do not exceed those of the torus.
int64_t SkewedEpochLoop::countPeriodsAroundTorus() {
  int64_t most = 0, ofPeriod = std::max<int64_t>(skewOfPeriod + leadOfPeriod, 1);
  for (const Stage &stage : stages)
    most = std::max(most, stage.skew + stage.lead);
  return *torus < most ? 0 : 1 + (*torus - most) / ofPeriod;
}

std::optional<Blocking> SkewedEpochLoop::choose(const Worth &worth, int64_t maxEpochs,
                                                int64_t rows) {
  auto [bytes, rowBytes] = countBytes();
  if (bytes <= worth.minBytes || rowBytes == 0 || (worth.minBytes > 0 && !isBoundByMemory()))
    return std::nullopt;
  skewStages();
  // A quarter of the cache is for the tile, the remainder for the rows between the stages.
  rows = std::clamp<int64_t>(worth.cacheBytes / (4 * rowBytes), 1, rows);
  int64_t fitting = (worth.cacheBytes / rowBytes - rows) / std::max<int64_t>(skewOfPeriod, 1);
  Blocking by{std::min(maxEpochs / epochsOfPeriod, fitting), rows};
  if (torus)
    by.periods = std::min(by.periods, countPeriodsAroundTorus());
  if (by.periods < 1 || by.periods * epochsOfPeriod < 2)
    return std::nullopt;
  by.parts = countParts(worth, by);
  by.periods -= by.periods % by.parts;
  return by;
}

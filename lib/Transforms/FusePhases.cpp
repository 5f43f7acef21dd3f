//===- FusePhases.cpp - Several phases and epochs in one pass over memory -===//
//
// Phases of large arrays read and write all of them, again and again. Here a window of rows moves
// over the arrays once for several epochs, and each phase follows the one before it at the smallest
// distance in rows that their reads and writes allow: what a phase wrote is still in the cache when
// the next one reads it. No cell is computed twice, and no result is another one, since every two
// accesses of one row keep their order. Threads take epochs of a window side by side, if each is a
// whole window further behind than it must be.
//
//===----------------------------------------------------------------------===//

#include "BufferFacts.h"
#include "LCI/Dialect/LCIOps.h"
#include "LCI/Dialect/Layout.h"
#include "LCI/Transforms/Passes.h"
#include "TickParts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::lci {
#define GEN_PASS_DEF_FUSEPHASESPASS
#include "LCI/Transforms/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

namespace {

/// A tick touches the row of an array that is `move` rows below its own.
struct Access {
  Value array;
  int64_t move;
  bool isWrite;
};

/// A tick of the loop, what it touches, and how far behind the first one it runs.
struct Stage {
  TickOp tick;
  SmallVector<Access> accesses;
  int64_t delay = 0;

  int64_t first() { return *getConstantIntValue(tick.getMixedOffsets().front()); }
  int64_t count() { return *getConstantIntValue(tick.getMixedExtents().front()); }
  int64_t step() { return tick.getStridesOrOnes().front(); }
  /// The first row behind the last one that it computes.
  int64_t end() { return first() + (count() - 1) * step() + 1; }
};

/// How many epochs go over memory together, in windows of how many rows, and by how many threads.
struct Blocking {
  int64_t epochs, rows, parts = 1;
};

/// What there must be to do: arrays of so many bytes, and so much for each of the threads.
struct Worth {
  int64_t smallest, cacheBytes, threads, grain;
};

/// A loop over epochs that holds ticks, perhaps behind switches, and nothing else with effects.
class EpochLoop {
public:
  explicit EpochLoop(scf::ForOp loop) : loop(loop) {}

  /// Why phases cannot be fused, if they cannot.
  std::optional<std::string> findObstacle();
  /// How to fuse them, if memory is worth it.
  std::optional<Blocking> choose(const Worth &worth, Blocking most);
  void fuse(Blocking by);

private:
  std::optional<std::string> collect(Block &block);
  std::optional<std::string> collect(TickOp tick);
  std::optional<std::string> collectReads(TickOp tick, Stage &stage);
  bool isWritten(Value array);
  void delayStages();
  int64_t countParts(const Worth &worth, Blocking by);
  int64_t delayBetween(const Stage &early, const Stage &late);
  Value index(OpBuilder &builder, int64_t value) {
    return arith::ConstantIndexOp::create(builder, loop.getLoc(), value);
  }
  scf::ForOp emitGroups(OpBuilder &builder, int64_t epochs);
  void emitEpochs(OpBuilder &builder, scf::ForOp groups, scf::ForOp windows, Blocking by);
  void emitWindow(OpBuilder &builder, Block &block, IRMapping &mapping, Value window, int64_t rows);
  void emitRows(OpBuilder &builder, Stage &stage, IRMapping &mapping, Value window, int64_t rows);
  Value stepsUpTo(OpBuilder &builder, Stage &stage, Value row);

  scf::ForOp loop;
  SmallVector<Stage> stages;
  int64_t delayOfEpoch = 0;
};

} // namespace

//===----------------------------------------------------------------------===//
// What is touched
//===----------------------------------------------------------------------===//

/// Memory of its own.
static bool isOwnArray(Value array) {
  auto type = dyn_cast<MemRefType>(array.getType());
  return type && type.hasStaticShape() && type.getRank() > 0 && !layoutOf(type) &&
         isOwnArgument(array);
}

bool EpochLoop::isWritten(Value array) {
  auto result = loop.getBody()->walk([&](TickOp tick) {
    return tick.getTarget() == array ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result.wasInterrupted();
}

std::optional<std::string> EpochLoop::collectReads(TickOp tick, Stage &stage) {
  for (auto [argument, input] : llvm::zip_equal(tick.getInputArguments(), tick.getInputs())) {
    if (!isa<MemRefType>(input.getType()) || !isWritten(input)) {
      if (isOwnArray(input))
        stage.accesses.push_back({input, 0, false});
      continue;
    }
    for (Operation *user : argument.getUsers()) {
      auto load = dyn_cast<LoadOp>(user);
      auto window = load ? load.getWindow() : std::nullopt;
      if (!window || window->empty() || window->front().first != 0)
        return "a read of no window that follows the rows";
      stage.accesses.push_back({input, window->front().second, false});
    }
  }
  return std::nullopt;
}

std::optional<std::string> EpochLoop::collect(TickOp tick) {
  if (tick.getRank() < 2 || tick.getScores() || tick.asksModel())
    return "a tick of one axis, with scores or with a model";
  if (!getConstantIntValue(tick.getMixedOffsets().front()) ||
      !getConstantIntValue(tick.getMixedExtents().front()))
    return "a box whose rows are not known";
  if (!isOwnArray(tick.getTarget()))
    return "an array with a halo or a second buffer";
  Stage stage{tick, {{tick.getTarget(), 0, true}}};
  auto obstacle = collectReads(tick, stage);
  if (!obstacle && stage.count() > 0)
    stages.push_back(std::move(stage));
  return obstacle;
}

std::optional<std::string> EpochLoop::collect(Block &block) {
  for (Operation &op : block.without_terminator()) {
    auto branch = dyn_cast<scf::IfOp>(op);
    std::optional<std::string> obstacle;
    if (auto tick = dyn_cast<TickOp>(op))
      obstacle = collect(tick);
    else if (branch && branch.getNumResults() == 0 && branch.getElseRegion().empty() &&
             loop.isDefinedOutsideOfLoop(branch.getCondition()))
      obstacle = collect(*branch.thenBlock());
    else if (isa<scf::ForallOp>(op))
      obstacle = "ticks that threads share";
    else if (!isPure(&op))
      obstacle = "'" + op.getName().getStringRef().str() + "'";
    if (obstacle)
      return obstacle;
  }
  return std::nullopt;
}

std::optional<std::string> EpochLoop::findObstacle() {
  if (loop.getNumResults() > 0)
    return "buffers that take turns";
  if (!loop.getInductionVar().getType().isInteger(64) || !matchPattern(loop.getStep(), m_One()))
    return "a loop that does not count epochs";
  return collect(*loop.getBody());
}

//===----------------------------------------------------------------------===//
// Delays
//===----------------------------------------------------------------------===//

/// By how many rows a stage must be behind an earlier one: what is in one row must be touched by
/// the early one first, if either writes it.
int64_t EpochLoop::delayBetween(const Stage &early, const Stage &late) {
  int64_t delay = 0;
  for (const Access &first : early.accesses)
    for (const Access &second : late.accesses)
      if (first.array == second.array && (first.isWrite || second.isWrite))
        delay = std::max(delay, second.move - first.move);
  return delay;
}

void EpochLoop::delayStages() {
  for (Stage &late : stages)
    for (Stage &early : stages) {
      if (&early == &late)
        break;
      late.delay = std::max(late.delay, early.delay + delayBetween(early, late));
    }
  for (Stage &early : stages)
    for (Stage &late : stages)
      delayOfEpoch = std::max(delayOfEpoch, early.delay + delayBetween(early, late) - late.delay);
}

/// As many threads as find enough to do in a turn of the window.
int64_t EpochLoop::countParts(const Worth &worth, Blocking by) {
  int64_t work = 0, numRows = 1;
  for (Stage &stage : stages) {
    work += getTickWork(stage.tick);
    numRows = std::max(numRows, stage.end());
  }
  return lci::countParts(work / numRows * by.rows * by.epochs, std::min(worth.threads, by.epochs),
                         worth.grain);
}

std::optional<Blocking> EpochLoop::choose(const Worth &worth, Blocking most) {
  delayStages();
  llvm::SmallSetVector<Value, 8> arrays;
  for (const Stage &stage : stages)
    for (const Access &access : stage.accesses)
      arrays.insert(access.array);
  int64_t bytes = 0, rowBytes = 0;
  DataLayout layout = DataLayout::closest(loop);
  for (Value array : arrays) {
    auto type = cast<MemRefType>(array.getType());
    int64_t width = layout.getTypeSize(type.getElementType()).getFixedValue();
    bytes += type.getNumElements() * width;
    rowBytes += type.getNumElements() / std::max<int64_t>(type.getDimSize(0), 1) * width;
  }
  if (bytes <= worth.smallest || rowBytes == 0)
    return std::nullopt;
  int64_t fitting = (worth.cacheBytes / rowBytes - most.rows) / std::max<int64_t>(delayOfEpoch, 1);
  most.epochs = std::min(most.epochs, fitting);
  if (most.epochs < 2)
    return std::nullopt;
  most.parts = countParts(worth, most);
  most.epochs -= most.epochs % most.parts;
  return most;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// How many of a stage's rows are above a row.
Value EpochLoop::stepsUpTo(OpBuilder &builder, Stage &stage, Value row) {
  Location loc = loop.getLoc();
  Value from = index(builder, stage.first() - stage.step() + 1);
  Value distance = arith::SubIOp::create(builder, loc, row, from);
  distance = arith::MaxSIOp::create(builder, loc, distance, index(builder, 0));
  Value steps = arith::DivUIOp::create(builder, loc, distance, index(builder, stage.step()));
  return arith::MinUIOp::create(builder, loc, steps, index(builder, stage.count()));
}

/// The rows of one stage that are in the window, which it sees with its delay.
void EpochLoop::emitRows(OpBuilder &builder, Stage &stage, IRMapping &mapping, Value window,
                         int64_t rows) {
  Location loc = loop.getLoc();
  Value begin = arith::SubIOp::create(builder, loc, window, index(builder, stage.delay));
  Value end = arith::AddIOp::create(builder, loc, begin, index(builder, rows));
  Value low = stepsUpTo(builder, stage, begin), high = stepsUpTo(builder, stage, end);
  Value offset = arith::MulIOp::create(builder, loc, low, index(builder, stage.step()));
  offset = arith::AddIOp::create(builder, loc, offset, index(builder, stage.first()));
  SmallVector<OpFoldResult> offsets = stage.tick.getMixedOffsets();
  SmallVector<OpFoldResult> extents = stage.tick.getMixedExtents();
  SmallVector<int64_t> strides = stage.tick.getStridesOrOnes();
  for (OpFoldResult &side : llvm::concat<OpFoldResult>(offsets, extents))
    if (auto value = dyn_cast<Value>(side))
      side = mapping.lookupOrDefault(value);
  offsets.front() = offset;
  extents.front() = arith::SubIOp::create(builder, loc, high, low).getResult();
  auto tick = cast<TickOp>(builder.clone(*stage.tick, mapping));
  setBox(tick, offsets, extents, strides);
}

void EpochLoop::emitWindow(OpBuilder &builder, Block &block, IRMapping &mapping, Value window,
                           int64_t rows) {
  for (Operation &op : block.without_terminator()) {
    auto *stage = llvm::find_if(stages, [&](Stage &one) { return one.tick == &op; });
    if (stage != stages.end()) {
      emitRows(builder, *stage, mapping, window, rows);
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      OpBuilder::InsertionGuard guard(builder);
      auto copy = scf::IfOp::create(builder, op.getLoc(), branch.getCondition(),
                                    /*withElseRegion=*/false);
      builder.setInsertionPointToStart(copy.thenBlock());
      emitWindow(builder, *branch.thenBlock(), mapping, window, rows);
    } else if (!isa<TickOp>(op)) { // else one of no rows
      builder.clone(op, mapping);
    }
  }
}

/// As many epochs as are whole groups; the others stay as they are.
scf::ForOp EpochLoop::emitGroups(OpBuilder &builder, int64_t epochs) {
  Location loc = loop.getLoc();
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, loc, value, 64);
  };
  Value all = arith::SubIOp::create(builder, loc, loop.getUpperBound(), loop.getLowerBound());
  all = arith::MaxSIOp::create(builder, loc, all, number(0));
  Value groups = arith::DivUIOp::create(builder, loc, all, number(epochs));
  Value grouped = arith::MulIOp::create(builder, loc, groups, number(epochs));
  Value middle = arith::AddIOp::create(builder, loc, loop.getLowerBound(), grouped);
  auto made = scf::ForOp::create(builder, loc, loop.getLowerBound(), middle, number(epochs));
  loop.getLowerBoundMutable().assign(middle);
  return made;
}

/// One window, by one thread or by several. Each of these takes epochs that follow each other, as
/// many windows behind the first as there are threads between: so what runs at a time touches
/// rows of its own, and who comes later finds what it reads.
void EpochLoop::emitEpochs(OpBuilder &builder, scf::ForOp groups, scf::ForOp windows, Blocking by) {
  Location loc = loop.getLoc();
  IRMapping mapping;
  OwnCounts counts;
  Value window = windows.getInductionVar(), first, last;
  builder.setInsertionPointToStart(windows.getBody());
  if (by.parts > 1) {
    auto shared = scf::ForallOp::create(builder, loc, {builder.getIndexAttr(by.parts)},
                                        ValueRange(), /*mapping=*/std::nullopt);
    shared->setAttr("lci.name", builder.getStringAttr("window"));
    builder.setInsertionPointToStart(shared.getBody());
    for (Stage &stage : stages)
      counts.note(stage.tick);
    counts.make(builder, loc, mapping);
    Value part = shared.getInductionVar(0), each = index(builder, by.epochs / by.parts);
    Value behind = arith::MulIOp::create(builder, loc, part, index(builder, by.rows));
    window = arith::SubIOp::create(builder, loc, window, behind);
    first = arith::MulIOp::create(builder, loc, part, each);
    last = arith::AddIOp::create(builder, loc, first, each);
  } else {
    first = index(builder, 0);
    last = index(builder, by.epochs);
  }
  auto within = scf::ForOp::create(builder, loc, first, last, index(builder, 1));
  counts.addUp(builder, loc);
  builder.setInsertionPointToStart(within.getBody());
  Value turn = within.getInductionVar();
  Value behind = arith::MulIOp::create(builder, loc, turn, index(builder, delayOfEpoch));
  window = arith::SubIOp::create(builder, loc, window, behind);
  turn = arith::IndexCastOp::create(builder, loc, builder.getI64Type(), turn);
  mapping.map(loop.getInductionVar(),
              arith::AddIOp::create(builder, loc, groups.getInductionVar(), turn).getResult());
  emitWindow(builder, *loop.getBody(), mapping, window, by.rows);
}

void EpochLoop::fuse(Blocking by) {
  OpBuilder builder(loop);
  scf::ForOp groups = emitGroups(builder, by.epochs);
  int64_t end = 0;
  for (Stage &stage : stages)
    end = std::max(end, stage.end() + stage.delay + (by.epochs - 1) * delayOfEpoch +
                            (by.parts - 1) * by.rows);
  builder.setInsertionPointToStart(groups.getBody());
  auto windows = scf::ForOp::create(builder, loop.getLoc(), index(builder, 0), index(builder, end),
                                    index(builder, by.rows));
  emitEpochs(builder, groups, windows, by);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct FusePhases : lci::impl::FusePhasesPassBase<FusePhases> {
  using FusePhasesPassBase::FusePhasesPassBase;

  void runOnOperation() override {
    llvm::SetVector<scf::ForOp> loops;
    getOperation().walk([&](TickOp tick) {
      if (auto loop = tick->getParentOfType<scf::ForOp>())
        loops.insert(loop);
    });
    for (scf::ForOp loop : loops) {
      EpochLoop epochs(loop);
      if (std::optional<std::string> obstacle = epochs.findObstacle()) {
        if (remarks)
          loop.emitRemark() << "the phases are not fused because of " << *obstacle;
        continue;
      }
      std::optional<Blocking> blocking =
          epochs.choose({smallest, cacheBytes, threads, grain}, {maxEpochs, rows});
      if (!blocking)
        continue;
      epochs.fuse(*blocking);
      ++numFused;
    }
  }
};
} // namespace

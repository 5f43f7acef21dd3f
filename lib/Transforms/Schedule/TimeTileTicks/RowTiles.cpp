//===- RowTiles.cpp - Loops over tiles of rows and the seam of a torus ----===//
//
// Emits the time-tiled loops. Around a torus the first rows depend on the last
// ones. There each stage begins below those before it, as well as it ends above
// them, so that none reads unavailable rows; the few remaining rows of all
// stages next to the seam follow in program order.
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/Support/Ways.h"
#include "SkewedEpochLoop.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::timetile;

//===----------------------------------------------------------------------===//
// Rows of a stage
//===----------------------------------------------------------------------===//

/// The number of a stage's rows above a row.
Value SkewedEpochLoop::stepsUpTo(OpBuilder &builder, const Stage &stage, Value row) {
  Value from = index(builder, stage.first - stage.step + 1);
  Value distance = arith::SubIOp::create(builder, loc(), row, from);
  distance = arith::MaxSIOp::create(builder, loc(), distance, index(builder, 0));
  Value steps = arith::DivUIOp::create(builder, loc(), distance, index(builder, stage.step));
  return arith::MinUIOp::create(builder, loc(), steps, index(builder, stage.count));
}

/// Emits a stage for those of its rows that are in a range.
void SkewedEpochLoop::emitRows(OpBuilder &builder, const Stage &stage, IRMapping mapping,
                               Range rows) {
  Value low = stepsUpTo(builder, stage, rows.begin), high = stepsUpTo(builder, stage, rows.end);
  if (torus) // ranges are clamped to the torus and may be empty
    high = arith::MaxUIOp::create(builder, loc(), low, high);
  // An empty range begins at a valid row, so that its views stay within their arrays.
  Value begin = arith::MinUIOp::create(builder, loc(), low,
                                       index(builder, std::max<int64_t>(stage.count - 1, 0)));
  Value offset = arith::MulIOp::create(builder, loc(), begin, index(builder, stage.step));
  offset = arith::AddIOp::create(builder, loc(), offset, index(builder, stage.first));
  Value count = arith::SubIOp::create(builder, loc(), high, low);
  Operation *copy = builder.clone(*stage.op, mapping);
  if (auto halo = dyn_cast<RefreshHaloOp>(copy)) {
    halo.getBeginMutable().assign(offset);
    halo.getCountMutable().assign(count);
    return;
  }
  auto tick = cast<TickOp>(copy);
  SmallVector<OpFoldResult> offsets = tick.getMixedOffsets(), extents = tick.getMixedExtents();
  offsets.front() = offset;
  extents.front() = count;
  tick.setBox(offsets, extents, tick.getStridesOrOnes());
}

//===----------------------------------------------------------------------===//
// Periods
//===----------------------------------------------------------------------===//

void SkewedEpochLoop::emitBlock(OpBuilder &builder, Block &block, unsigned epoch,
                                IRMapping &mapping, Ranges ranges) {
  for (Operation &op : block.without_terminator()) {
    auto *stage = llvm::find_if(
        stages, [&](const Stage &one) { return one.op == &op && one.epoch == epoch; });
    if (stage != stages.end()) {
      for (Range rows : ranges(*stage))
        emitRows(builder, *stage, mapping, rows);
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      OpBuilder::InsertionGuard guard(builder);
      auto copy = scf::IfOp::create(builder, op.getLoc(), branch.getCondition(),
                                    /*withElseRegion=*/false);
      builder.setInsertionPointToStart(copy.thenBlock());
      emitBlock(builder, *branch.thenBlock(), epoch, mapping, ranges);
    } else if (!isa<TickOp>(op)) { // a tick that is no stage has no rows
      builder.clone(op, mapping);
    }
  }
}

/// Emits the epochs of a period, each with its permutation of buffers.
void SkewedEpochLoop::emitPeriod(OpBuilder &builder, scf::ForOp groups, Value period,
                                 const IRMapping &mapping, Ranges ranges) {
  Value done = arith::IndexCastOp::create(builder, loc(), builder.getI64Type(),
                                          scaled(builder, period, epochsOfPeriod, 0));
  Value first = arith::AddIOp::create(builder, loc(), groups.getInductionVar(), done);
  for (unsigned epoch = 0; epoch < epochsOfPeriod; ++epoch) {
    IRMapping mine = mapping;
    Value number = arith::ConstantIntOp::create(builder, loc(), epoch, 64);
    mine.map(loop.getInductionVar(), builder.createOrFold<arith::AddIOp>(loc(), first, number));
    for (Value carried : loop.getRegionIterArgs())
      mine.map(carried, bufferOf(carried, epoch));
    emitBlock(builder, *loop.getBody(), epoch, mine, ranges);
  }
}

/// `period * each + more`.
Value SkewedEpochLoop::scaled(OpBuilder &builder, Value period, int64_t each, int64_t more) {
  Value rows = builder.createOrFold<arith::MulIOp>(loc(), period, index(builder, each));
  return builder.createOrFold<arith::AddIOp>(loc(), rows, index(builder, more));
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Makes the loop over whole groups of epochs; the old loop keeps the remaining ones.
scf::ForOp SkewedEpochLoop::emitGroups(OpBuilder &builder, int64_t epochs) {
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, loc(), value, 64);
  };
  Value all = arith::SubIOp::create(builder, loc(), loop.getUpperBound(), loop.getLowerBound());
  all = arith::MaxSIOp::create(builder, loc(), all, number(0));
  Value groups = arith::DivUIOp::create(builder, loc(), all, number(epochs));
  Value grouped = arith::MulIOp::create(builder, loc(), groups, number(epochs));
  Value middle = arith::AddIOp::create(builder, loc(), loop.getLowerBound(), grouped);
  auto made = scf::ForOp::create(builder, loc(), loop.getLowerBound(), middle, number(epochs));
  loop.getLowerBoundMutable().assign(middle);
  return made;
}

/// Emits a tile, computed by one thread or by several. Each thread takes consecutive periods, and
/// lags one tile more than the thread before it: concurrent threads access disjoint rows, and
/// later ones find what they read.
void SkewedEpochLoop::emitPeriods(OpBuilder &builder, scf::ForOp groups, scf::ForOp tiles,
                                  Blocking by) {
  IRMapping mapping;
  PrivateCounts counts;
  Value tile = tiles.getInductionVar(), first, last;
  builder.setInsertionPointToStart(tiles.getBody());
  if (by.parts > 1) {
    auto shared = scf::ForallOp::create(builder, loc(), {builder.getIndexAttr(by.parts)},
                                        ValueRange(), /*mapping=*/std::nullopt);
    shared->setAttr("lci.name", builder.getStringAttr("tile"));
    builder.setInsertionPointToStart(shared.getBody());
    for (const Stage &stage : stages)
      if (auto tick = dyn_cast<TickOp>(stage.op))
        counts.note(tick);
    counts.make(builder, loc(), mapping);
    Value part = shared.getInductionVar(0), each = index(builder, by.periods / by.parts);
    Value behind = arith::MulIOp::create(builder, loc(), part, index(builder, by.rows));
    tile = arith::SubIOp::create(builder, loc(), tile, behind);
    first = arith::MulIOp::create(builder, loc(), part, each);
    last = arith::AddIOp::create(builder, loc(), first, each);
  } else {
    first = index(builder, 0);
    last = index(builder, by.periods);
  }
  auto within = scf::ForOp::create(builder, loc(), first, last, index(builder, 1));
  counts.addUp(builder, loc());
  builder.setInsertionPointToStart(within.getBody());
  Value period = within.getInductionVar();
  emitPeriod(builder, groups, period, mapping, [&](const Stage &stage) {
    Value behind = scaled(builder, period, skewOfPeriod, stage.skew);
    Value begin = arith::SubIOp::create(builder, loc(), tile, behind);
    Value end = arith::AddIOp::create(builder, loc(), begin, index(builder, by.rows));
    if (torus) {
      Value low = scaled(builder, period, leadOfPeriod, stage.lead);
      Value high = arith::SubIOp::create(builder, loc(), index(builder, *torus), behind);
      begin = arith::MaxSIOp::create(builder, loc(), begin, low);
      end = arith::MinSIOp::create(builder, loc(), end, high);
    }
    return SmallVector<Range>{{begin, end}};
  });
}

/// Emits the rows of each stage that the tiles left out: the last ones, and then the first ones.
void SkewedEpochLoop::emitSeam(OpBuilder &builder, scf::ForOp groups, int64_t periods) {
  auto left = scf::ForOp::create(builder, loc(), index(builder, 0), index(builder, periods),
                                 index(builder, 1));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(left.getBody());
  Value period = left.getInductionVar();
  emitPeriod(builder, groups, period, IRMapping(), [&](const Stage &stage) {
    Value behind = scaled(builder, period, skewOfPeriod, stage.skew);
    Value above = scaled(builder, period, leadOfPeriod, stage.lead);
    Value all = index(builder, *torus);
    Value begin = arith::SubIOp::create(builder, loc(), all, behind);
    return SmallVector<Range>{{begin, all}, {index(builder, 0), above}};
  });
}

void SkewedEpochLoop::fuse(Blocking by) {
  took(loop, torus ? Way::TileSeam : Way::RowTile);
  if (by.parts > 1)
    took(loop, Way::TileThreads);
  OpBuilder builder(loop);
  scf::ForOp groups = emitGroups(builder, by.periods * epochsOfPeriod);
  int64_t end = torus.value_or(0) + (by.parts - 1) * by.rows;
  for (const Stage &stage : stages)
    if (!torus)
      end = std::max(end, stage.end() + stage.skew + (by.periods - 1) * skewOfPeriod +
                              (by.parts - 1) * by.rows);
  builder.setInsertionPointToStart(groups.getBody());
  auto tiles = scf::ForOp::create(builder, loc(), index(builder, 0), index(builder, end),
                                  index(builder, by.rows));
  if (torus)
    emitSeam(builder, groups, by.periods);
  emitPeriods(builder, groups, tiles, by);
}

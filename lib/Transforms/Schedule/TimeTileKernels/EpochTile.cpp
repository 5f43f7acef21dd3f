//===- EpochTile.cpp - Emit kernels of several epochs ---------------------===//
//
// A thread keeps its cells in registers, and stores them for its neighbours in
// each epoch. A cell beyond the tile's sides is replaced by the cell at the
// side. That value is wrong, as are those computed from it, but they spread
// inwards slowly and are not stored.
//
//===----------------------------------------------------------------------===//

#include "EpochTile.h"
#include "LCI/Transforms/Support/OperationQueries.h"
#include "LCI/Transforms/Support/WorkgroupMemory.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::lci;

Value EpochTile::index(int64_t value) { return arith::ConstantIndexOp::create(*b, loc, value); }

Value EpochTile::add(Value left, Value right) {
  return b->createOrFold<arith::AddIOp>(loc, left, right);
}

Value EpochTile::isLess(Value left, Value right) {
  return arith::CmpIOp::create(*b, loc, arith::CmpIPredicate::slt, left, right);
}

/// The index that lies `back` cells before another one, on the torus.
Value EpochTile::wrap(Value place, int64_t back, unsigned axis) {
  int64_t size = epochs.cells.sides[axis];
  int64_t forward = static_cast<int64_t>(llvm::divideCeil(back, size)) * size - back;
  return arith::RemUIOp::create(*b, loc, add(place, index(forward)), index(size));
}

/// Computes the indices of a thread's cells, in the tile and on the torus.
void EpochTile::findPlaces(gpu::LaunchOp launch) {
  threadX = launch.getThreadIds().x;
  threadRow = arith::MulIOp::create(*b, loc, launch.getThreadIds().y, index(shape.rows));
  auto begin = [&](Value block, int64_t inner) -> Value {
    return arith::MulIOp::create(*b, loc, block, index(inner));
  };
  Value column = add(begin(launch.getBlockIds().x, shape.innerColumns()), threadX);
  Value row = add(begin(launch.getBlockIds().y, shape.innerRows()), threadRow);
  columnOf = wrap(column, shape.ghostColumns, 1);
  rowsOf = {wrap(row, shape.ghostRows, 0)};
  Value size = index(epochs.cells.sides[0]);
  for (int64_t i = 1; i < shape.rows; ++i) {
    if (hasWholeGroups()) { // no thread's rows cross the end of the torus
      rowsOf.push_back(add(rowsOf.front(), index(i)));
      continue;
    }
    Value next = add(rowsOf.back(), index(1));
    Value isEnd = arith::CmpIOp::create(*b, loc, arith::CmpIPredicate::eq, next, size);
    rowsOf.push_back(arith::SelectOp::create(*b, loc, isEnd, index(0), next));
  }
  auto isWithin = [&](Value place, int64_t ghosts, int64_t all) {
    Value low = isLess(place, index(ghosts));
    Value none = arith::ConstantIntOp::create(*b, loc, 1, 1);
    return arith::AndIOp::create(*b, loc, arith::XOrIOp::create(*b, loc, low, none),
                                 isLess(place, index(all - ghosts)));
  };
  // The last tiles may extend beyond the torus, where the cells belong to other tiles.
  auto isOnTorus = [&](Value place, int64_t ghosts, unsigned axis) {
    return isLess(place, index(epochs.cells.sides[axis] + ghosts));
  };
  inside = arith::AndIOp::create(*b, loc, isWithin(threadX, shape.ghostColumns, shape.columns),
                                 isWithin(threadRow, shape.ghostRows, shape.allRows()));
  inside = arith::AndIOp::create(*b, loc, inside, isOnTorus(column, shape.ghostColumns, 1));
  inside = arith::AndIOp::create(*b, loc, inside, isOnTorus(row, shape.ghostRows, 0));
  for (int64_t i = 0; !hasWholeGroups() && i < shape.rows; ++i)
    rowInside.push_back(isOnTorus(add(row, index(i)), shape.ghostRows, 0));
}

SmallVector<Value> EpochTile::loadCells(Value from) {
  Value column = add(columnOf, index(epochs.cells.first[1]));
  return llvm::map_to_vector(rowsOf, [&](Value row) -> Value {
    Value place = add(row, index(epochs.cells.first[0]));
    return memref::LoadOp::create(*b, loc, from, ValueRange{place, column});
  });
}

/// The cell at a distance from the thread's first one, clamped to the tile.
Value EpochTile::neighbour(Value tile, ValueRange registers, Place distance) {
  auto [row, column] = distance;
  if (column == 0 && row >= 0 && row < shape.rows)
    return registers[row];
  Value &known = loaded[distance];
  if (known)
    return known;
  auto within = [&](Value place, int64_t by, int64_t end) -> Value {
    if (by == 0)
      return place;
    Value moved = add(place, index(by));
    if (by < 0)
      return arith::MaxSIOp::create(*b, loc, moved, index(0));
    return arith::MinSIOp::create(*b, loc, moved, index(end - 1));
  };
  bool isLocalRow = row >= 0 && row < shape.rows;
  Value tileRow = isLocalRow ? add(threadRow, index(row)) : within(threadRow, row, shape.allRows());
  Value tileColumn = within(threadX, column, shape.columns);
  return known = memref::LoadOp::create(*b, loc, tile, ValueRange{tileRow, tileColumn});
}

/// Clones the computation of a value of the loop over epochs from values that are mapped already.
Value EpochTile::copyFrom(Value value, IRMapping &mapping) {
  Operation *op = value.getDefiningOp();
  if (!op || mapping.contains(value) || !epochs.loop->isAncestor(op))
    return mapping.lookupOrDefault(value);
  for (Value operand : op->getOperands())
    copyFrom(operand, mapping);
  b->clone(*op, mapping);
  return mapping.lookup(value);
}

/// Maps the arguments of the tick's body for one of the thread's cells.
void EpochTile::mapArguments(int64_t row, Value epoch, IRMapping &mapping) {
  TickOp tick = epochs.tick;
  mapping.map(epochs.loop.getInductionVar(), epoch);
  Value places[] = {rowsOf[row], columnOf};
  for (auto [axis, argument] : llvm::enumerate(tick.getIndexArguments())) {
    int64_t first = *getConstantIntValue(tick.getMixedOffsets()[axis]);
    mapping.map(argument, first == 0 ? places[axis] : add(places[axis], index(first)));
  }
  Value clocks[] = {tick.getEpoch(), tick.getPhase(), tick.getSeed()};
  auto arguments = tick.getBody().getArguments().drop_front(tick.getRank());
  for (auto [argument, value] :
       llvm::zip_equal(arguments, llvm::concat<Value>(clocks, llvm::to_vector(tick.getInputs()))))
    if (!isa<MemRefType>(value.getType()) && !argument.use_empty())
      mapping.map(argument, copyFrom(value, mapping));
}

/// The next state of one of the thread's cells, and its addition to each counter.
SmallVector<Value> EpochTile::computeRow(int64_t row, ValueRange registers, Value tile,
                                         Value epoch) {
  IRMapping mapping;
  mapArguments(row, epoch, mapping);
  for (auto [load, distance] : epochs.reads)
    mapping.map(load.getResult(), neighbour(tile, registers, {row + distance[0], distance[1]}));
  InstallOp install = epochs.tick.getInstall();
  for (Operation &op : install->getBlock()->without_terminator())
    if (!isa<LoadOp>(op))
      b->clone(op, mapping);
  SmallVector<Value> results{mapping.lookup(install.getToken())};
  for (Value tally : install.getTallies())
    results.push_back(countOf(row, mapping.lookup(tally)));
  return results;
}

/// What a tally adds to its counter, zero beyond the torus.
Value EpochTile::countOf(int64_t row, Value tally) {
  Type counter = cast<MemRefType>(epochs.tick.getCounts().getType()).getElementType();
  if (tally.getType() != counter)
    tally = arith::ExtUIOp::create(*b, loc, counter, tally);
  if (rowInside.empty())
    return tally;
  Value none = arith::ConstantOp::create(*b, loc, b->getIntegerAttr(counter, 0));
  return arith::SelectOp::create(*b, loc, rowInside[row], tally, none);
}

/// The loop over the epochs of a launch, which carries the thread's cells and counts.
scf::ForOp EpochTile::emitEpochs(Value first, Value tile, ValueRange cells) {
  SmallVector<Value> carried(cells);
  for (size_t tally = 0; tally < epochs.tick.getInstall().getTallies().size(); ++tally) {
    Type counter = cast<MemRefType>(epochs.tick.getCounts().getType()).getElementType();
    carried.push_back(arith::ConstantOp::create(*b, loc, b->getIntegerAttr(counter, 0)));
  }
  auto loop = scf::ForOp::create(*b, loc, index(0), index(shape.epochs), index(1), carried);
  OpBuilder::InsertionGuard guard(*b);
  b->setInsertionPointToStart(loop.getBody());
  ValueRange registers = ValueRange(loop.getRegionIterArgs()).take_front(shape.rows);
  for (auto [row, cell] : llvm::enumerate(registers))
    memref::StoreOp::create(*b, loc, cell, tile, ValueRange{add(threadRow, index(row)), threadX});
  gpu::BarrierOp::create(*b, loc);
  Value offset = arith::IndexCastOp::create(*b, loc, first.getType(), loop.getInductionVar());
  Value epoch = add(first, offset);
  // Loads for all rows come first, as only the barrier behind them limits their schedule.
  for (int64_t row = 0; row < shape.rows; ++row)
    for (auto [load, distance] : epochs.reads)
      neighbour(tile, registers, {row + distance[0], distance[1]});
  SmallVector<Value> next, sums(loop.getRegionIterArgs().drop_front(shape.rows));
  for (int64_t row = 0; row < shape.rows; ++row) {
    SmallVector<Value> results = computeRow(row, registers, tile, epoch);
    next.push_back(results.front());
    for (auto [sum, number] : llvm::zip_equal(sums, ArrayRef(results).drop_front()))
      sum = arith::AddIOp::create(*b, loc, sum, number);
  }
  gpu::BarrierOp::create(*b, loc); // all have read before the next stores
  llvm::append_range(next, sums);
  scf::YieldOp::create(*b, loc, next);
  return loop;
}

void EpochTile::storeResults(Value to, ValueRange results) {
  auto choice = scf::IfOp::create(*b, loc, inside, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(*b);
  b->setInsertionPointToStart(choice.thenBlock());
  Value column = add(columnOf, index(epochs.cells.first[1]));
  for (int64_t row = 0; row < shape.rows; ++row) {
    Value place = add(rowsOf[row], index(epochs.cells.first[0]));
    OpBuilder::InsertionGuard inner(*b);
    if (!rowInside.empty())
      b->setInsertionPointToStart(
          scf::IfOp::create(*b, loc, rowInside[row], /*withElseRegion=*/false).thenBlock());
    memref::StoreOp::create(*b, loc, results[row], to, ValueRange{place, column});
  }
  for (auto [slot, sum] :
       llvm::zip_equal(epochs.tick.getInstall().getSlots(), results.drop_front(shape.rows)))
    memref::AtomicRMWOp::create(*b, loc, arith::AtomicRMWKind::addi, sum, epochs.tick.getCounts(),
                                index(slot));
}

void EpochTile::emitLaunch(OpBuilder &builder, Value from, Value to, Value first) {
  b = &builder;
  auto numTiles = [&](int64_t inner, unsigned axis) {
    return index(static_cast<int64_t>(llvm::divideCeil(epochs.cells.sides[axis], inner)));
  };
  Value one = index(1);
  auto launch = gpu::LaunchOp::create(builder, loc, numTiles(shape.innerColumns(), 1),
                                      numTiles(shape.innerRows(), 0), one, index(shape.columns),
                                      index(shape.threads), one);
  Value tile = launch.addWorkgroupAttribution(
      getWorkgroupType({shape.allRows(), shape.columns}, epochs.type().getElementType()), loc);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&launch.getBody().front());
  findPlaces(launch);
  SmallVector<Value> cells = loadCells(from);
  storeResults(to, emitEpochs(first, tile, cells).getResults());
  gpu::TerminatorOp::create(builder, loc);
}

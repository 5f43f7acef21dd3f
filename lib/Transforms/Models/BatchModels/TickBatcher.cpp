//===- TickBatcher.cpp - Rewrite a tick with models by tiles --------------===//
//
// The structure of the rewritten tick: loops over tiles, over all cells of the box or over those
// that need the model; per tile gather, evaluate, finish. The operations of the body are cloned on
// demand, with loads at the boundary-adjusted indices.
//
//===----------------------------------------------------------------------===//

#include "TickBatcher.h"
#include "LCI/Dialect/SettledCells.h"
#include "LCI/Dialect/TickBuilders.h"
#include "LCI/Transforms/Support/Ways.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::lci;

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

/// The index on an axis of the cell at a position of the tick's box.
Value TickBatcher::indexAt(unsigned axis, Value position) {
  Value stride = arith::ConstantIndexOp::create(b, loc, tick.getStridesOrOnes()[axis]);
  Value offset = getValueOrCreateConstantIndexOp(b, loc, tick.getMixedOffsets()[axis]);
  Value step = arith::MulIOp::create(b, loc, position, stride);
  return arith::AddIOp::create(b, loc, offset, step);
}

/// The indices on the first `rank` axes of the cell with this number in their box.
SmallVector<Value> TickBatcher::indicesOf(Value flat, unsigned rank) {
  SmallVector<OpFoldResult> extents = tick.getMixedExtents();
  SmallVector<Value> indices(rank);
  Value rest = flat;
  for (unsigned axis : llvm::reverse(llvm::seq(rank))) {
    Value extent = getValueOrCreateConstantIndexOp(b, loc, extents[axis]);
    Value position = axis == 0 ? rest : Value(arith::RemUIOp::create(b, loc, rest, extent));
    rest = arith::DivUIOp::create(b, loc, rest, extent);
    indices[axis] = indexAt(axis, position);
  }
  return indices;
}

/// Maps the body's arguments for a cell.
void TickBatcher::enterCell(ValueRange indices) {
  cell.clear();
  cell.map(tick.getIndexArguments(), indices);
  cell.map(tick.getEpochArgument(), tick.getEpoch());
  cell.map(tick.getPhaseArgument(), tick.getPhase());
  cell.map(tick.getSeedArgument(), tick.getSeed());
  for (auto [argument, input] : llvm::zip(tick.getInputArguments(), tick.getInputs()))
    cell.map(argument, input);
}

/// Whether the model is not needed for the cell with this number; null if it surely is.
Value TickBatcher::isSkipped(Value flat) {
  enterCell(indicesOf(flat, tick.getRank()));
  Value skipped;
  if (Value settled = tick.getInstall().getSettled())
    skipped = compute(settled);
  std::optional<IntegerSet> cells = tick.getCells();
  if (!cells)
    return skipped;
  SmallVector<Value> indices = llvm::map_to_vector(tick.getIndexArguments(),
                                                   [&](Value index) { return cell.lookup(index); });
  Value member = buildMembership(b, loc, *cells, indices, getIndexRanges(tick), tick.getPhase());
  if (!member)
    return skipped;
  Value yes = arith::ConstantIntOp::create(b, loc, 1, 1);
  Value outside = arith::XOrIOp::create(b, loc, member, yes);
  return skipped ? Value(arith::OrIOp::create(b, loc, skipped, outside)) : outside;
}

/// The number of cells of the tick's box that need the model.
Value TickBatcher::countNeeded() {
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  auto loop = scf::ForOp::create(b, loc, zero, countCells(), one, zero);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value skipped = isSkipped(loop.getInductionVar());
  Value count = loop.getRegionIterArg(0);
  if (skipped) {
    Value next = arith::AddIOp::create(b, loc, count, one);
    count = arith::SelectOp::create(b, loc, skipped, count, next);
  } else {
    count = arith::AddIOp::create(b, loc, count, one);
  }
  scf::YieldOp::create(b, loc, count);
  return loop.getResult(0);
}

/// Stores the next `count` cells that need the model, from the number `next` on; there are as many.
/// Returns the number after the last.
Value TickBatcher::pick(Value next, Value count) {
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  auto loop = scf::ForOp::create(b, loc, zero, count, one, next);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  auto search = scf::WhileOp::create(
      b, loc, b.getIndexType(), loop.getRegionIterArg(0),
      [&](OpBuilder &, Location, ValueRange now) {
        Value skipped = isSkipped(now.front());
        if (!skipped)
          skipped = arith::ConstantIntOp::create(b, loc, 0, 1);
        scf::ConditionOp::create(b, loc, skipped, now);
      },
      [&](OpBuilder &, Location, ValueRange now) {
        Value after = arith::AddIOp::create(b, loc, now.front(), one);
        scf::YieldOp::create(b, loc, after);
      });
  Value found = search.getResult(0);
  memref::StoreOp::create(b, loc, found, picked.cells, loop.getInductionVar());
  scf::YieldOp::create(b, loc, Value(arith::AddIOp::create(b, loc, found, one)));
  return loop.getResult(0);
}

/// A loop from zero, with its body.
void TickBatcher::emitLoop(Value count, llvm::function_ref<void(Value)> body) {
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  auto loop = scf::ForOp::create(b, loc, zero, count, one);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

/// Visits the cells of a tile, with their indices in it: they were picked, or are consecutive from
/// `first` on.
void TickBatcher::emitCells(Value first, Value count, llvm::function_ref<void(Value row)> step) {
  if (threads)
    return emitCellThreads(first, count, step);
  if (first && tick.getRank() > 0)
    return emitRuns(first, count, step);
  emitLoop(count, [&](Value row) {
    Value flat = first ? first : Value(memref::LoadOp::create(b, loc, picked.cells, row));
    enterCell(indicesOf(flat, tick.getRank()));
    step(row);
  });
}

/// Consecutive cells form runs along the last axis. Within a run, loads and stores are contiguous,
/// so that LLVM vectorizes them.
void TickBatcher::emitRuns(Value first, Value count, llvm::function_ref<void(Value row)> step) {
  unsigned last = tick.getRank() - 1;
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value extent = getValueOrCreateConstantIndexOp(b, loc, tick.getMixedExtents()[last]);
  auto isLeft = [&](OpBuilder &, Location, ValueRange row) {
    Value left = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, row.front(), count);
    scf::ConditionOp::create(b, loc, left, row);
  };
  auto run = [&](OpBuilder &, Location, ValueRange done) {
    Value flat = arith::AddIOp::create(b, loc, first, done.front());
    Value begin = arith::RemUIOp::create(b, loc, flat, extent);
    SmallVector<Value> indices =
        indicesOf(arith::DivUIOp::create(b, loc, flat, extent), tick.getRank() - 1);
    Value length = arith::MinUIOp::create(b, loc, arith::SubIOp::create(b, loc, extent, begin),
                                          arith::SubIOp::create(b, loc, count, done.front()));
    emitLoop(length, [&](Value at) {
      SmallVector<Value> place(indices);
      place.push_back(indexAt(last, arith::AddIOp::create(b, loc, begin, at)));
      enterCell(place);
      step(arith::AddIOp::create(b, loc, done.front(), at));
    });
    scf::YieldOp::create(b, loc, Value(arith::AddIOp::create(b, loc, done.front(), length)));
  };
  scf::WhileOp::create(b, loc, b.getIndexType(), zero, isLeft, run);
}

/// A load outside of a tick becomes a memref.load, with its indices kept inside as the boundary
/// says.
Value TickBatcher::plainLoad(LoadOp load) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(load);
  auto source = cast<MemRefType>(load.getSource().getType());
  SmallVector<Value> indices = buildIndices(b, loc, load.getMap(), load.getIndices());
  for (auto [axis, index] : llvm::enumerate(indices))
    index = buildBounded(b, loc, index, source.getDimSize(axis), load.getBoundaryOf(axis),
                         /*withinOneExtent=*/false);
  Value loaded = memref::LoadOp::create(b, loc, load.getSource(), indices);
  load.replaceAllUsesWith(loaded);
  load.erase();
  return loaded;
}

Value TickBatcher::compute(Value value) {
  if (Value known = cell.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  if (!op || op->getParentRegion() != &tick.getBody())
    return value; // from around the tick, or inside a region that is being cloned
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  for (Value operand : op->getOperands())
    compute(operand);
  for (Value operand : captured)
    compute(operand);
  Operation *clone = b.clone(*op, cell);
  if (auto load = dyn_cast<LoadOp>(clone)) {
    cell.map(value, plainLoad(load));
    return cell.lookup(value);
  }
  SmallVector<LoadOp> inside;
  clone->walk([&](LoadOp load) { inside.push_back(load); });
  llvm::for_each(inside, [&](LoadOp load) { plainLoad(load); });
  return cell.lookup(value);
}

//===----------------------------------------------------------------------===//
// Effects of the results
//===----------------------------------------------------------------------===//

void TickBatcher::tally() {
  InstallOp end = tick.getInstall();
  for (auto [flag, slot] : llvm::zip(end.getTallies(), end.getSlots())) {
    if (threads) {
      countAtomically(compute(flag), slot);
      continue;
    }
    Value index = arith::ConstantIndexOp::create(b, loc, slot);
    Value old = memref::LoadOp::create(b, loc, tick.getCounts(), index);
    Value one = arith::ExtUIOp::create(b, loc, old.getType(), compute(flag));
    Value sum = arith::AddIOp::create(b, loc, old, one);
    memref::StoreOp::create(b, loc, sum, tick.getCounts(), index);
  }
}

void TickBatcher::install(Value row) {
  SmallVector<Value> indices;
  for (Value index : tick.getIndexArguments())
    indices.push_back(cell.lookup(index));
  InstallOp end = tick.getInstall();
  Value token = compute(end.getToken()), condition = compute(end.getCondition());
  Value score = end.getScore() ? compute(end.getScore()) : Value();
  tally();
  auto onlyIf = scf::IfOp::create(b, loc, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(onlyIf.thenBlock());
  memref::StoreOp::create(b, loc, token, tick.getTarget(), indices);
  if (end.getScore())
    memref::StoreOp::create(b, loc, score, tick.getScores(), indices);
}

/// Whether a value of the body is computed from an operation's results.
bool TickBatcher::dependsOn(Value value, Operation *source) {
  SmallPtrSet<Operation *, 16> seen;
  SmallVector<Value> open{value};
  while (!open.empty()) {
    Operation *op = open.pop_back_val().getDefiningOp();
    if (!op || !seen.insert(op).second)
      continue;
    if (op == source)
      return true;
    op->walk([&](Operation *inner) { llvm::append_range(open, inner->getOperands()); });
  }
  return false;
}

LogicalResult TickBatcher::run() {
  if (failed(checkAnswers()))
    return failure();
  // If settlement depends on a model's result, it is known only after the evaluation.
  Value settled = tick.getInstall().getSettled();
  if (settled &&
      (matchPattern(settled, m_Zero()) || llvm::any_of(modelCalls, [&](ModelCall &modelCall) {
         return dependsOn(settled, modelCall.call);
       })))
    foldSettled(tick);
  for (ModelCall &modelCall : modelCalls)
    makeBuffers(modelCall);
  bool picks = tick.getCells() || dependsOnCell(tick.getInstall().getSettled());
  took(tick, threads ? (picks ? Way::ModelPickedByThreads : Way::ModelThreads)
                     : (picks ? Way::ModelPicked : Way::ModelTiles));
  if (failed(!picks ? emitAll() : threads ? emitPickedByThreads() : emitPicked()))
    return failure();
  tick.erase();
  return success();
}

Value TickBatcher::countCells() {
  Value total = arith::ConstantIndexOp::create(b, loc, 1);
  for (OpFoldResult extent : tick.getMixedExtents())
    total = arith::MulIOp::create(b, loc, total, getValueOrCreateConstantIndexOp(b, loc, extent));
  return total;
}

/// Gathers, evaluates and finishes the cells of one tile.
LogicalResult TickBatcher::emitTile(Value first, Value count) {
  for (ModelCall &modelCall : modelCalls) {
    // The result of one model may be an operand of another one.
    ArrayRef<ModelCall> known = ArrayRef(modelCalls).take_front(&modelCall - modelCalls.begin());
    auto numbers = llvm::seq<unsigned>(0, modelCall.call.getNumOperands());
    SmallVector<SharedAgreement> sharedAgreements = findSharedAgreements(modelCall);
    bool isGiven =
        llvm::any_of(numbers, [&](unsigned number) { return isMade(modelCall, number); });
    if (isGiven ||
        llvm::any_of(sharedAgreements, [](const SharedAgreement &some) { return some.isEarly(); }))
      emitCells(first, count, [&](Value row) {
        takeAnswers(known, row, [&] {
          gather(modelCall, row);
          for (const SharedAgreement &some : sharedAgreements)
            if (some.isEarly())
              storeCellValues(some.cellValues, row);
        });
      });
    if (failed(threads ? evaluateByThreads(modelCall, sharedAgreements, first, count)
                       : evaluate(modelCall, first, count)))
      return failure();
  }
  for (auto agree : tick.getBody().getOps<AgreeOp>())
    if (!threads && agreesAcross(agree))
      agreeAcross(agree, first, count);
  emitCells(first, count, [&](Value row) {
    enterAgreed(row);
    takeAnswers(modelCalls, row, [&] { install(row); });
  });
  return success();
}

/// Whether a value of the body is not uniform over the cells.
bool TickBatcher::dependsOnCell(Value value) {
  if (llvm::is_contained(tick.getIndexArguments(), value))
    return true;
  Operation *op = value ? value.getDefiningOp() : nullptr;
  if (!op || op->getParentRegion() != &tick.getBody())
    return false;
  return op->getNumRegions() != 0 || isa<LoadOp, CallOpInterface>(op) ||
         llvm::any_of(op->getOperands(), [&](Value operand) { return dependsOnCell(operand); });
}

/// Tiles of all cells of the box, unless all of them are settled.
LogicalResult TickBatcher::emitAll() {
  OpBuilder::InsertionGuard guard(b);
  if (Value settled = tick.getInstall().getSettled()) {
    enterCell({});
    Value yes = arith::ConstantIntOp::create(b, loc, 1, 1);
    Value open = arith::XOrIOp::create(b, loc, compute(settled), yes);
    auto branch = scf::IfOp::create(b, loc, open, /*withElseRegion=*/false);
    b.setInsertionPointToStart(branch.thenBlock());
  }
  Value total = countCells(), zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value step = arith::ConstantIndexOp::create(b, loc, tile);
  auto tiles = scf::ForOp::create(b, loc, zero, total, step);
  b.setInsertionPointToStart(tiles.getBody());
  Value first = tiles.getInductionVar();
  Value left = arith::SubIOp::create(b, loc, total, first);
  return emitTile(first, arith::MinUIOp::create(b, loc, left, step));
}

/// Tiles of the cells that need the model, in their order.
LogicalResult TickBatcher::emitPicked() {
  OpBuilder::InsertionGuard guard(b);
  if (!picked.cells)
    picked.cells = makeBuffer({tile}, b.getIndexType());
  Value needed = countNeeded(), zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value step = arith::ConstantIndexOp::create(b, loc, tile);
  auto tiles = scf::ForOp::create(b, loc, zero, needed, step, zero);
  b.setInsertionPointToStart(tiles.getBody());
  Value left = arith::SubIOp::create(b, loc, needed, tiles.getInductionVar());
  Value count = arith::MinUIOp::create(b, loc, left, step);
  Value next = pick(tiles.getRegionIterArg(0), count);
  if (failed(emitTile(nullptr, count)))
    return failure();
  scf::YieldOp::create(b, loc, next);
  return success();
}

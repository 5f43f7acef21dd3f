//===- EachCell.cpp - Loops, and what each cell does for itself -----------===//
//
// A loop whose bounds are the same for all cells has its turns for all of them together, and
// carries what depends on the cell with its last dimension. What has no such form, a loop that ends
// for each cell at another turn above all, each cell does for itself: one after the other, or each
// its thread. A place of the tile without a cell does nothing: what it holds might never end.
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/Models/BatchFunction.h"
#include "LCI/Transforms/Support/Ways.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::lci;

bool BatchFunction::dependsOnCell(Operation &op) {
  auto isOwn = [&](Operation *inner) {
    return llvm::any_of(inner->getOperands(), [&](Value value) { return isBatched(value); })
               ? WalkResult::interrupt()
               : WalkResult::advance();
  };
  return op.walk(isOwn).wasInterrupted();
}

//===----------------------------------------------------------------------===//
// Loops of all cells
//===----------------------------------------------------------------------===//

/// Whether a loop has the same turns for all cells, which take them together.
bool BatchFunction::isShared(scf::ForOp loop) {
  return !threads && !isBatched(loop.getLowerBound()) && !isBatched(loop.getUpperBound()) &&
         !isBatched(loop.getStep());
}

/// Finds out what in a block depends on the cell, as emitOp will have it.
void BatchFunction::mark(Block &block) {
  for (Operation &op : block.without_terminator()) {
    if (!dependsOnCell(op))
      continue;
    if (auto loop = dyn_cast<scf::ForOp>(op); loop && isShared(loop))
      mark(loop);
    else
      batchedValues.insert_range(op.getResults());
  }
}

/// What a loop carries depends on the cell from the turn on in which something of the cell gets
/// into it; it has one type for all turns.
void BatchFunction::mark(scf::ForOp loop) {
  for (auto [init, carried] : llvm::zip_equal(loop.getInitArgs(), loop.getRegionIterArgs()))
    if (isBatched(init))
      batchedValues.insert(carried);
  for (bool more = true; more;) {
    more = false;
    mark(*loop.getBody());
    for (auto [next, carried] : llvm::zip_equal(loop.getYieldedValues(), loop.getRegionIterArgs()))
      if (isBatched(next))
        more |= batchedValues.insert(carried).second;
  }
  for (auto [carried, result] : llvm::zip_equal(loop.getRegionIterArgs(), loop.getResults()))
    if (isBatched(carried))
      batchedValues.insert(result);
}

void BatchFunction::emitFor(scf::ForOp loop) {
  took(loop, Way::LoopOfCells);
  mark(loop);
  auto take = [&](ValueRange values) {
    SmallVector<Value> taken;
    for (auto [value, carried] : llvm::zip_equal(values, loop.getRegionIterArgs()))
      taken.push_back(isBatched(carried) ? getBatched(value) : mapping.lookup(value));
    return taken;
  };
  auto batched = scf::ForOp::create(
      b, loop.getLoc(), mapping.lookup(loop.getLowerBound()), mapping.lookup(loop.getUpperBound()),
      mapping.lookup(loop.getStep()), take(loop.getInitArgs()), nullptr, loop.getUnsignedCmp());
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(batched.getBody());
  mapping.map(loop.getInductionVar(), batched.getInductionVar());
  mapping.map(loop.getRegionIterArgs(), batched.getRegionIterArgs());
  emitBlock(*loop.getBody());
  scf::YieldOp::create(b, loop.getLoc(), take(loop.getYieldedValues()));
  mapping.map(loop.getResults(), batched.getResults());
}

//===----------------------------------------------------------------------===//
// One cell
//===----------------------------------------------------------------------===//

/// The offsets, sizes and strides of one cell in a tensor that has all of them.
static std::array<SmallVector<OpFoldResult>, 3> placeOf(OpBuilder &b, RankedTensorType all,
                                                        Value cell) {
  int64_t rank = all.getRank();
  SmallVector<OpFoldResult> offsets(rank, b.getIndexAttr(0)), sizes,
      strides(rank, b.getIndexAttr(1));
  for (int64_t extent : all.getShape())
    sizes.push_back(b.getIndexAttr(extent));
  offsets.back() = cell;
  sizes.back() = b.getIndexAttr(1);
  return {offsets, sizes, strides};
}

/// What one cell has of a value that depends on it.
Value BatchFunction::ownOf(Value value, Value cell) {
  Value all = mapping.lookup(value);
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return tensor::ExtractOp::create(b, value.getLoc(), all, cell);
  auto [offsets, sizes, strides] = placeOf(b, cast<RankedTensorType>(all.getType()), cell);
  return tensor::ExtractSliceOp::create(b, value.getLoc(), type, all, offsets, sizes, strides);
}

/// The operation as it stands, for one cell.
SmallVector<Value> BatchFunction::computeOwn(Operation &op, Value cell) {
  llvm::SetVector<Value> used(op.operand_begin(), op.operand_end());
  getUsedValuesDefinedAbove(op.getRegions(), used);
  IRMapping own = mapping;
  for (Value value : used)
    if (isBatched(value))
      own.map(value, ownOf(value, cell));
  return llvm::to_vector_of<Value>(b.clone(op, own)->getResults());
}

/// The same if there is a cell, and anything if there is none.
SmallVector<Value> BatchFunction::computeIfThere(Operation &op, Value cell) {
  if (!isThere)
    return computeOwn(op, cell);
  SmallVector<Value> nothing;
  for (Type type : op.getResultTypes())
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      nothing.push_back(
          tensor::EmptyOp::create(b, op.getLoc(), tensor.getShape(), tensor.getElementType()));
    else
      nothing.push_back(arith::ConstantOp::create(b, op.getLoc(), b.getZeroAttr(type)));
  auto branch = scf::IfOp::create(b, op.getLoc(), op.getResultTypes(), isThere(cell),
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(b, op.getLoc(), computeOwn(op, cell));
  b.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(b, op.getLoc(), nothing);
  return llvm::to_vector_of<Value>(branch.getResults());
}

/// A parallel loop over the cells.
SmallVector<Value> BatchFunction::emitEachThread(Operation &op, ArrayRef<Value> all) {
  Location loc = op.getLoc();
  auto cells = scf::ForallOp::create(b, loc, ArrayRef<OpFoldResult>{b.getIndexAttr(batch)}, all,
                                     std::nullopt);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(cells.getTerminator());
  Value cell = cells.getInductionVar(0);
  SmallVector<Value> own = computeIfThere(op, cell);
  for (auto [value, whole] : llvm::zip_equal(own, cells.getRegionIterArgs())) {
    if (!isa<RankedTensorType>(value.getType()))
      value = tensor::FromElementsOp::create(b, loc, value);
    auto [offsets, sizes, strides] = placeOf(b, cast<RankedTensorType>(whole.getType()), cell);
    OpBuilder::InsertionGuard inside(b);
    b.setInsertionPointToEnd(cells.getTerminator().getBody());
    tensor::ParallelInsertSliceOp::create(b, loc, value, whole, offsets, sizes, strides);
  }
  return llvm::to_vector_of<Value>(cells.getResults());
}

/// A loop over the cells.
SmallVector<Value> BatchFunction::emitEachInTurn(Operation &op, ArrayRef<Value> all) {
  Location loc = op.getLoc();
  auto index = [&](int64_t i) -> Value { return arith::ConstantIndexOp::create(b, loc, i); };
  auto cells = scf::ForOp::create(b, loc, index(0), index(batch), index(1), all);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(cells.getBody());
  Value cell = cells.getInductionVar();
  SmallVector<Value> next;
  for (auto [value, whole] : llvm::zip_equal(computeIfThere(op, cell), cells.getRegionIterArgs())) {
    auto [offsets, sizes, strides] = placeOf(b, cast<RankedTensorType>(whole.getType()), cell);
    if (isa<RankedTensorType>(value.getType()))
      next.push_back(tensor::InsertSliceOp::create(b, loc, value, whole, offsets, sizes, strides));
    else
      next.push_back(tensor::InsertOp::create(b, loc, value, whole, cell));
  }
  scf::YieldOp::create(b, loc, next);
  return llvm::to_vector_of<Value>(cells.getResults());
}

void BatchFunction::emitEachCell(Operation &op) {
  if (op.getNumResults() == 0) // of a loop that carries nothing nothing is left
    return;
  took(&op, threads ? Way::CellsByThread : Way::CellsInTurn);
  SmallVector<Value> all;
  for (Type type : op.getResultTypes()) {
    RankedTensorType each = batchedType(type);
    all.push_back(tensor::EmptyOp::create(b, op.getLoc(), each.getShape(), each.getElementType()));
  }
  SmallVector<Value> found = threads ? emitEachThread(op, all) : emitEachInTurn(op, all);
  for (auto [result, value] : llvm::zip_equal(op.getResults(), found))
    set(result, value);
}

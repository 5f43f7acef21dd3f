//===- EachCell.cpp - Loops and per-cell execution in models --------------===//
//
// A loop with uniform bounds iterates for all cells together and carries values that depend on the
// cell with the last dimension. Operations without such a form, above all loops whose trip counts
// differ between cells, are executed for each cell: in a loop, or by a thread each. Indices of the
// tile without a cell are skipped: a loop on their contents might never end.
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
  auto isPerCell = [&](Operation *inner) {
    return llvm::any_of(inner->getOperands(), [&](Value value) { return isBatched(value); })
               ? WalkResult::interrupt()
               : WalkResult::advance();
  };
  return op.walk(isPerCell).wasInterrupted();
}

//===----------------------------------------------------------------------===//
// Loops of all cells
//===----------------------------------------------------------------------===//

/// Whether a loop has the same bounds for all cells, which then iterate together.
bool BatchFunction::isShared(scf::ForOp loop) {
  return !threads && !isBatched(loop.getLowerBound()) && !isBatched(loop.getUpperBound()) &&
         !isBatched(loop.getStep());
}

/// Finds the values in a block that depend on the cell, as emitOp will have it.
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

/// A carried value is batched if the cell reaches it in any iteration; its type is that of all
/// iterations.
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

/// The offsets, sizes and strides of one cell's slice of a batched tensor.
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

/// The value for one cell of a batched value.
Value BatchFunction::sliceForCell(Value value, Value cell) {
  Value all = mapping.lookup(value);
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return tensor::ExtractOp::create(b, value.getLoc(), all, cell);
  auto [offsets, sizes, strides] = placeOf(b, cast<RankedTensorType>(all.getType()), cell);
  return tensor::ExtractSliceOp::create(b, value.getLoc(), type, all, offsets, sizes, strides);
}

/// Clones the operation for one cell.
SmallVector<Value> BatchFunction::cloneForCell(Operation &op, Value cell) {
  llvm::SetVector<Value> used(op.operand_begin(), op.operand_end());
  getUsedValuesDefinedAbove(op.getRegions(), used);
  IRMapping cellMapping = mapping;
  for (Value value : used)
    if (isBatched(value))
      cellMapping.map(value, sliceForCell(value, cell));
  return llvm::to_vector_of<Value>(b.clone(op, cellMapping)->getResults());
}

/// The same if there is a cell, else undefined.
SmallVector<Value> BatchFunction::computeIfThere(Operation &op, Value cell) {
  if (!isThere)
    return cloneForCell(op, cell);
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
  scf::YieldOp::create(b, op.getLoc(), cloneForCell(op, cell));
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
  SmallVector<Value> values = computeIfThere(op, cell);
  for (auto [value, whole] : llvm::zip_equal(values, cells.getRegionIterArgs())) {
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
SmallVector<Value> BatchFunction::emitEachInLoop(Operation &op, ArrayRef<Value> all) {
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
  if (op.getNumResults() == 0) // a loop that carries nothing has no effect
    return;
  took(&op, threads ? Way::CellsByThread : Way::CellsInLoop);
  SmallVector<Value> all;
  for (Type type : op.getResultTypes()) {
    RankedTensorType each = batchedType(type);
    all.push_back(tensor::EmptyOp::create(b, op.getLoc(), each.getShape(), each.getElementType()));
  }
  SmallVector<Value> found = threads ? emitEachThread(op, all) : emitEachInLoop(op, all);
  for (auto [result, value] : llvm::zip_equal(op.getResults(), found))
    set(result, value);
}

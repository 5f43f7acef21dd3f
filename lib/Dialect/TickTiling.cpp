//===- TickTiling.cpp - Ticks as upstream's tiling and fusion see them ----===//
//
// The iterations of a tick are the cells of its box, counted from 0 on each axis. A tile of them is
// the same tick with a smaller box: cells keep their indices, so that reads and draws stay the
// same. On memrefs a tile is written in place; on tensors its value is a slice of the target.
//
//===----------------------------------------------------------------------===//

#include "LCI/Dialect/LCIOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::lci;

MutableOperandRange TickOp::getDpsInitsMutable() {
  unsigned length =
      getTargets().size() + getBoxed().size() + (getCounts() ? 1 : 0) + (getScores() ? 1 : 0);
  return MutableOperandRange(*this, getTargetMutable().getOperandNumber(), length);
}

/// Counters are sums over all cells: loops whose iterations run at once must not share them.
SmallVector<utils::IteratorType> TickOp::getLoopIteratorTypes() {
  return SmallVector<utils::IteratorType>(getRank(), getCounts() ? utils::IteratorType::reduction
                                                                 : utils::IteratorType::parallel);
}

SmallVector<Range> TickOp::getIterationDomain(OpBuilder &b) {
  SmallVector<Range> domain;
  for (OpFoldResult extent : getMixedExtents())
    domain.push_back({b.getIndexAttr(0), extent, b.getIndexAttr(1)});
  return domain;
}

/// first + steps * stride.
static OpFoldResult moveBy(OpBuilder &b, Location loc, OpFoldResult first, OpFoldResult steps,
                           int64_t stride) {
  auto value = [&](OpFoldResult of) { return getValueOrCreateConstantIndexOp(b, loc, of); };
  Value distance = b.createOrFold<arith::MulIOp>(loc, value(steps), value(b.getIndexAttr(stride)));
  return getAsOpFoldResult(b.createOrFold<arith::AddIOp>(loc, distance, value(first)));
}

/// The first cells of a tile.
static SmallVector<OpFoldResult> getFirstCells(OpBuilder &b, TickOp tick,
                                               ArrayRef<OpFoldResult> offsets) {
  SmallVector<OpFoldResult> cells;
  for (auto [first, steps, stride] :
       llvm::zip_equal(tick.getMixedOffsets(), offsets, tick.getStridesOrOnes()))
    cells.push_back(moveBy(b, tick.getLoc(), first, steps, stride));
  return cells;
}

/// The distance from the first of some cells to behind the last one.
static OpFoldResult getSpan(OpBuilder &b, Location loc, OpFoldResult cells, int64_t stride) {
  if (stride == 1)
    return cells;
  OpFoldResult last = moveBy(b, loc, b.getIndexAttr(1 - stride), cells, stride);
  auto value = [&](OpFoldResult of) { return getValueOrCreateConstantIndexOp(b, loc, of); };
  return getAsOpFoldResult(
      b.createOrFold<arith::MaxSIOp>(loc, value(last), value(b.getIndexAttr(0))));
}

/// The tile with the cells between its own, which keep what they hold.
LogicalResult TickOp::getResultTilePosition(OpBuilder &b, unsigned result,
                                            ArrayRef<OpFoldResult> offsets,
                                            ArrayRef<OpFoldResult> sizes,
                                            SmallVector<OpFoldResult> &resultOffsets,
                                            SmallVector<OpFoldResult> &resultSizes) {
  if (getResult(result) == getCountsAfter()) {
    resultOffsets = {b.getIndexAttr(0)};
    resultSizes = tensor::getMixedSizes(b, getLoc(), getCounts());
    return success();
  }
  resultOffsets = getFirstCells(b, *this, offsets);
  resultSizes.clear();
  for (auto [size, stride] : llvm::zip_equal(sizes, getStridesOrOnes()))
    resultSizes.push_back(getSpan(b, getLoc(), size, stride));
  return success();
}

/// Boxed arrays are counted from the first cell of a box: a tile has views of them.
static void takeBoxed(OpBuilder &b, TickOp tile, ArrayRef<OpFoldResult> offsets,
                      ArrayRef<OpFoldResult> sizes) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(tile);
  SmallVector<OpFoldResult> ones(offsets.size(), b.getIndexAttr(1));
  for (OpOperand &array : tile.getBoxedMutable())
    if (!llvm::is_contained(cast<ShapedType>(array.get().getType()).getShape(), 0)) // no elements
      array.set(memref::SubViewOp::create(b, tile.getLoc(), array.get(), offsets, sizes, ones));
}

FailureOr<TilingResult> TickOp::getTiledImplementation(OpBuilder &b, ArrayRef<OpFoldResult> offsets,
                                                       ArrayRef<OpFoldResult> sizes) {
  SmallVector<OpFoldResult> first = getFirstCells(b, *this, offsets);
  auto tile = cast<TickOp>(b.clone(**this));
  tile.setBox(first, sizes, getStridesOrOnes());
  takeBoxed(b, tile, offsets, sizes);
  TilingResult tiled{{tile}, {}, {}};
  for (OpResult result : tile->getResults()) {
    SmallVector<OpFoldResult> at, extents;
    if (failed(getResultTilePosition(b, result.getResultNumber(), offsets, sizes, at, extents)))
      return failure();
    SmallVector<OpFoldResult> ones(at.size(), b.getIndexAttr(1));
    bool isWhole = result == tile.getCountsAfter();
    tiled.tiledValues.push_back(
        isWhole ? Value(result)
                : tensor::ExtractSliceOp::create(b, getLoc(), result, at, extents, ones));
  }
  return tiled;
}

/// Of a tick of all cells; around a box there are cells of the target that no tile has.
LogicalResult TickOp::getIterationDomainTileFromResultTile(
    OpBuilder &b, unsigned result, ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes,
    SmallVectorImpl<OpFoldResult> &domainOffsets, SmallVectorImpl<OpFoldResult> &domainSizes) {
  if (hasBox() || getResult(result) == getCountsAfter())
    return failure();
  domainOffsets.assign(offsets.begin(), offsets.end());
  domainSizes.assign(sizes.begin(), sizes.end());
  return success();
}

FailureOr<TilingResult> TickOp::generateResultTileValue(OpBuilder &b, unsigned result,
                                                        ArrayRef<OpFoldResult> offsets,
                                                        ArrayRef<OpFoldResult> sizes) {
  SmallVector<OpFoldResult> domainOffsets, domainSizes;
  if (failed(getIterationDomainTileFromResultTile(b, result, offsets, sizes, domainOffsets,
                                                  domainSizes)))
    return failure();
  FailureOr<TilingResult> tiled = getTiledImplementation(b, domainOffsets, domainSizes);
  if (succeeded(tiled))
    tiled->tiledValues = {tiled->tiledValues[result]};
  return tiled;
}

//===- SliceDraws.cpp - Coordinates and thresholds of a tick's draws ------===//
//
// The part of TickSlicer for draws: computes keys of streams and masks of
// thresholds before the tick, because rows are short, and the coordinates of
// each word's draws in it.
//
//===----------------------------------------------------------------------===//

#include "LCI/Dialect/TickBuilders.h"
#include "LCI/Transforms/Support/Ways.h"
#include "TickSlicer.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::bitslice;
namespace numerics = ::lci::numerics;

//===----------------------------------------------------------------------===//
// Thresholds
//===----------------------------------------------------------------------===//

/// The value outside of the tick for a value of the body; null if it is defined in the body.
Value TickSlicer::outside(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    unsigned number = argument.getArgNumber(), rank = tick.getRank();
    if (number < rank)
      return nullptr;
    if (number < rank + 3)
      return ValueRange{tick.getEpoch(), tick.getPhase(), tick.getSeed()}[number - rank];
    return inputs[number - rank - 3].front();
  }
  Operation *made = value.getDefiningOp();
  return matchPattern(value, m_Constant()) ? builder.clone(*made)->getResult(0) : Value();
}

/// The elements of a constant number or table; else null.
static DenseIntElementsAttr numbersOf(Value source) {
  if (auto buffer = source.getDefiningOp<bufferization::ToBufferOp>())
    source = buffer.getTensor();
  Attribute numbers;
  if (!matchPattern(source, m_Constant(&numbers)))
    return nullptr;
  if (auto number = dyn_cast<IntegerAttr>(numbers))
    return DenseIntElementsAttr::get(RankedTensorType::get({}, number.getType()),
                                     number.getValue());
  return dyn_cast<DenseIntElementsAttr>(numbers);
}

/// Masks of the bits of a threshold that is uniform in all rows, or of all entries of a table,
/// built before the tick, since rows are short.
Masks TickSlicer::buildMasks(Operation *draw) {
  Value limit = draw->getOperand(0);
  auto load = limit.getDefiningOp<memref::LoadOp>();
  bool isTable = load && !analysis.isUniform(limit);
  if (isTable)
    took(draw, Way::TableBehindDraw);
  Value source = outside(isTable ? load.getMemref() : limit);
  if (!source)
    return {};
  IROps ops(builder, loc, builder.getI64Type());
  if (isa<BernoulliOp>(draw))
    source = numerics::thresholdOf(ops, ops.asF32(source)).value;
  SmallVector<int64_t> shape{kMaskRows};
  if (isTable)
    llvm::append_range(shape, load.getMemRefType().getShape());
  Value words = allocate(shape);
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  SmallVector<Value> begin(shape.size(), index(0)), step(shape.size(), index(1)), end;
  for (int64_t extent : shape)
    end.push_back(index(extent));
  scf::buildLoopNest(
      builder, loc, begin, end, step, [&](OpBuilder &inner, Location, ValueRange at) {
        IROps ops(inner, loc, inner.getI64Type());
        Value entry = source;
        if (isTable)
          entry = memref::LoadOp::create(inner, loc, source, at.drop_front());
        Value row = arith::IndexCastOp::create(inner, loc, inner.getI64Type(), at.front());
        auto rest =
            (ops.asI64(entry) & ops.i64(numerics::remainderMask(eagerBlocks))) != ops.i64(0);
        auto bit = ((ops.asI64(entry) >> ops.asI64(row)) & ops.i64(1)) != ops.i64(0);
        auto isRest = ops.asI64(row) == ops.i64(kRestRow);
        Value chosen = arith::SelectOp::create(inner, loc, isRest.value, rest.value, bit.value);
        Value word = arith::ExtSIOp::create(inner, loc, inner.getI64Type(), chosen);
        memref::StoreOp::create(inner, loc, word, words, at);
      });
  return {words, numbersOf(source)};
}

//===----------------------------------------------------------------------===//
// Coordinates of draws
//===----------------------------------------------------------------------===//

/// Inserts before all strips, if the tick is in one.
void TickSlicer::prepareDraws() {
  OpBuilder::InsertionGuard guard(builder);
  if (auto strips = dyn_cast<scf::ForOp>(tick->getParentOp()); strips && strips->hasAttr(kStrips))
    builder.setInsertionPoint(strips);
  IROps ops(builder, loc, builder.getI64Type());
  APInt phase;
  drawnPhase = tick.getPhase();
  if (matchPattern(drawnPhase, m_ConstantInt(&phase)))
    drawnPhase = VaryingOp::create(builder, loc, drawnPhase.getType(), phase.getSExtValue());
  SmallVector<Operation *> draws = findDraws(tick);
  if (!draws.empty())
    took(tick, threads ? Way::DrawToTheEnd : Way::DrawOnPlanes);
  if (draws.size() > 1)
    took(tick, Way::SeveralDraws);
  for (Operation *draw : draws) {
    masks[draw] = buildMasks(draw);
    StreamAttr stream = streamOf(draw);
    if (keys.contains(stream))
      continue;
    auto key = numerics::streamKey(ops, ops.i64(stream.getDeclaration()),
                                   ops.i64(stream.getOrdinal()), ops.asI64(tick.getSeed()));
    keys[stream] = {key.low.value, key.high.value};
  }
}

/// Rows are numbered as in `lci-expand-draws`; their cells are those of one residue class.
DrawSite TickSlicer::siteOf(OpBuilder &inner, const Place &place, StreamAttr stream, Value number) {
  IROps ops(inner, loc, inner.getI64Type());
  auto cast = [&](Value index) {
    return ops.asI64(arith::IndexCastOp::create(inner, loc, inner.getI64Type(), index));
  };
  auto row = ops.i64(0);
  for (auto [axis, index] : llvm::enumerate(place.rows))
    row = row * ops.i64(layout.getCells()[axis]) + cast(index);
  uint64_t longest = llvm::divideCeil(layout.getCells().back(), layout.getSplit());
  auto group = row * ops.i64(llvm::divideCeil(longest, numerics::kThresholdCells)) +
               (cast(place.word) << ops.i64(1));
  if (place.half)
    group = group + cast(place.half); // a row may begin with an odd group
  auto [low, high] = keys.lookup(stream);
  Value zero = ops.i64(0).value;
  return {low,        high,        number ? number : zero, tick.getEpoch(),
          drawnPhase, group.value, place.half != nullptr};
}

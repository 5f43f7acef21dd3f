//===- TickPartitioning.cpp - Chunks of ticks for threads -----------------===//
//
// Estimates the work of a tick in bytes of vector registers, restricts ticks to
// chunks of rows, and gives each chunk private counters whose sums are added to
// the shared ones at the end.
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/Support/TickPartitioning.h"
#include "LCI/Dialect/Layout.h"
#include "LCI/Dialect/TickBuilders.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::lci;

/// Estimates: the operations of a call to a model, and the trip count of a loop in a body.
static constexpr int64_t kCallWork = 4096, kLoopTripCount = 8;

/// Operations per cell, about.
static int64_t countOps(Region &body) {
  int64_t count = 0;
  for (Operation &op : body.getOps()) {
    count += isa<CallOpInterface>(op) ? kCallWork : 1;
    for (Region &inner : op.getRegions())
      count += (isa<LoopLikeOpInterface, AgreeOp>(op) ? kLoopTripCount : 1) * countOps(inner);
  }
  return count;
}

/// Bits of a vector register per cell.
static int64_t getCellBits(Type buffer) {
  if (LayoutAttr layout = layoutOf(buffer))
    return layout.getPlanes();
  Type element = cast<ShapedType>(buffer).getElementType();
  auto vector = dyn_cast<VectorType>(element);
  return (vector ? vector.getNumElements() : 1) *
         getElementTypeOrSelf(element).getIntOrFloatBitWidth();
}

int64_t mlir::lci::getMaxExtent(TickOp tick, unsigned axis) {
  int64_t whole = cast<ShapedType>(tick.getTarget().getType()).getDimSize(axis);
  return getConstantIntValue(tick.getMixedExtents()[axis]).value_or(whole);
}

int64_t mlir::lci::getTickWork(TickOp tick) {
  uint64_t work = countOps(tick.getBody());
  for (unsigned axis = 0; axis < tick.getRank(); ++axis)
    work = llvm::SaturatingMultiply<uint64_t>(work, getMaxExtent(tick, axis));
  work = llvm::SaturatingMultiply<uint64_t>(work, getCellBits(tick.getTarget().getType()));
  return static_cast<int64_t>(work / 8);
}

int64_t mlir::lci::countParts(int64_t work, int64_t threads, int64_t grain) {
  return std::max<int64_t>(1, std::min(threads, work / std::max<int64_t>(grain, 1)));
}

TickOp mlir::lci::takeRows(OpBuilder &builder, TickOp tick, unsigned axis, Value part,
                           int64_t rows) {
  Location loc = tick.getLoc();
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  SmallVector<OpFoldResult> offsets(tick.getRank(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> sizes = tick.getMixedExtents();
  Value first = arith::MulIOp::create(builder, loc, part, index(rows));
  offsets[axis] = first;
  std::optional<int64_t> extent = getConstantIntValue(sizes[axis]);
  if (extent && *extent % rows == 0) {
    sizes[axis] = builder.getIndexAttr(rows);
  } else {
    Value all = getValueOrCreateConstantIndexOp(builder, loc, sizes[axis]);
    Value left = arith::SubIOp::create(builder, loc, all, first);
    Value most = arith::MinSIOp::create(builder, loc, left, index(rows));
    // A box whose extent is computed may end before the chunk begins.
    sizes[axis] = extent ? most : arith::MaxSIOp::create(builder, loc, most, index(0)).getResult();
  }
  // Every part of a box is one: this cannot fail.
  TilingResult tiled = *tick.getTiledImplementation(builder, offsets, sizes);
  auto rest = cast<TickOp>(tiled.tiledOps.front());
  builder.setInsertionPoint(rest);
  tick.erase();
  return rest;
}

void PrivateCounts::note(TickOp tick) {
  if (Value counts = tick.getCounts())
    slots[counts].insert_range(getCountedSlots(tick));
}

void PrivateCounts::make(OpBuilder &builder, Location loc, IRMapping &mapping) {
  for (auto &[counts, counted] : slots) {
    auto shape = cast<MemRefType>(counts.getType()).getShape();
    auto type = MemRefType::get(shape, builder.getI64Type());
    Value &memory = memories[counts] = memref::AllocaOp::create(builder, loc, type);
    Value zero = arith::ConstantIntOp::create(builder, loc, 0, 64);
    for (int64_t slot : counted)
      memref::StoreOp::create(builder, loc, zero, memory,
                              ValueRange(arith::ConstantIndexOp::create(builder, loc, slot)));
    mapping.map(counts, memory);
  }
}

void PrivateCounts::addUp(OpBuilder &builder, Location loc) {
  for (auto &[counts, counted] : slots)
    for (int64_t slot : counted) {
      Value place = arith::ConstantIndexOp::create(builder, loc, slot);
      Value sum = memref::LoadOp::create(builder, loc, memories[counts], place);
      memref::AtomicRMWOp::create(builder, loc, arith::AtomicRMWKind::addi, sum, counts, place);
    }
}

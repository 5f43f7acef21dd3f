//===- EmitBoxes.cpp - Split ticks around a settling box ------------------===//
//
// A rectangle whose bounds are known at run time splits the cells of a tick, so that its membership
// is tested once per box rather than per cell: the box inside, which a switch settles, and the
// slabs around it, axis by axis, whose bodies no longer test the rectangle.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "LCI/Transforms/Support/Ways.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::bufferstate;

/// The operation in the function's entry block that contains the builder; null if the builder is in
/// that block itself.
Operation *Emitter::outermost() {
  Block *entry = &rebuilt.getBody().front();
  Block *block = builder.getInsertionBlock();
  return block == entry ? nullptr : entry->findAncestorOpInBlock(*block->getParentOp());
}

/// How many indices of an axis lie before `cut + move`.
Value Emitter::countBefore(Location loc, Value cut, int64_t move, const Progression &axis) {
  auto constant = [&](int64_t number) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, number);
  };
  Value index = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), cut);
  // Rounded up: the first index at or behind the cut belongs to the following piece.
  int64_t offset = move - axis.first + axis.step - 1;
  Value distance = arith::AddIOp::create(builder, loc, index, constant(offset));
  distance = arith::MaxSIOp::create(builder, loc, distance, constant(0));
  Value count = arith::DivUIOp::create(builder, loc, distance, constant(axis.step));
  return arith::MinSIOp::create(builder, loc, count, constant(axis.count));
}

/// For each axis the slabs before and behind the box; last the box itself.
SmallVector<Piece> Emitter::cutOut(TickOp tick, ArrayRef<BoxSide> sides,
                                   ArrayRef<Value> inputStorage) {
  Location loc = tick.getLoc();
  SmallVector<Progression> box = *getConstantBox(tick);
  auto constant = [&](int64_t number) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, number);
  };
  Piece rest;
  for (const Progression &axis : box) {
    rest.begin.push_back(constant(0));
    rest.count.push_back(constant(axis.count));
  }
  SmallVector<Piece> pieces;
  for (auto [number, axis] : llvm::enumerate(box)) {
    Value begin = rest.begin[number], all = rest.count[number], end = all;
    for (const BoxSide &side : sides) {
      if (side.axis != number)
        continue;
      Value cut = countBefore(loc, inputStorage[side.input], side.move, axis);
      if (side.isEnd)
        end = arith::MinSIOp::create(builder, loc, end, cut);
      else
        begin = arith::MaxSIOp::create(builder, loc, begin, cut);
    }
    if (begin != rest.begin[number])
      pieces.emplace_back(rest).count[number] = begin;
    if (end != all) {
      end = arith::MaxSIOp::create(builder, loc, begin, end);
      Piece &behind = pieces.emplace_back(rest);
      behind.begin[number] = end;
      behind.count[number] = arith::SubIOp::create(builder, loc, all, end);
    }
    rest.begin[number] = begin;
    rest.count[number] = arith::SubIOp::create(builder, loc, end, begin);
  }
  pieces.push_back(rest);
  return pieces;
}

/// Emits a copy of the tick on a part of its box.
void Emitter::emitPiece(TickOp tick, const Piece &piece, llvm::function_ref<void(TickOp)> emit) {
  SmallVector<Progression> box = *getConstantBox(tick);
  SmallVector<Value> offsets;
  for (auto [begin, axis] : llvm::zip_equal(piece.begin, box)) {
    Value step = arith::ConstantIndexOp::create(builder, tick.getLoc(), axis.step);
    Value first = arith::ConstantIndexOp::create(builder, tick.getLoc(), axis.first);
    Value moved = builder.createOrFold<arith::MulIOp>(tick.getLoc(), begin, step);
    offsets.push_back(builder.createOrFold<arith::AddIOp>(tick.getLoc(), moved, first));
  }
  for (Value side : llvm::concat<const Value>(offsets, piece.count))
    mapping.map(side, side);
  auto part = cast<TickOp>(OpBuilder(tick).clone(*tick));
  SmallVector<int64_t> dynamic(tick.getRank(), ShapedType::kDynamic);
  part.setStrides(tick.getStridesOrOnes());
  part.setStaticOffsets(dynamic);
  part.setStaticExtents(dynamic);
  part.getOffsetsMutable().assign(offsets);
  part.getExtentsMutable().assign(piece.count);
  emit(part);
  part.erase();
}

void Emitter::emitAroundBox(TickOp tick, Chain &chain, ArrayRef<Value> inputStorage, Value counts) {
  took(tick, Way::AroundBox);
  SettlingBox box = *findSettlingBox(tick);
  SmallVector<Piece> pieces;
  {
    // Where the bounds are invariant, so are the pieces.
    OpBuilder::InsertionGuard guard(builder);
    bool isFixed = llvm::all_of(box.sides, [&](const BoxSide &side) {
      Value bound = inputStorage[side.input];
      return bound.getParentBlock() == &rebuilt.getBody().front();
    });
    if (Operation *loop = isFixed ? outermost() : nullptr)
      builder.setInsertionPoint(loop);
    pieces = cutOut(tick, box.sides, inputStorage);
  }
  Piece inside = pieces.pop_back_val();
  for (const Piece &slab : pieces)
    emitPiece(tick, slab, [&](TickOp part) {
      assumeOutside(part);
      emitUnlessSwitched(part, chain, inputStorage, counts);
    });
  emitPiece(tick, inside, [&](TickOp part) {
    assumeInside(part);
    emitUnlessSwitched(part, chain, inputStorage, counts);
  });
}

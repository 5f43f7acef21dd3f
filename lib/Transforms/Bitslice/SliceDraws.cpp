//===- SliceDraws.cpp - Words in which draws are not decided yet ----------===//
//
// Eight planes decide 255 of 256 draws. The words that hold others are listed, and block after
// block of planes is looked at for those on the list alone: first all of them are computed into
// buffers of their own, a loop without branches, then they are put where they belong.
//
//===----------------------------------------------------------------------===//

#include "LCI/Dialect/TickBuilders.h"
#include "TickSlicer.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::bitslice;
namespace numerics = ::lci::numerics;

/// Made once, where the function begins, and freed where it ends. Each part of a tick has its own.
static Value allocate(OpBuilder &builder, TickOp tick, ArrayRef<int64_t> shape) {
  OpBuilder::InsertionGuard guard(builder);
  auto part = tick->getParentOfType<scf::ForallOp>();
  Block *block = part ? part.getBody() : &tick->getParentOfType<func::FuncOp>().getBody().front();
  builder.setInsertionPointToStart(block);
  auto type = MemRefType::get(shape, builder.getI64Type());
  Value buffer = memref::AllocOp::create(builder, tick.getLoc(), type);
  builder.setInsertionPoint(block->getTerminator());
  memref::DeallocOp::create(builder, tick.getLoc(), buffer);
  return buffer;
}

//===----------------------------------------------------------------------===//
// What draws must be below
//===----------------------------------------------------------------------===//

/// What a value of the body is outside of the tick; null if it is made in the body.
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

/// Words of the bits of a threshold that is the same in all rows, or of all in a table: made before
/// the tick, since rows are short.
Value TickSlicer::buildMasks(Operation *draw) {
  Value limit = draw->getOperand(0);
  auto load = limit.getDefiningOp<memref::LoadOp>();
  bool isTable = load && !facts.isUniform(limit);
  Value source = outside(isTable ? load.getMemref() : limit);
  if (!source)
    return nullptr;
  IROps ops(builder, loc, builder.getI64Type());
  if (isa<BernoulliOp>(draw))
    source = numerics::thresholdOf(ops, ops.asF32(source)).value;
  SmallVector<int64_t> shape{kMaskRows};
  if (isTable)
    llvm::append_range(shape, load.getMemRefType().getShape());
  Value words = allocate(builder, tick, shape);
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
        auto rest = (ops.asI64(entry) & ops.i64(numerics::kRestMask)) != ops.i64(0);
        auto bit = ((ops.asI64(entry) >> ops.asI64(row)) & ops.i64(1)) != ops.i64(0);
        auto isRest = ops.asI64(row) == ops.i64(kRestRow);
        Value chosen = arith::SelectOp::create(inner, loc, isRest.value, rest.value, bit.value);
        Value word = arith::ExtSIOp::create(inner, loc, inner.getI64Type(), chosen);
        memref::StoreOp::create(inner, loc, word, words, at);
      });
  return words;
}

//===----------------------------------------------------------------------===//
// Where a draw is
//===----------------------------------------------------------------------===//

void TickSlicer::prepareDraws() {
  IROps ops(builder, loc, builder.getI64Type());
  APInt phase;
  drawnPhase = tick.getPhase();
  if (matchPattern(drawnPhase, m_ConstantInt(&phase)))
    drawnPhase = VaryingOp::create(builder, loc, drawnPhase.getType(), phase.getSExtValue());
  for (Operation *draw : findDraws(tick)) {
    masks[draw] = buildMasks(draw);
    StreamAttr stream = streamOf(draw);
    if (keys.contains(stream))
      continue;
    auto key = numerics::streamKey(ops, ops.i64(stream.getDeclaration()),
                                   ops.i64(stream.getOrdinal()), ops.asI64(tick.getSeed()));
    keys[stream] = {key.low.value, key.high.value};
  }
}

/// Rows are counted as `lci-expand-draws` counts them; their cells are those of one class.
DrawSite TickSlicer::siteOf(OpBuilder &inner, const Place &place, StreamAttr stream, Value number) {
  IROps ops(inner, loc, inner.getI64Type());
  auto cast = [&](Value index) {
    return ops.asI64(arith::IndexCastOp::create(inner, loc, inner.getI64Type(), index));
  };
  auto row = ops.i64(0);
  for (auto [axis, index] : llvm::enumerate(place.rows))
    row = row * ops.i64(layout.getCells()[axis]) + cast(index);
  uint64_t longest = llvm::divideCeil(layout.getCells().back(), layout.getSplit());
  auto group = row * ops.i64(llvm::divideCeil(longest, 32)) + (cast(place.word) << ops.i64(1));
  auto [low, high] = keys.lookup(stream);
  Value zero = ops.i64(0).value;
  return {low, high, number ? number : zero, tick.getEpoch(), drawnPhase, group.value};
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

TickSlicer::Rest TickSlicer::allocateRest(const Piece &piece) {
  SmallVector<int64_t> shape;
  for (unsigned axis = 0; axis + 1 < tick.getRank(); ++axis)
    shape.push_back(*facts.getMaxExtent(axis));
  shape.push_back(piece.numWords);
  int64_t size = 1;
  for (int64_t extent : shape)
    size *= extent;
  Rest rest;
  unsigned numDraws = findDraws(tick).size();
  auto allocateAll = [&](SmallVector<Value> &buffers, unsigned number, ArrayRef<int64_t> shape) {
    for (unsigned i = 0; i < number; ++i)
      buffers.push_back(allocate(builder, tick, shape));
  };
  allocateAll(rest.isLess, numDraws, shape);
  allocateAll(rest.isUndecided, numDraws, shape);
  rest.list = allocate(builder, tick, size);
  allocateAll(rest.newLess, numDraws, size);
  allocateAll(rest.newUndecided, numDraws, size);
  allocateAll(rest.newPlanes, layout.getPlanes(), size);
  return rest;
}

/// As many rows of a buffer of words as the box has.
Value TickSlicer::boxOf(Value words) {
  auto shape = cast<MemRefType>(words.getType()).getShape();
  SmallVector<OpFoldResult> sizes = tick.getMixedExtents();
  sizes.back() = builder.getIndexAttr(shape.back());
  if (llvm::all_of(sizes, [](OpFoldResult size) { return getConstantIntValue(size).has_value(); }))
    return words;
  SmallVector<OpFoldResult> zeros(shape.size(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> ones(shape.size(), builder.getIndexAttr(1));
  return memref::SubViewOp::create(builder, loc, words, zeros, sizes, ones);
}

//===----------------------------------------------------------------------===//
// The list
//===----------------------------------------------------------------------===//

namespace {
/// Indices of a word in its box as one number, and back.
class Packing {
public:
  Packing(OpBuilder &builder, Location loc, unsigned rank)
      : builder(builder), loc(loc), rank(rank), bits(64 / rank) {}

  Value pack(ValueRange indices) {
    Value packed = number(0);
    for (Value index : indices) {
      Value part = arith::IndexCastOp::create(builder, loc, builder.getI64Type(), index);
      if (rank > 1)
        packed = builder.createOrFold<arith::ShLIOp>(loc, packed, number(bits));
      packed = builder.createOrFold<arith::OrIOp>(loc, packed, part);
    }
    return packed;
  }

  SmallVector<Value> unpack(Value packed) {
    SmallVector<Value> indices;
    for (unsigned i = 0; i < rank; ++i) {
      Value part = packed;
      if (rank > 1) {
        part = builder.createOrFold<arith::ShRUIOp>(loc, part, number(bits * (rank - 1 - i)));
        part = builder.createOrFold<arith::AndIOp>(loc, part, number((uint64_t(1) << bits) - 1));
      }
      indices.push_back(arith::IndexCastOp::create(builder, loc, builder.getIndexType(), part));
    }
    return indices;
  }

private:
  Value number(uint64_t value) {
    return arith::ConstantIntOp::create(builder, loc, static_cast<int64_t>(value), 64);
  }

  OpBuilder &builder;
  Location loc;
  unsigned rank, bits;
};
} // namespace

/// Whether some draw of a word is undecided, as an index that is 0 or 1.
static Value anyUndecided(OpBuilder &builder, Location loc, ArrayRef<Value> undecided) {
  Circuits circuits(builder, loc);
  Value any = circuits.zeros();
  for (Value word : undecided)
    any = circuits.either(any, word);
  Value test = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, any, circuits.zeros());
  return arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(), test);
}

static SmallVector<Value> loadAll(OpBuilder &builder, Location loc, ArrayRef<Value> buffers,
                                  ValueRange at) {
  return llvm::map_to_vector(buffers, [&](Value buffer) -> Value {
    return memref::LoadOp::create(builder, loc, buffer, at);
  });
}

static void storeAll(OpBuilder &builder, Location loc, ArrayRef<Value> values,
                     ArrayRef<Value> buffers, ValueRange at) {
  for (auto [value, buffer] : llvm::zip_equal(values, buffers))
    memref::StoreOp::create(builder, loc, value, buffer, at);
}

/// Lists the words; every one is written, the next one over it if it is not to be kept.
Value TickSlicer::emitList(const Rest &rest, const Piece &piece) {
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  unsigned rank = tick.getRank();
  SmallVector<Value> begin(rank, index(0)), step(rank, index(1)), end;
  for (OpFoldResult extent : ArrayRef(tick.getMixedExtents()).drop_back())
    end.push_back(getValueOrCreateConstantIndexOp(builder, loc, extent));
  end.push_back(index(piece.numWords));
  scf::LoopNest nest = scf::buildLoopNest(
      builder, loc, begin, end, step, index(0),
      [&](OpBuilder &inner, Location, ValueRange indices, ValueRange carried) {
        Value packed = Packing(inner, loc, rank).pack(indices);
        memref::StoreOp::create(inner, loc, packed, rest.list, carried.front());
        SmallVector<Value> undecided = loadAll(inner, loc, rest.isUndecided, indices);
        Value kept = anyUndecided(inner, loc, undecided);
        return scf::ValueVector{arith::AddIOp::create(inner, loc, carried.front(), kept)};
      });
  return nest.results.front();
}

//===----------------------------------------------------------------------===//
// Block after block
//===----------------------------------------------------------------------===//

/// All ones, or after the last block none.
static Value isNotLast(OpBuilder &builder, Location loc, Value block) {
  Value last = arith::ConstantIntOp::create(builder, loc, numerics::kThresholdBlocks - 1, 64);
  Value goesOn = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, block, last);
  return arith::ExtSIOp::create(builder, loc, builder.getI64Type(), goesOn);
}

void TickSlicer::emitRest(const Rest &rest, const Run &run, const Piece &piece) {
  Value length = emitList(rest, piece);
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, loc, value, 64);
  };
  Value first = number(numerics::kEagerBlocks), last = number(numerics::kThresholdBlocks);
  auto loop = scf::ForOp::create(builder, loc, first, last, number(1), length);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value block = loop.getInductionVar(), remaining = loop.getRegionIterArg(0);
  emitRestBlock(rest, run, piece, block, remaining);
  Value next = emitScatter(rest, run, piece, remaining);
  scf::YieldOp::create(builder, loc, next);
}

/// Looks at one more block for each word of the list.
void TickSlicer::emitRestBlock(const Rest &rest, const Run &run, const Piece &piece, Value block,
                               Value length) {
  RestViews views;
  for (const Word &word : words)
    views.words.push_back(viewOf(word, piece));
  for (int64_t plane = 0; plane < layout.getPlanes(); ++plane)
    views.targets.push_back(targetView(plane, run, piece));
  for (int64_t slot : getCountedSlots(tick))
    views.slots.push_back(buildCounterView(builder, loc, counts, slot));
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  auto loop = scf::ForOp::create(builder, loc, zero, length, one, ValueRange(),
                                 [&](OpBuilder &inner, Location, Value entry, ValueRange) {
                                   buildRestEntry(inner, rest, views, run, piece, block, entry);
                                   scf::YieldOp::create(inner, loc);
                                 });
  loop->setAttr("lci.name", builder.getStringAttr(tick.getName().str() + ".rest"));
}

void TickSlicer::buildRestEntry(OpBuilder &inner, const Rest &rest, const RestViews &views,
                                const Run &run, const Piece &piece, Value block, Value entry) {
  Circuits circuits(inner, loc);
  Value packed = memref::LoadOp::create(inner, loc, rest.list, entry);
  SmallVector<Value> at = Packing(inner, loc, tick.getRank()).unpack(packed);
  Place place;
  for (auto [axis, row] : llvm::enumerate(ArrayRef(at).drop_back()))
    place.rows.push_back(rowAt(inner, axis, row));
  place.word = wordAt(inner, at.back(), piece);
  auto load = [&](unsigned word) -> Value {
    SmallVector<Value> indices;
    for (auto [axis, move] : words[word].moves)
      indices.push_back(at[axis]);
    indices.push_back(at.back());
    return memref::LoadOp::create(inner, loc, views.words[word], indices);
  };
  SmallVector<Value> isLess = loadAll(inner, loc, rest.isLess, at);
  SmallVector<Value> isUndecided = loadAll(inner, loc, rest.isUndecided, at);
  Value before = circuits.zeros(), after = circuits.zeros();
  Value goesOn = isNotLast(inner, loc, block);
  unsigned next = 0;
  auto draw = [&](const DrawSite &site, const Threshold &threshold) {
    Comparison known{isLess[next], isUndecided[next]};
    Comparison result = DrawPlanes(inner, loc, site, threshold).compare(known, block);
    // Equal to the end is not below.
    result.isUndecided = circuits.both(result.isUndecided, goesOn);
    before = circuits.either(before, known.isUndecided);
    after = circuits.either(after, result.isUndecided);
    isLess[next] = result.isLess;
    isUndecided[next++] = result.isUndecided;
    return result.isLess;
  };
  Outcome outcome = buildOutcome(inner, run, place, load, draw);
  Value members = circuits.both(before, circuits.negate(after));
  SmallVector<Value> old = loadAll(inner, loc, views.targets, at);
  storeAll(inner, loc, install(inner, outcome, members, old), rest.newPlanes, entry);
  storeAll(inner, loc, isLess, rest.newLess, entry);
  storeAll(inner, loc, isUndecided, rest.newUndecided, entry);
  SmallVector<Value> counts = loadAll(inner, loc, views.slots, {});
  storeAll(inner, loc, count(inner, outcome, members, counts), views.slots, {});
}

/// Puts what was computed where it belongs, and keeps on the list what is undecided still.
Value TickSlicer::emitScatter(const Rest &rest, const Run &run, const Piece &piece, Value length) {
  SmallVector<Value> targets;
  for (int64_t plane = 0; plane < layout.getPlanes(); ++plane)
    targets.push_back(targetView(plane, run, piece));
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  auto body = [&](OpBuilder &inner, Location, Value entry, ValueRange carried) {
    Value packed = memref::LoadOp::create(inner, loc, rest.list, entry);
    SmallVector<Value> at = Packing(inner, loc, tick.getRank()).unpack(packed);
    SmallVector<Value> undecided = loadAll(inner, loc, rest.newUndecided, entry);
    storeAll(inner, loc, loadAll(inner, loc, rest.newPlanes, entry), targets, at);
    storeAll(inner, loc, loadAll(inner, loc, rest.newLess, entry), rest.isLess, at);
    storeAll(inner, loc, undecided, rest.isUndecided, at);
    memref::StoreOp::create(inner, loc, packed, rest.list, carried.front());
    Value kept = anyUndecided(inner, loc, undecided);
    Value next = arith::AddIOp::create(inner, loc, carried.front(), kept);
    scf::YieldOp::create(inner, loc, next);
  };
  return scf::ForOp::create(builder, loc, zero, length, one, zero, body).getResult(0);
}

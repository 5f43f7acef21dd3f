//===- SliceRest.cpp - Words in which draws are not decided yet -----------===//
//
// Eight planes decide 255 of 256 draws. The words that hold others are listed, with all that the
// body reads of them side by side, since the words themselves lie too far apart for vectors. Block
// after block of planes is looked at for those on the list; after each, planes are put where they
// belong, and words that are decided leave the list.
//
//===----------------------------------------------------------------------===//

#include "../LoopHints.h"
#include "LCI/Dialect/TickBuilders.h"
#include "TickSlicer.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::bitslice;
namespace numerics = ::lci::numerics;

/// The last entries of a list are empty, so that vectors of so many are full.
static constexpr int64_t kLanes = 8;

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// Made once, where the function begins, and freed where it ends. Each part of a tick has its own.
Value TickSlicer::allocate(ArrayRef<int64_t> shape) {
  OpBuilder::InsertionGuard guard(builder);
  auto part = tick->getParentOfType<scf::ForallOp>();
  Block *block = part ? part.getBody() : &tick->getParentOfType<func::FuncOp>().getBody().front();
  builder.setInsertionPointToStart(block);
  auto type = MemRefType::get(shape, builder.getI64Type());
  Value buffer = memref::AllocOp::create(builder, loc, type);
  builder.setInsertionPoint(block->getTerminator());
  memref::DeallocOp::create(builder, loc, buffer);
  return buffer;
}

TickSlicer::Rest TickSlicer::allocateRest(const Piece &piece) {
  SmallVector<int64_t> shape;
  for (unsigned axis = 0; axis + 1 < tick.getRank(); ++axis)
    shape.push_back(*facts.getMaxExtent(axis));
  shape.push_back(piece.numWords);
  int64_t size = 1;
  for (int64_t extent : shape)
    size *= extent;
  Rest rest;
  size_t numDraws = findDraws(tick).size();
  // What one draw alone decides is asked of its undecided cells only.
  size_t numKnown = numDraws > 1 ? numDraws : 0;
  for (size_t draw = 0; draw < numKnown; ++draw)
    rest.isLess.push_back(allocate(shape));
  for (size_t draw = 0; draw < numDraws; ++draw)
    rest.isUndecided.push_back(allocate(shape));
  int64_t numFields = 0;
  auto take = [&](size_t number) {
    auto fields = llvm::to_vector(llvm::seq<int64_t>(numFields, numFields + number));
    numFields += number;
    return fields;
  };
  List &list = rest.list;
  list.place = take(1);
  list.words = take(words.size());
  list.planes = take(layout.getPlanes());
  list.isLess = take(numKnown);
  list.isUndecided = take(numDraws);
  // Vectors are written whole, of which what is behind the last entry does not count.
  list.buffer = allocate({numFields, static_cast<int64_t>(llvm::alignTo(size, kLanes)) + kLanes});
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
// Entries of the list
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

/// Fields of an entry of the list.
static SmallVector<Value> loadFields(OpBuilder &builder, Location loc, Value list,
                                     ArrayRef<int64_t> fields, Value entry) {
  return llvm::map_to_vector(fields, [&](int64_t field) -> Value {
    Value row = arith::ConstantIndexOp::create(builder, loc, field);
    return memref::LoadOp::create(builder, loc, list, ValueRange{row, entry});
  });
}

static void storeFields(OpBuilder &builder, Location loc, ArrayRef<Value> values, Value list,
                        ArrayRef<int64_t> fields, Value entry) {
  for (auto [value, field] : llvm::zip_equal(values, fields)) {
    Value row = arith::ConstantIndexOp::create(builder, loc, field);
    memref::StoreOp::create(builder, loc, value, list, ValueRange{row, entry});
  }
}

/// A loop over so many entries, which LLVM is not to make vectors of: those would be put together
/// element by element.
static scf::ForOp
buildScalarLoop(OpBuilder &builder, Location loc, Value first, Value length, ValueRange start,
                function_ref<void(OpBuilder &, Location, Value, ValueRange)> body) {
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  auto loop = scf::ForOp::create(builder, loc, first, length, one, start, body);
  LoopHints hints{/*noVectors=*/true};
  loop->setAttr(kLoopAnnotation, hints.get(builder.getContext()));
  return loop;
}

//===----------------------------------------------------------------------===//
// The list
//===----------------------------------------------------------------------===//

/// The indices of a word that a load is made of.
SmallVector<Value> TickSlicer::indicesOf(const Word &word, ArrayRef<Value> at) {
  SmallVector<Value> indices;
  for (auto [axis, move] : word.moves)
    indices.push_back(at[axis]);
  indices.push_back(at.back());
  return indices;
}

/// Lists the words; every one is written, the next one over it if it is not to be kept.
Value TickSlicer::emitList(const Rest &rest, const Views &views, const Piece &piece) {
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  unsigned rank = tick.getRank();
  SmallVector<Value> begin(rank, index(0)), step(rank, index(1)), end;
  if (vectorBits == kWordBits * kLanes)
    step.back() = index(kLanes);
  SmallVector<OpFoldResult> extents = tick.getMixedExtents();
  for (OpFoldResult extent : ArrayRef(extents).drop_back())
    end.push_back(getValueOrCreateConstantIndexOp(builder, loc, extent));
  end.push_back(index(piece.numWords));
  auto body = [&](OpBuilder &inner, Location, ValueRange at, ValueRange carried) {
    if (vectorBits == kWordBits * kLanes)
      return scf::ValueVector{listVector(inner, rest, views, piece, at, carried.front())};
    Value packed = Packing(inner, loc, rank).pack(at);
    storeFields(inner, loc, packed, rest.list.buffer, rest.list.place, carried.front());
    Value kept = anyUndecided(inner, loc, loadAll(inner, loc, rest.isUndecided, at));
    return scf::ValueVector{arith::AddIOp::create(inner, loc, carried.front(), kept)};
  };
  Value length = scf::buildLoopNest(builder, loc, begin, end, step, index(0), body).results.front();
  if (vectorBits != kWordBits * kLanes)
    emitGather(rest, views, length);
  return length;
}

/// The same for eight words, with all their fields: of each, those that are kept are moved to the
/// front, and the vector is written. Where the list will end.
Value TickSlicer::listVector(OpBuilder &inner, const Rest &rest, const Views &views,
                             const Piece &piece, ValueRange at, Value length) {
  auto type = VectorType::get(kLanes, inner.getI64Type());
  auto bits = VectorType::get(kLanes, inner.getI1Type());
  Value zeros = arith::ConstantOp::create(inner, loc, inner.getZeroAttr(type));
  Value number = arith::ConstantIndexOp::create(inner, loc, piece.numWords);
  Value left = arith::SubIOp::create(inner, loc, number, at.back());
  Value mask = vector::CreateMaskOp::create(inner, loc, bits, left);
  auto load = [&](Value buffer, ValueRange indices) -> Value {
    return vector::MaskedLoadOp::create(inner, loc, type, buffer, indices, mask, zeros);
  };
  Value undecided = zeros;
  for (Value buffer : rest.isUndecided)
    undecided = inner.createOrFold<arith::OrIOp>(loc, undecided, load(buffer, at));
  Value kept = arith::CmpIOp::create(inner, loc, arith::CmpIPredicate::ne, undecided, zeros);
  auto put = [&](ArrayRef<int64_t> fields, ArrayRef<Value> vectors) {
    for (auto [field, vector] : llvm::zip_equal(fields, vectors)) {
      auto name = inner.getStringAttr("llvm.experimental.vector.compress");
      Value front =
          LLVM::CallIntrinsicOp::create(inner, loc, type, name, ValueRange{vector, kept, zeros})
              .getResults();
      Value row = arith::ConstantIndexOp::create(inner, loc, field);
      vector::StoreOp::create(inner, loc, front, rest.list.buffer, ValueRange{row, length});
    }
  };
  Value packed = Packing(inner, loc, tick.getRank()).pack(at);
  Value first = vector::BroadcastOp::create(inner, loc, type, packed);
  Value steps = arith::ConstantOp::create(
      inner, loc, DenseElementsAttr::get(type, ArrayRef<int64_t>{0, 1, 2, 3, 4, 5, 6, 7}));
  put(rest.list.place, arith::AddIOp::create(inner, loc, first, steps).getResult());
  SmallVector<Value> loaded;
  for (auto [word, view] : llvm::zip_equal(words, views.words))
    loaded.push_back(load(view, indicesOf(word, llvm::to_vector(at))));
  put(rest.list.words, loaded);
  auto loadEach = [&](ArrayRef<Value> buffers) {
    return llvm::map_to_vector(buffers, [&](Value buffer) { return load(buffer, at); });
  };
  put(rest.list.planes, loadEach(views.targets));
  put(rest.list.isLess, loadEach(rest.isLess));
  put(rest.list.isUndecided, loadEach(rest.isUndecided));
  Value asNumber =
      vector::BitCastOp::create(inner, loc, VectorType::get(1, inner.getI8Type()), kept);
  Value keptBits = vector::ExtractOp::create(inner, loc, asNumber, 0);
  Value count = math::CtPopOp::create(inner, loc, keptBits);
  Value added = arith::IndexCastUIOp::create(inner, loc, inner.getIndexType(), count);
  return arith::AddIOp::create(inner, loc, length, added);
}

/// Puts what is known of the listed words side by side.
void TickSlicer::emitGather(const Rest &rest, const Views &views, Value length) {
  const List &list = rest.list;
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  auto body = [&](OpBuilder &inner, Location, Value entry, ValueRange) {
    Value packed = loadFields(inner, loc, list.buffer, list.place, entry).front();
    SmallVector<Value> at = Packing(inner, loc, tick.getRank()).unpack(packed);
    auto copy = [&](ArrayRef<Value> from, ArrayRef<int64_t> to) {
      storeFields(inner, loc, loadAll(inner, loc, from, at), list.buffer, to, entry);
    };
    SmallVector<Value> loaded;
    for (auto [word, view] : llvm::zip_equal(words, views.words))
      loaded.push_back(memref::LoadOp::create(inner, loc, view, indicesOf(word, at)));
    storeFields(inner, loc, loaded, list.buffer, list.words, entry);
    copy(views.targets, list.planes);
    copy(rest.isLess, list.isLess);
    copy(rest.isUndecided, list.isUndecided);
    scf::YieldOp::create(inner, loc);
  };
  auto loop = buildScalarLoop(builder, loc, zero, length, ValueRange(), body);
  loop->setAttr("lci.name", builder.getStringAttr(tick.getName().str() + ".list"));
}

/// As many entries as fill vectors; those that are added have nothing to decide.
Value TickSlicer::emitPadding(const List &list, Value length) {
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Value most = arith::AddIOp::create(builder, loc, length, index(kLanes - 1));
  Value padded = arith::AndIOp::create(builder, loc, most, index(-kLanes));
  auto body = [&](OpBuilder &inner, Location, Value entry, ValueRange) {
    Value zero = arith::ConstantIntOp::create(inner, loc, 0, 64);
    storeFields(inner, loc, zero, list.buffer, list.place, entry);
    SmallVector<Value> none(list.isUndecided.size(), zero);
    storeFields(inner, loc, none, list.buffer, list.isUndecided, entry);
    scf::YieldOp::create(inner, loc);
  };
  buildScalarLoop(builder, loc, length, padded, ValueRange(), body);
  return padded;
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
  Views views;
  for (const Word &word : words)
    views.words.push_back(viewOf(word, piece));
  for (int64_t plane = 0; plane < layout.getPlanes(); ++plane)
    views.targets.push_back(targetView(plane, run, piece));
  Value length = emitList(rest, views, piece);
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, loc, value, 64);
  };
  Value first = number(numerics::kEagerBlocks), last = number(numerics::kThresholdBlocks);
  auto loop = scf::ForOp::create(builder, loc, first, last, number(1), length);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value block = loop.getInductionVar(), remaining = loop.getRegionIterArg(0);
  emitBlock(rest.list, run, piece, block, emitPadding(rest.list, remaining));
  scf::YieldOp::create(builder, loc, emitScatter(rest.list, views, remaining));
}

/// Looks at one more block for each word of the list.
void TickSlicer::emitBlock(const List &list, const Run &run, const Piece &piece, Value block,
                           Value length) {
  SmallVector<Value> slots;
  for (int64_t slot : getCountedSlots(tick))
    slots.push_back(buildCounterView(builder, loc, counts, slot));
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  auto loop = scf::ForOp::create(builder, loc, zero, length, one, ValueRange(),
                                 [&](OpBuilder &inner, Location, Value entry, ValueRange) {
                                   buildEntry(inner, list, slots, run, piece, block, entry);
                                   scf::YieldOp::create(inner, loc);
                                 });
  loop->setAttr("lci.name", builder.getStringAttr(tick.getName().str() + ".rest"));
}

void TickSlicer::buildEntry(OpBuilder &inner, const List &list, ArrayRef<Value> slots,
                            const Run &run, const Piece &piece, Value block, Value entry) {
  Circuits circuits(inner, loc);
  auto loadOf = [&](ArrayRef<int64_t> fields) {
    return loadFields(inner, loc, list.buffer, fields, entry);
  };
  Value packed = loadOf(list.place).front();
  SmallVector<Value> at = Packing(inner, loc, tick.getRank()).unpack(packed);
  Place place;
  for (auto [axis, row] : llvm::enumerate(ArrayRef(at).drop_back()))
    place.rows.push_back(rowAt(inner, axis, row));
  place.word = wordAt(inner, at.back(), piece);
  auto load = [&](unsigned word) { return loadOf(list.words[word]).front(); };
  SmallVector<Value> isLess = loadOf(list.isLess), isUndecided = loadOf(list.isUndecided);
  isLess.resize(isUndecided.size(), circuits.zeros());
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
  SmallVector<Value> planes = install(inner, outcome, members, loadOf(list.planes));
  storeFields(inner, loc, planes, list.buffer, list.planes, entry);
  isLess.truncate(list.isLess.size());
  storeFields(inner, loc, isLess, list.buffer, list.isLess, entry);
  storeFields(inner, loc, isUndecided, list.buffer, list.isUndecided, entry);
  SmallVector<Value> sums = count(inner, outcome, members, loadAll(inner, loc, slots, {}));
  for (auto [sum, slot] : llvm::zip_equal(sums, slots))
    memref::StoreOp::create(inner, loc, sum, slot);
}

/// Puts planes where they belong, and moves up those entries that are undecided still: few.
Value TickSlicer::emitScatter(const List &list, const Views &views, Value length) {
  auto body = [&](OpBuilder &inner, Location, Value entry, ValueRange carried) {
    auto loadOf = [&](ArrayRef<int64_t> fields) {
      return loadFields(inner, loc, list.buffer, fields, entry);
    };
    SmallVector<Value> at = Packing(inner, loc, tick.getRank()).unpack(loadOf(list.place).front());
    for (auto [plane, target] : llvm::zip_equal(loadOf(list.planes), views.targets))
      memref::StoreOp::create(inner, loc, plane, target, at);
    Value kept = anyUndecided(inner, loc, loadOf(list.isUndecided));
    Value isKept = arith::CmpIOp::create(inner, loc, arith::CmpIPredicate::ne, kept,
                                         arith::ConstantIndexOp::create(inner, loc, 0));
    scf::IfOp::create(inner, loc, isKept, [&](OpBuilder &then, Location) {
      int64_t numFields = cast<MemRefType>(list.buffer.getType()).getDimSize(0);
      auto fields = llvm::to_vector(llvm::seq<int64_t>(0, numFields));
      storeFields(then, loc, loadFields(then, loc, list.buffer, fields, entry), list.buffer, fields,
                  carried.front());
      scf::YieldOp::create(then, loc);
    });
    Value next = arith::AddIOp::create(inner, loc, carried.front(), kept);
    scf::YieldOp::create(inner, loc, next);
  };
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  return buildScalarLoop(builder, loc, zero, length, zero, body).getResult(0);
}

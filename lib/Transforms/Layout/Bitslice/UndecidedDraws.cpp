//===- UndecidedDraws.cpp - Completion of undecided draws -----------------===//
//
// Eight planes decide 255 of 256 draws. The halves of words with undecided
// draws are listed, since a block of random bits has 32 cells, together with
// all that the body reads for them, since the words themselves are too
// scattered for vectors. Each further block of planes is compared for listed
// halves only; then results are scattered to the planes, and decided entries
// leave the list. A draw may decide the probability of another one. Until it is
// decided, that one was compared with a threshold that may be wrong: it
// restarts from its first block whenever more is known.
//===----------------------------------------------------------------------===//

#include "LCI/Dialect/TickBuilders.h"
#include "LCI/Transforms/Support/LoopHints.h"
#include "LCI/Transforms/Support/Ways.h"
#include "TickSlicer.h"
#include "UndecidedLists.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::bitslice;
namespace numerics = ::lci::numerics;

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// Allocates at the start of the function and frees at its end. Chunks of a tick for threads
/// allocate separately.
Value TickSlicer::allocate(ArrayRef<int64_t> shape, unsigned bits) {
  OpBuilder::InsertionGuard guard(builder);
  auto part = tick->getParentOfType<scf::ForallOp>();
  Block *block = part ? part.getBody() : &tick->getParentOfType<func::FuncOp>().getBody().front();
  builder.setInsertionPointToStart(block);
  auto type = MemRefType::get(shape, builder.getIntegerType(bits));
  Value buffer = memref::AllocOp::create(builder, loc, type);
  builder.setInsertionPoint(block->getTerminator());
  memref::DeallocOp::create(builder, loc, buffer);
  return buffer;
}

/// All reads of loads, without duplicates.
SmallVector<TickSlicer::Read> TickSlicer::collectReads() {
  SmallVector<Read> reads;
  tick.getBody().walk([&](LoadOp load) {
    for (const Read &read : sources.find(load)->second)
      if (!llvm::is_contained(reads, read))
        reads.push_back(read);
  });
  return reads;
}

/// Numbers the fields, and returns how many there are.
int64_t TickSlicer::numberFields(Rest &rest) const {
  int64_t numFields = 0;
  auto take = [&](size_t number) {
    auto fields = llvm::to_vector(llvm::seq<int64_t>(numFields, numFields + number));
    numFields += number;
    return fields;
  };
  List &list = rest.list;
  list.place = take(1);
  list.reads = take(rest.reads.size());
  list.planes = take(layout.getPlanes());
  list.members = take(1);
  list.isLess = take(rest.isLess.size());
  list.isUndecided = take(rest.isUndecided.size());
  list.isPending = take(lastStage() > 0); // else cells with undecided draws are pending
  return numFields;
}

TickSlicer::Rest TickSlicer::allocateRest(const Piece &piece) {
  SmallVector<int64_t> shape;
  for (unsigned axis = 0; axis + 1 < tick.getRank(); ++axis)
    shape.push_back(*analysis.getMaxExtent(axis));
  shape.push_back(piece.numWords);
  int64_t size = 1;
  for (int64_t extent : shape)
    size *= extent;
  Rest rest;
  rest.reads = collectReads();
  for (int64_t extent : shape)
    rest.placeBits.push_back(llvm::Log2_64_Ceil(std::max<int64_t>(extent, 1)));
  rest.placeBits.back() += llvm::Log2_64(kWordBits / kHalfBits);
  size_t numDraws = findDraws(tick).size();
  // With a single draw, only its undecided cells matter.
  size_t numKnown = numDraws > 1 ? numDraws : 0;
  for (size_t draw = 0; draw < numKnown; ++draw)
    rest.isLess.push_back(allocate(shape));
  for (size_t draw = 0; draw < numDraws; ++draw)
    rest.isUndecided.push_back(allocate(shape));
  // Vectors are stored whole; elements beyond the last entry are ignored.
  int64_t most = llvm::alignTo(size * kHalves / kLanes, kHalves) + kHalves;
  rest.list.buffer = allocate({numberFields(rest), most}, kHalfBits);
  return rest;
}

//===----------------------------------------------------------------------===//
// The list
//===----------------------------------------------------------------------===//

/// The union of some words.
static Value anyOf(OpBuilder &builder, Location loc, ArrayRef<Value> words) {
  Circuits circuits(builder, loc);
  Value any = circuits.zeros();
  for (Value word : words)
    any = circuits.either(any, word);
  return any;
}

static Value isAny(OpBuilder &builder, Location loc, Value word) {
  Value zero = Circuits(builder, loc).zeros();
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, word, zero);
}

static SmallVector<Value> loadAll(OpBuilder &builder, Location loc, ArrayRef<Value> buffers,
                                  ValueRange at) {
  return llvm::map_to_vector(buffers, [&](Value buffer) -> Value {
    return memref::LoadOp::create(builder, loc, buffer, at);
  });
}

/// A loop over entries that LLVM must not vectorize: it would assemble vectors element by element.
static scf::ForOp
buildScalarLoop(OpBuilder &builder, Location loc, Value first, Value length, ValueRange start,
                function_ref<void(OpBuilder &, Location, Value, ValueRange)> body) {
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  auto loop = scf::ForOp::create(builder, loc, first, length, one, start, body);
  LoopHints hints{/*noVectors=*/true};
  loop->setAttr(kLoopAnnotation, hints.get(builder.getContext()));
  return loop;
}

/// The indices of a word that a load reads.
SmallVector<Value> TickSlicer::indicesOf(const Word &word, ArrayRef<Value> at) {
  SmallVector<Value> indices;
  for (auto [axis, move] : word.moves)
    indices.push_back(at[axis]);
  indices.push_back(at.back());
  return indices;
}

/// Builds the list. Each half is written, and overwritten by the next one unless it is kept.
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
    return scf::ValueVector{listWord(inner, rest, at, carried.front())};
  };
  took(tick, vectorBits == kWordBits * kLanes ? Way::ListByVectors : Way::ListByWords);
  Value length = scf::buildLoopNest(builder, loc, begin, end, step, index(0), body).results.front();
  if (vectorBits != kWordBits * kLanes)
    emitGather(rest, views, length);
  return length;
}

/// Appends the indices of a word's halves. Returns the new length of the list.
Value TickSlicer::listWord(OpBuilder &inner, const Rest &rest, ValueRange at, Value length) {
  Value packed = Packing(inner, loc, rest.placeBits).pack(at);
  Value undecided = anyOf(inner, loc, loadAll(inner, loc, rest.isUndecided, at));
  auto ones = llvm::maskTrailingOnes<uint64_t>(kHalfBits);
  for (int64_t half : {0, 1}) {
    Value number = arith::ConstantIntOp::create(inner, loc, half, kHalfBits);
    Value place = inner.createOrFold<arith::OrIOp>(loc, packed, number);
    storeFields(inner, loc, place, rest.list.buffer, rest.list.place, length);
    Circuits circuits(inner, loc);
    Value bits = circuits.both(undecided, circuits.constant(half ? ~ones : ones));
    Value kept =
        arith::IndexCastUIOp::create(inner, loc, inner.getIndexType(), isAny(inner, loc, bits));
    length = arith::AddIOp::create(inner, loc, length, kept);
  }
  return length;
}

/// The same for the halves of eight words, with the fields that are read for them.
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
  Compaction kept(inner, loc, undecided);
  kept.addPlaces(rest.list.place.front(), Packing(inner, loc, rest.placeBits).pack(at));
  SmallVector<Value> loaded;
  for (auto [word, view] : llvm::zip_equal(words, views.words))
    loaded.push_back(load(view, indicesOf(word, llvm::to_vector(at))));
  for (auto [field, read] : llvm::zip_equal(rest.list.reads, rest.reads))
    kept.add(field, funnel(inner, loc, loaded[read.first], loaded[read.second], read.funnel));
  for (auto [field, buffer] : llvm::zip_equal(rest.list.isLess, rest.isLess))
    kept.add(field, load(buffer, at));
  for (auto [field, buffer] : llvm::zip_equal(rest.list.isUndecided, rest.isUndecided))
    kept.add(field, load(buffer, at));
  for (int64_t field : rest.list.isPending)
    kept.add(field, undecided);
  return kept.store(rest.list.buffer, length);
}

/// Gathers the fields of the listed halves.
void TickSlicer::emitGather(const Rest &rest, const Views &views, Value length) {
  const List &list = rest.list;
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  auto body = [&](OpBuilder &inner, Location, Value entry, ValueRange) {
    Value packed = loadField(inner, loc, list.buffer, list.place.front(), entry);
    SmallVector<Value> at = Packing(inner, loc, rest.placeBits).unpack(packed);
    Value half = at.pop_back_val();
    auto store = [&](ArrayRef<Value> from, ArrayRef<int64_t> to) {
      auto halves =
          llvm::map_to_vector(from, [&](Value word) { return takeHalf(inner, loc, word, half); });
      storeFields(inner, loc, halves, list.buffer, to, entry);
    };
    auto copy = [&](ArrayRef<Value> from, ArrayRef<int64_t> to) {
      store(loadAll(inner, loc, from, at), to);
    };
    SmallVector<Value> loaded;
    for (auto [word, view] : llvm::zip_equal(words, views.words))
      loaded.push_back(memref::LoadOp::create(inner, loc, view, indicesOf(word, at)));
    auto move = [&](const Read &read) {
      return funnel(inner, loc, loaded[read.first], loaded[read.second], read.funnel);
    };
    store(llvm::map_to_vector(rest.reads, move), list.reads);
    copy(rest.isLess, list.isLess);
    copy(rest.isUndecided, list.isUndecided);
    for (int64_t field : list.isPending)
      store(anyOf(inner, loc, loadAll(inner, loc, rest.isUndecided, at)), field);
    scf::YieldOp::create(inner, loc);
  };
  auto loop = buildScalarLoop(builder, loc, zero, length, ValueRange(), body);
  loop->setAttr("lci.name", builder.getStringAttr(tick.getName().str() + ".list"));
}

/// Pads the list to whole vectors with entries that have nothing to decide.
Value TickSlicer::emitPadding(const List &list, Value length) {
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Value most = arith::AddIOp::create(builder, loc, length, index(kLanes - 1));
  Value padded = arith::AndIOp::create(builder, loc, most, index(-kLanes));
  auto body = [&](OpBuilder &inner, Location, Value entry, ValueRange) {
    Value zero = arith::ConstantIntOp::create(inner, loc, 0, kHalfBits);
    storeFields(inner, loc, zero, list.buffer, list.place, entry);
    for (int64_t field : llvm::concat<const int64_t>(list.isUndecided, list.isPending))
      storeFields(inner, loc, zero, list.buffer, field, entry);
    scf::YieldOp::create(inner, loc);
  };
  buildScalarLoop(builder, loc, length, padded, ValueRange(), body);
  return padded;
}

//===----------------------------------------------------------------------===//
// Remaining blocks
//===----------------------------------------------------------------------===//

/// All ones, or zero for the last block.
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
  Value first = number(eagerBlocks), last = number(numerics::kThresholdBlocks);
  auto loop = scf::ForOp::create(builder, loc, first, last, number(1), length);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value block = loop.getInductionVar(), remaining = loop.getRegionIterArg(0);
  emitBlock(rest, run, piece, block, emitPadding(rest.list, remaining));
  scf::YieldOp::create(builder, loc, emitScatter(rest, views, remaining));
}

/// Compares one more block for each entry of the list. Draws whose probability depends on others
/// repeat all blocks up to it.
void TickSlicer::emitBlock(const Rest &rest, const Run &run, const Piece &piece, Value block,
                           Value length) {
  unsigned last = lastStage();
  emitSweep(rest, run, piece, {0, block, /*isLast=*/last == 0}, length);
  for (unsigned stage = 1; stage <= last; ++stage) {
    Value zero = arith::ConstantIntOp::create(builder, loc, 0, 64);
    Value one = arith::ConstantIntOp::create(builder, loc, 1, 64);
    auto again = scf::ForOp::create(builder, loc, zero, block, one);
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(again.getBody());
      emitSweep(rest, run, piece, {stage, again.getInductionVar(), /*isLast=*/false}, length);
    }
    emitSweep(rest, run, piece, {stage, block, /*isLast=*/stage == last}, length);
  }
}

void TickSlicer::emitSweep(const Rest &rest, const Run &run, const Piece &piece, const Sweep &sweep,
                           Value length) {
  SmallVector<Value> slots;
  if (sweep.isLast)
    for (int64_t slot : getCountedSlots(tick))
      slots.push_back(buildCounterView(builder, loc, counts, slot));
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  auto loop = scf::ForOp::create(builder, loc, zero, length, one, ValueRange(),
                                 [&](OpBuilder &inner, Location, Value entry, ValueRange) {
                                   buildEntry(inner, rest, slots, run, piece, sweep, entry);
                                   scf::YieldOp::create(inner, loc);
                                 });
  loop->setAttr("lci.name", builder.getStringAttr(tick.getName().str() + ".rest"));
}

/// The state of a draw after one more block; draws of later stages restart at block 0.
Comparison TickSlicer::lookAt(OpBuilder &inner, DrawPlanes &planes, Comparison known,
                              const Sweep &sweep) {
  Circuits circuits(inner, loc);
  if (sweep.stage > 0) {
    Comparison begin = planes.begin();
    Value isFirst =
        arith::CmpIOp::create(inner, loc, arith::CmpIPredicate::eq, sweep.block, circuits.zeros());
    known.isLess = arith::SelectOp::create(inner, loc, isFirst, begin.isLess, known.isLess);
    known.isUndecided =
        arith::SelectOp::create(inner, loc, isFirst, begin.isUndecided, known.isUndecided);
  }
  Comparison result = planes.compare(known, sweep.block);
  // Draws that equal the threshold in all bits are not below it.
  result.isUndecided = circuits.both(result.isUndecided, isNotLast(inner, loc, sweep.block));
  return result;
}

/// The cells of an entry without a token so far, in the lower half of a word.
Value TickSlicer::pendingOf(OpBuilder &inner, const List &list, Value entry) {
  ArrayRef<int64_t> fields = list.isPending.empty() ? list.isUndecided : list.isPending;
  return anyOf(inner, loc, loadFields(inner, loc, list.buffer, fields, entry));
}

void TickSlicer::buildEntry(OpBuilder &inner, const Rest &rest, ArrayRef<Value> slots,
                            const Run &run, const Piece &piece, const Sweep &sweep, Value entry) {
  const List &list = rest.list;
  auto loadOf = [&](ArrayRef<int64_t> fields) {
    return loadFields(inner, loc, list.buffer, fields, entry);
  };
  Value packed = loadField(inner, loc, list.buffer, list.place.front(), entry);
  SmallVector<Value> at = Packing(inner, loc, rest.placeBits).unpack(packed);
  Place place;
  place.half = at.pop_back_val();
  for (auto [axis, row] : llvm::enumerate(ArrayRef(at).drop_back()))
    place.rows.push_back(rowAt(inner, axis, row));
  place.word = wordAt(inner, at.back(), piece);
  auto load = [&](const Read &read) {
    return loadOf(list.reads[llvm::find(rest.reads, read) - rest.reads.begin()]).front();
  };
  SmallVector<Value> isLess = loadOf(list.isLess), isUndecided = loadOf(list.isUndecided);
  isLess.resize(isUndecided.size(), Circuits(inner, loc).zeros());
  Value before = pendingOf(inner, list, entry);
  unsigned next = 0;
  auto draw = [&](const DrawSite &site, const Threshold &threshold) {
    unsigned number = next++;
    if (stages[number] != sweep.stage)
      return isLess[number];
    DrawPlanes planes(inner, loc, site, threshold, eagerBlocks);
    Comparison result = lookAt(inner, planes, {isLess[number], isUndecided[number]}, sweep);
    isUndecided[number] = result.isUndecided;
    return isLess[number] = result.isLess;
  };
  Outcome outcome = buildOutcome(inner, run, place, load, draw);
  if (sweep.isLast)
    settle(inner, list, slots, outcome, before, anyOf(inner, loc, isUndecided), entry);
  isLess.truncate(list.isLess.size());
  storeFields(inner, loc, isLess, list.buffer, list.isLess, entry);
  storeFields(inner, loc, isUndecided, list.buffer, list.isUndecided, entry);
}

/// Cells that were pending and have no undecided draw any more get their tokens.
void TickSlicer::settle(OpBuilder &inner, const List &list, ArrayRef<Value> slots,
                        const Outcome &outcome, Value before, Value after, Value entry) {
  Circuits circuits(inner, loc);
  Value members = circuits.both(before, circuits.negate(after));
  SmallVector<Value> planes;
  for (size_t plane = 0; plane < list.planes.size(); ++plane)
    planes.push_back(circuits.bitOf(outcome.token, plane));
  storeFields(inner, loc, planes, list.buffer, list.planes, entry);
  Value installed = circuits.both(outcome.condition, members);
  storeFields(inner, loc, installed, list.buffer, list.members, entry);
  for (int64_t field : list.isPending)
    storeFields(inner, loc, circuits.both(before, after), list.buffer, field, entry);
  SmallVector<Value> sums = count(inner, outcome, members, loadAll(inner, loc, slots, {}));
  for (auto [sum, slot] : llvm::zip_equal(sums, slots))
    memref::StoreOp::create(inner, loc, sum, slot);
}

/// Scatters the planes, and moves up entries that are still undecided, which are few.
Value TickSlicer::emitScatter(const Rest &rest, const Views &views, Value length) {
  const List &list = rest.list;
  auto body = [&](OpBuilder &inner, Location, Value entry, ValueRange carried) {
    auto loadOf = [&](ArrayRef<int64_t> fields) {
      return loadFields(inner, loc, list.buffer, fields, entry);
    };
    Value packed = loadField(inner, loc, list.buffer, list.place.front(), entry);
    SmallVector<Value> at = Packing(inner, loc, rest.placeBits).unpack(packed);
    Value half = at.pop_back_val();
    Value members = putHalf(inner, loc, loadOf(list.members).front(), half);
    for (auto [plane, target] : llvm::zip_equal(loadOf(list.planes), views.targets)) {
      Value old = memref::LoadOp::create(inner, loc, target, at);
      Value now = Circuits(inner, loc).choose(members, putHalf(inner, loc, plane, half), old);
      memref::StoreOp::create(inner, loc, now, target, at);
    }
    Value isKept = isAny(inner, loc, pendingOf(inner, list, entry));
    scf::IfOp::create(inner, loc, isKept, [&](OpBuilder &then, Location) {
      int64_t numFields = cast<MemRefType>(list.buffer.getType()).getDimSize(0);
      for (int64_t field : llvm::seq<int64_t>(0, numFields))
        storeFields(then, loc, loadField(then, loc, list.buffer, field, entry), list.buffer, field,
                    carried.front());
      scf::YieldOp::create(then, loc);
    });
    Value one = arith::IndexCastUIOp::create(inner, loc, inner.getIndexType(), isKept);
    Value next = arith::AddIOp::create(inner, loc, carried.front(), one);
    scf::YieldOp::create(inner, loc, next);
  };
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  return buildScalarLoop(builder, loc, zero, length, zero, body).getResult(0);
}

//===- DrawRows.cpp - Random bits of a row of cells -----------------------===//
//
// Emits Philox blocks for groups of 32 cells on vectors, transposes their planes of bits into one
// word per cell, and distributes the words to vectors of more or fewer cells than a group, also
// where a row begins in the middle of one.
//
//===----------------------------------------------------------------------===//

#include "DrawRows.h"
#include "LCI/Numerics/Draws.h"
#include "LCI/Transforms/Support/IROps.h"
#include "LCI/Transforms/Support/LanewiseFunctions.h"
#include "LCI/Transforms/Support/Ways.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::vectorize;
namespace numerics = ::lci::numerics;

/// Cells that share a group of blocks, and the number of blocks.
static constexpr int64_t kGroup = 32, kBlocks = numerics::kThresholdBlocks;

//===----------------------------------------------------------------------===//
// Which draws
//===----------------------------------------------------------------------===//

bool DrawRows::isFit(Operation *draw) {
  return llvm::TypeSwitch<Operation *, bool>(draw)
      .Case<BernoulliOp, DrawBelowOp, UniformOp, RandIntOp, NormalOp>(
          [](auto op) { return !op.getNumber(); })
      .Default(false);
}

DrawRows::Kind DrawRows::kindOf(Operation *draw) {
  return llvm::TypeSwitch<Operation *, Kind>(draw)
      .Case<BernoulliOp, DrawBelowOp>([](auto op) { return Kind(op.getStream(), 1); })
      .Case<UniformOp, RandIntOp, NormalOp>([](auto op) { return Kind(op.getStream(), 0); });
}

bool DrawRows::hasFitRows(TickOp tick) {
  return tick.getStridesOrOnes().back() == static_cast<int64_t>(tick.getClassStride()) &&
         cast<ShapedType>(tick.getTarget().getType()).hasStaticShape();
}

//===----------------------------------------------------------------------===//
// Where they are
//===----------------------------------------------------------------------===//

void DrawRows::prepare(int64_t lanes) {
  width = lanes;
  IROps ops(b, loc, b.getI64Type());
  tick.getBody().walk([&](Operation *op) {
    if (!isDraw(op) || streams.contains(kindOf(op)))
      return;
    auto name = cast<StreamAttr>(kindOf(op).first);
    auto key = numerics::streamKey(ops, ops.i64(name.getDeclaration()), ops.i64(name.getOrdinal()),
                                   ops.asI64(tick.getSeed()));
    streams[kindOf(op)] = {key.low.value, key.high.value, Value(), Value()};
  });
}

/// The number of cells of the class before the first one in its row.
int64_t DrawRows::firstRank() {
  return *getConstantIntValue(tick.getMixedOffsets().back()) /
         static_cast<int64_t>(tick.getClassStride());
}

/// Groups are counted as in `lci-expand-draws`. A row that begins in the middle of a group needs
/// its first one before any vector.
void DrawRows::enterRow(ValueRange rowIndices) {
  if (streams.empty())
    return;
  if (firstRank() % kGroup > 0)
    took(tick, Way::SplitGroup);
  IROps ops(b, loc, b.getI64Type());
  ArrayRef<int64_t> shape = cast<ShapedType>(tick.getTarget().getType()).getShape();
  auto row = ops.i64(0);
  for (auto [axis, index] : llvm::enumerate(rowIndices)) {
    Value number = arith::IndexCastOp::create(b, loc, b.getI64Type(), index);
    row = row * ops.i64(shape[axis]) + ops.asI64(number);
  }
  uint64_t longest = llvm::divideCeil(static_cast<uint64_t>(shape.back()), tick.getClassStride());
  auto numGroups = ops.i64(llvm::divideCeil(longest, kGroup));
  firstGroup = (row * numGroups + ops.i64(firstRank() / kGroup)).value;
  auto type = VectorType::get({kGroup}, b.getI32Type());
  for (auto &[kind, stream] : streams) {
    stream.words = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
    if (firstRank() % kGroup > 0)
      stream.group = buildGroups(stream, kind.second, firstGroup, 1).front();
  }
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

/// Transposes the eight by eight bits of each word: byte r, bit c goes to byte c, bit r.
static func::FuncOp getTransposition(ModuleOp module, Type type) {
  auto transpose = [&](OpBuilder &b, Location loc, ValueRange words) {
    IROps ops(b, loc, type);
    auto x = ops.asI64(words.front());
    auto exchange = [&](uint64_t distance, uint64_t mask) {
      auto moved = (x ^ (x >> ops.i64(distance))) & ops.i64(mask);
      x = x ^ moved ^ (moved << ops.i64(distance));
    };
    exchange(7, 0x00aa00aa00aa00aa);
    exchange(14, 0x0000cccc0000cccc);
    exchange(28, 0x00000000f0f0f0f0);
    return x.value;
  };
  return getInlineFunction(module, "lci.transpose_bits", type, type, transpose);
}

/// From 32 planes of 32 cells, four in each block and the first with the highest bits, one word per
/// cell.
static Value transposePlanes(OpBuilder &b, Location loc, ModuleOp module,
                             const numerics::Words<IROps> &blocks) {
  auto bytesType = VectorType::get({4 * kGroup}, b.getI8Type());
  auto halfType = VectorType::get({2 * kGroup}, b.getI8Type());
  auto wordsType = VectorType::get({kGroup / 2}, b.getI64Type());
  IROps ops(b, loc, blocks[0].value.getType());
  Value halves[2]; // two planes of each block
  for (int64_t half : {0, 1}) {
    auto both = blocks[2 * half] | (blocks[2 * half + 1] << ops.i64(32));
    halves[half] = vector::BitCastOp::create(b, loc, halfType, both.value);
  }
  auto placeOf = [](int64_t plane, int64_t byte) {
    return 2 * kGroup * (plane % 4 / 2) + 8 * (plane / 4) + 4 * (plane % 2) + byte;
  };
  SmallVector<int64_t> together(4 * kGroup), separated(4 * kGroup);
  for (int64_t cells = 0; cells < 4; ++cells)      // eight of them
    for (int64_t digits = 0; digits < 4; ++digits) // eight planes
      for (int64_t i = 0; i < 8; ++i) {
        int64_t place = 8 * (4 * cells + digits) + i;
        together[place] = placeOf(8 * digits + 7 - i, cells);
        separated[4 * (8 * cells + i) + 3 - digits] = place;
      }
  Value bytes = vector::ShuffleOp::create(b, loc, halves[0], halves[1], together);
  Value words = vector::BitCastOp::create(b, loc, wordsType, bytes);
  func::FuncOp function = getTransposition(module, wordsType);
  words = func::CallOp::create(b, loc, function, words).getResult(0);
  bytes = vector::BitCastOp::create(b, loc, bytesType, words);
  bytes = vector::ShuffleOp::create(b, loc, bytes, bytes, separated);
  return vector::BitCastOp::create(b, loc, VectorType::get({kGroup}, b.getI32Type()), bytes);
}

/// From blocks of four words one word per cell, in order.
static Value interleaveWords(OpBuilder &b, Location loc, const numerics::Words<IROps> &blocks) {
  SmallVector<Value> parts;
  for (const auto &word : blocks)
    parts.push_back(
        arith::TruncIOp::create(b, loc, VectorType::get({kBlocks}, b.getI32Type()), word.value));
  Value even = vector::InterleaveOp::create(b, loc, parts[0], parts[2]);
  Value odd = vector::InterleaveOp::create(b, loc, parts[1], parts[3]);
  return vector::InterleaveOp::create(b, loc, even, odd);
}

/// The words that the cells of some groups draw; their blocks are interleaved.
template <std::size_t count>
std::array<Value, count> DrawRows::buildGroups(const Stream &stream, bool isThreshold,
                                               const std::array<Value, count> &groups) {
  auto type = VectorType::get({kBlocks}, b.getI64Type());
  IROps ops(b, loc, type);
  auto spread = [&](Value number) {
    return ops.asI64(vector::BroadcastOp::create(b, loc, type, number));
  };
  SmallVector<int64_t> numbers = llvm::to_vector(llvm::seq<int64_t>(kBlocks));
  auto lane = ops.asI64(arith::ConstantOp::create(
      b, loc, DenseElementsAttr::get(cast<ShapedType>(type), ArrayRef<int64_t>(numbers))));
  numerics::Key<IROps> key{spread(stream.low), spread(stream.high)};
  numerics::Site<IROps> site{ops.i64(0), ops.i64(0), spread(tick.getEpoch()),
                             spread(tick.getPhase())};
  // Each lane has a block of the group, or the block of four of its cells.
  auto counterOf = [&](Value group) {
    return isThreshold ? numerics::counterOf(ops, site, spread(group), lane)
                       : numerics::counterOf(ops, site, (spread(group) << ops.i64(3)) + lane,
                                             ops.i64(numerics::kNumberBlock));
  };
  std::array<numerics::Words<IROps>, count> blocks;
  llvm::transform(groups, blocks.begin(), counterOf);
  blocks = numerics::philox(ops, blocks, key);
  auto module = tick->getParentOfType<ModuleOp>();
  std::array<Value, count> words;
  llvm::transform(blocks, words.begin(), [&](const numerics::Words<IROps> &block) {
    return isThreshold ? transposePlanes(b, loc, module, block) : interleaveWords(b, loc, block);
  });
  return words;
}

/// Groups in sequence, but pairs of them interleaved.
SmallVector<Value> DrawRows::buildGroups(const Stream &stream, bool isThreshold, Value first,
                                         int64_t count) {
  IROps ops(b, loc, b.getI64Type());
  auto groupOf = [&](int64_t i) { return (ops.asI64(first) + ops.i64(i)).value; };
  SmallVector<Value> words;
  for (int64_t i = 0; i + 1 < count; i += 2)
    llvm::append_range(words, buildGroups<2>(stream, isThreshold, {groupOf(i), groupOf(i + 1)}));
  if (count % 2 > 0)
    llvm::append_range(words, buildGroups<1>(stream, isThreshold, {groupOf(count - 1)}));
  return words;
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

/// So many lanes, from one on, of the concatenation of two vectors.
static Value lanesOf(OpBuilder &b, Location loc, Value left, Value right, int64_t from,
                     int64_t count) {
  SmallVector<int64_t> lanes = llvm::to_vector(llvm::seq<int64_t>(from, from + count));
  return vector::ShuffleOp::create(b, loc, left, right, lanes);
}

/// The group of the cell at a position of the row, or the next one if the row begins in the middle
/// of a group.
Value DrawRows::groupAt(Value position) {
  IROps ops(b, loc, b.getI64Type());
  Value number = arith::IndexCastOp::create(b, loc, b.getI64Type(), position);
  auto group = ops.asI64(firstGroup) + (ops.asI64(number) >> ops.i64(llvm::Log2_64(kGroup)));
  return (firstRank() % kGroup > 0 ? group + ops.i64(1) : group).value;
}

/// The words of the cells from a position on, in whole groups.
Value DrawRows::buildWords(Stream &stream, bool isThreshold, Value position, int64_t count) {
  int64_t skipped = firstRank() % kGroup;
  SmallVector<Value> parts;
  for (Value group : buildGroups(stream, isThreshold, groupAt(position), count / kGroup)) {
    parts.push_back(skipped > 0 ? lanesOf(b, loc, stream.group, group, skipped, kGroup) : group);
    if (skipped > 0)
      stream.group = group;
  }
  for (int64_t lanes = 2 * kGroup; parts.size() > 1; lanes *= 2) {
    SmallVector<Value> pairs;
    for (size_t i = 0; i < parts.size(); i += 2)
      pairs.push_back(lanesOf(b, loc, parts[i], parts[i + 1], 0, lanes));
    parts = std::move(pairs);
  }
  return parts.front();
}

/// A group serves several vectors: each rotates it, so that its lanes come first.
void DrawRows::drawOrRotate(Value position) {
  took(tick, Way::SharedGroup);
  IROps ops(b, loc, b.getI64Type());
  Value number = arith::IndexCastOp::create(b, loc, b.getI64Type(), position);
  auto place = ops.asI64(number) & ops.i64(kGroup - 1);
  Value begins =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, place.value, ops.i64(0).value);
  SmallVector<Value> before = getCarried();
  auto draws = [&](OpBuilder &, Location) {
    for (auto &[kind, stream] : streams)
      stream.words = buildWords(stream, kind.second, position, kGroup);
    scf::YieldOp::create(b, loc, getCarried());
    setCarried(before);
  };
  auto rotates = [&](OpBuilder &, Location) {
    for (auto &[kind, stream] : streams)
      stream.words = lanesOf(b, loc, stream.words, stream.words, width, kGroup);
    scf::YieldOp::create(b, loc, getCarried());
  };
  setCarried(scf::IfOp::create(b, loc, begins, draws, rotates).getResults());
}

void DrawRows::enterVector(Value position) {
  if (width < kGroup && !streams.empty())
    return drawOrRotate(position);
  for (auto &[kind, stream] : streams)
    stream.words = buildWords(stream, kind.second, position, width);
}

Value DrawRows::wordsOf(Operation *draw) {
  Value words = streams[kindOf(draw)].words;
  return width < kGroup ? lanesOf(b, loc, words, words, 0, width) : words;
}

SmallVector<Value> DrawRows::getCarried() const {
  SmallVector<Value> carried;
  for (auto &[kind, stream] : streams) {
    if (width < kGroup)
      carried.push_back(stream.words);
    if (stream.group)
      carried.push_back(stream.group);
  }
  return carried;
}

void DrawRows::setCarried(ValueRange carried) {
  size_t next = 0;
  for (auto &[kind, stream] : streams) {
    if (width < kGroup)
      stream.words = carried[next++];
    if (stream.group)
      stream.group = carried[next++];
  }
}

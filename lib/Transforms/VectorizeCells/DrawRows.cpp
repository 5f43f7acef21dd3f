//===- DrawRows.cpp - The random bits of a row of cells -------------------===//

#include "DrawRows.h"
#include "LCI/Numerics/Draws.h"
#include "LCI/Transforms/IROps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::vectorize;
namespace numerics = ::lci::numerics;

/// Cells that share eight blocks, and the blocks.
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
// Buffers
//===----------------------------------------------------------------------===//

/// Made once, where the function begins, and freed where it ends.
static Value allocate(OpBuilder &b, TickOp tick, int64_t size) {
  OpBuilder::InsertionGuard guard(b);
  auto function = tick->getParentOfType<func::FuncOp>();
  b.setInsertionPointToStart(&function.getBody().front());
  auto type = MemRefType::get({size}, b.getI32Type());
  Value buffer = memref::AllocOp::create(b, tick.getLoc(), type, b.getI64IntegerAttr(64));
  b.setInsertionPoint(function.getBody().front().getTerminator());
  memref::DeallocOp::create(b, tick.getLoc(), buffer);
  return buffer;
}

void DrawRows::prepare(int64_t width) {
  int64_t extent = *getConstantIntValue(tick.getMixedExtents().back());
  firstRank = *getConstantIntValue(tick.getMixedOffsets().back()) /
              static_cast<int64_t>(tick.getClassStride());
  numGroups = llvm::divideCeil(firstRank % kGroup + extent, kGroup);
  // The last vector is loaded whole.
  int64_t size = kGroup * numGroups + llvm::alignTo(width, kGroup);
  IROps ops(b, loc, b.getI64Type());
  tick.getBody().walk([&](Operation *op) {
    if (!isDraw(op) || streams.contains(kindOf(op)))
      return;
    auto name = cast<StreamAttr>(kindOf(op).first);
    auto key = numerics::streamKey(ops, ops.i64(name.getDeclaration()), ops.i64(name.getOrdinal()),
                                   ops.asI64(tick.getSeed()));
    streams[kindOf(op)] = {key.low.value, key.high.value, allocate(b, tick, size)};
  });
}

Value DrawRows::load(Operation *draw, Value position, int64_t width) {
  Value skipped = arith::ConstantIndexOp::create(b, loc, firstRank % kGroup);
  Value at = b.createOrFold<arith::AddIOp>(loc, position, skipped);
  auto type = VectorType::get({width}, b.getI32Type());
  return vector::LoadOp::create(b, loc, type, streams[kindOf(draw)].buffer, at);
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

/// Row r of the eight by eight bits of each word becomes its column: byte r, bit c goes to byte c,
/// bit r.
static Value transposeBits(OpBuilder &b, Location loc, Value words) {
  IROps ops(b, loc, words.getType());
  auto x = ops.asI64(words);
  auto exchange = [&](uint64_t distance, uint64_t mask) {
    auto moved = (x ^ (x >> ops.i64(distance))) & ops.i64(mask);
    x = x ^ moved ^ (moved << ops.i64(distance));
  };
  exchange(7, 0x00aa00aa00aa00aa);
  exchange(14, 0x0000cccc0000cccc);
  exchange(28, 0x00000000f0f0f0f0);
  return x.value;
}

/// From 32 planes of 32 cells, of which the first holds the highest bits, a word for each cell.
static Value transposePlanes(OpBuilder &b, Location loc, Value planes) {
  auto bytesType = VectorType::get({4 * kGroup}, b.getI8Type());
  auto wordsType = VectorType::get({kGroup / 2}, b.getI64Type());
  Value bytes = vector::BitCastOp::create(b, loc, bytesType, planes);
  SmallVector<int64_t> together(4 * kGroup), apart(4 * kGroup);
  for (int64_t cells = 0; cells < 4; ++cells)      // eight of them
    for (int64_t digits = 0; digits < 4; ++digits) // eight planes
      for (int64_t i = 0; i < 8; ++i) {
        int64_t place = 8 * (4 * cells + digits) + i;
        together[place] = 4 * (8 * digits + 7 - i) + cells;
        apart[4 * (8 * cells + i) + 3 - digits] = place;
      }
  bytes = vector::ShuffleOp::create(b, loc, bytes, bytes, together);
  Value words = vector::BitCastOp::create(b, loc, wordsType, bytes);
  words = transposeBits(b, loc, words);
  bytes = vector::BitCastOp::create(b, loc, bytesType, words);
  bytes = vector::ShuffleOp::create(b, loc, bytes, bytes, apart);
  return vector::BitCastOp::create(b, loc, planes.getType(), bytes);
}

/// What the cells of a group draw.
Value DrawRows::buildGroup(const Stream &stream, bool isThreshold, Value group) {
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
  auto words = isThreshold ? numerics::blockOf(ops, key, site, spread(group), lane)
                           : numerics::blockOf(ops, key, site, (spread(group) << ops.i64(3)) + lane,
                                               ops.i64(numerics::kNumberBlock));
  SmallVector<Value> parts;
  for (const auto &word : words)
    parts.push_back(
        arith::TruncIOp::create(b, loc, VectorType::get({kBlocks}, b.getI32Type()), word.value));
  Value even = vector::InterleaveOp::create(b, loc, parts[0], parts[2]);
  Value odd = vector::InterleaveOp::create(b, loc, parts[1], parts[3]);
  Value all = vector::InterleaveOp::create(b, loc, even, odd);
  return isThreshold ? transposePlanes(b, loc, all) : all;
}

/// The first group of a row, as `lci-expand-draws` counts them.
Value DrawRows::rowOf(ValueRange rowIndices) {
  IROps ops(b, loc, b.getI64Type());
  ArrayRef<int64_t> shape = cast<ShapedType>(tick.getTarget().getType()).getShape();
  auto row = ops.i64(0);
  for (auto [axis, index] : llvm::enumerate(rowIndices)) {
    Value number = arith::IndexCastOp::create(b, loc, b.getI64Type(), index);
    row = row * ops.i64(shape[axis]) + ops.asI64(number);
  }
  uint64_t longest = llvm::divideCeil(static_cast<uint64_t>(shape.back()), tick.getClassStride());
  return (row * ops.i64(llvm::divideCeil(longest, kGroup)) + ops.i64(firstRank / kGroup)).value;
}

void DrawRows::fill(ValueRange rowIndices) {
  if (streams.empty())
    return;
  Value first = rowOf(rowIndices);
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  auto loop = scf::ForOp::create(b, loc, index(0), index(numGroups), index(1));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  IROps ops(b, loc, b.getI64Type());
  Value number = arith::IndexCastOp::create(b, loc, b.getI64Type(), loop.getInductionVar());
  Value group = (ops.asI64(first) + ops.asI64(number)).value;
  Value place = arith::MulIOp::create(b, loc, loop.getInductionVar(), index(kGroup));
  for (auto &[kind, stream] : streams)
    vector::StoreOp::create(b, loc, buildGroup(stream, kind.second, group), stream.buffer, place);
}

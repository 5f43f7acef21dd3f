//===- LaneOrder.cpp - Permute lanes between orders -----------------------===//
//
// Conversion of vectors between the orders of LaneOrder.h: shuffles, chosen so that they compose
// with the shuffles that made the vectors, and unpacking and packing of bytes by shifts.
//
//===----------------------------------------------------------------------===//

#include "LaneOrder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::lci;

/// Cells whose random bits share one byte (`lci-vectorize-cells`).
static constexpr int64_t kEight = 8;

static int64_t lanesOf(Value value) { return cast<VectorType>(value.getType()).getDimSize(0); }

SmallVector<int64_t> permutelanes::getWordOrder(int64_t numLanes) {
  SmallVector<int64_t> cells;
  for (int64_t byte = 0; byte < kBytes; ++byte)
    for (int64_t word = 0; word < numLanes / kBytes; ++word)
      cells.push_back(kBytes * word + byte);
  return cells;
}

//===----------------------------------------------------------------------===//
// Permutations
//===----------------------------------------------------------------------===//

/// A concatenation of two vectors: each is permuted, then their quarters are interleaved.
Value permutelanes::WordOrder::permuteShuffled(Value value) {
  auto shuffle = value.getDefiningOp<vector::ShuffleOp>();
  int64_t numLanes = lanesOf(value), quarter = numLanes / kBytes / 2;
  if (!shuffle || lanesOf(shuffle.getV1()) != numLanes / 2 || quarter == 0 ||
      !llvm::equal(shuffle.getMask(), llvm::seq<int64_t>(numLanes)))
    return nullptr;
  Value low = permute(shuffle.getV1()), high = permute(shuffle.getV2());
  SmallVector<int64_t> lanes;
  for (int64_t byte = 0; byte < kBytes; ++byte)
    for (int64_t first : {byte * quarter, numLanes / 2 + byte * quarter})
      llvm::append_range(lanes, llvm::seq<int64_t>(first, first + quarter));
  return vector::ShuffleOp::create(b, loc, low, high, lanes);
}

/// Shuffled bytes that are bitcast to numbers: the bytes of each eight cells are shuffled into
/// another order, so that pairs of cells, which stay together, can be moved whole.
Value permutelanes::WordOrder::permuteWordsOfBytes(Value value) {
  auto cast = value.getDefiningOp<vector::BitCastOp>();
  auto shuffle = cast ? cast.getSource().getDefiningOp<vector::ShuffleOp>() : nullptr;
  int64_t numLanes = lanesOf(value), numEights = numLanes / kEight;
  if (!shuffle || lanesOf(shuffle) != kBytes * numLanes || numLanes % kEight != 0)
    return nullptr;
  SmallVector<int64_t> bytes, pairs;
  for (int64_t first = 0; first < numLanes; first += kEight)
    for (int64_t cell : getWordOrder(kEight))
      llvm::append_range(bytes, shuffle.getMask().slice(kBytes * (first + cell), kBytes));
  for (int64_t pair = 0; pair < kBytes; ++pair)
    for (int64_t eight = 0; eight < numEights; ++eight)
      pairs.push_back(kBytes * eight + pair);
  Value within = vector::ShuffleOp::create(b, loc, shuffle.getV1(), shuffle.getV2(), bytes);
  auto pairsType = VectorType::get({numLanes / 2}, b.getI64Type());
  Value whole = vector::BitCastOp::create(b, loc, pairsType, within);
  Value moved = vector::ShuffleOp::create(b, loc, whole, whole, pairs);
  return vector::BitCastOp::create(b, loc, value.getType(), moved);
}

Value permutelanes::WordOrder::permute(Value value) {
  if (Value permuted = permuteShuffled(value))
    return permuted;
  if (Value permuted = permuteWordsOfBytes(value))
    return permuted;
  return vector::ShuffleOp::create(b, loc, value, value, getWordOrder(lanesOf(value)));
}

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

static Value buildShift(OpBuilder &b, Location loc, Value value, int64_t left, int64_t right,
                        bool isSigned) {
  auto splat = [&](int64_t amount) -> Value {
    auto type = cast<ShapedType>(value.getType());
    return arith::ConstantOp::create(
        b, loc, DenseElementsAttr::get(type, b.getI32IntegerAttr(amount).getValue()));
  };
  if (left > 0)
    value = arith::ShLIOp::create(b, loc, value, splat(left));
  if (right > 0 && isSigned)
    value = arith::ShRSIOp::create(b, loc, value, splat(right));
  else if (right > 0)
    value = arith::ShRUIOp::create(b, loc, value, splat(right));
  return value;
}

Value permutelanes::unpackBytes(OpBuilder &b, Location loc, Value bytes, bool isSigned) {
  int64_t numLanes = lanesOf(bytes), quarter = numLanes / kBytes;
  Value words =
      vector::BitCastOp::create(b, loc, VectorType::get({quarter}, b.getI32Type()), bytes);
  Value all =
      arith::ConstantOp::create(b, loc, b.getZeroAttr(VectorType::get({numLanes}, b.getI32Type())));
  for (int64_t byte = 0; byte < kBytes; ++byte) {
    Value numbers = buildShift(b, loc, words, 24 - 8 * byte, 24, isSigned);
    all = vector::InsertStridedSliceOp::create(
        b, loc, numbers, all, ArrayRef<int64_t>{byte * quarter}, ArrayRef<int64_t>{1});
  }
  return all;
}

Value permutelanes::packBytes(OpBuilder &b, Location loc, Value numbers) {
  int64_t numLanes = lanesOf(numbers), quarter = numLanes / kBytes;
  Value words;
  for (int64_t byte = 0; byte < kBytes; ++byte) {
    Value part =
        vector::ExtractStridedSliceOp::create(b, loc, numbers, ArrayRef<int64_t>{byte * quarter},
                                              ArrayRef<int64_t>{quarter}, ArrayRef<int64_t>{1});
    part = buildShift(b, loc, part, 24, 24 - 8 * byte, false);
    words = words ? Value(arith::OrIOp::create(b, loc, words, part)) : part;
  }
  return vector::BitCastOp::create(b, loc, VectorType::get({numLanes}, b.getI8Type()), words);
}

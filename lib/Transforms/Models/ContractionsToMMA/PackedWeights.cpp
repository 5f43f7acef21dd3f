//===- PackedWeights.cpp - Packed weights for tensor cores ----------------===//
//
// The kernel that rounds a matrix to TF32 and packs it in the order in which warps load it, padded
// with zeros, and the loads of it.
//
//===----------------------------------------------------------------------===//

#include "TensorTile.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mlir::lci::tensor_cores;

/// Numbers of a block, two for each thread.
static constexpr int64_t kNumbers = kOutputs * kDepth;

Value mlir::lci::tensor_cores::roundToTF32(OpBuilder &builder, Location loc, Value number) {
  auto mode =
      arith::RoundingModeAttr::get(builder.getContext(), arith::RoundingMode::to_nearest_away);
  Value rounded = arith::TruncFOp::create(builder, loc, builder.getTF32Type(), number, mode,
                                          arith::FastMathFlagsAttr());
  return arith::ExtFOp::create(builder, loc, builder.getF32Type(), rounded);
}

PackedWeights::PackedWeights(linalg::GenericOp op, const Product &product, int64_t tiles,
                             int64_t tileBlocks, int64_t heldBlocks)
    : op(op), product(product), tiles(tiles), tileBlocks(tileBlocks), heldBlocks(heldBlocks) {}

/// In a block a group of threads has one output, and each of them two steps of it: the outputs are
/// the columns of `mma.sync`, of which each thread holds the sums of two.
std::pair<Value, Value> PackedWeights::placeOf(OpBuilder &builder, ValueRange counters) {
  Location loc = op.getLoc();
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  auto plus = [&](Value a, Value c) -> Value { return arith::AddIOp::create(builder, loc, a, c); };
  auto times = [&](Value a, int64_t c) -> Value {
    return arith::MulIOp::create(builder, loc, a, index(c));
  };
  auto divide = [&](Value a, int64_t c) -> std::pair<Value, Value> {
    return {arith::DivUIOp::create(builder, loc, a, index(c)),
            arith::RemUIOp::create(builder, loc, a, index(c))};
  };
  auto [column, step] = divide(counters[2], kDepth);
  auto [tile, block] = divide(counters[0], tileBlocks);
  // Each thread has a run of outputs, of which a block has two; and likewise of steps.
  auto place = [&](Value number, int64_t run, Value pair) {
    auto [thread, next] = divide(number, kPair);
    return plus(plus(times(thread, run), times(pair, kPair)), next);
  };
  Value output = plus(times(tile, tileBlocks * kOutputs), place(column, tileBlocks * kPair, block));
  Value depth = areHeld() ? place(step, heldBlocks * kPair, counters[1])
                          : plus(times(counters[1], kDepth), step);
  return {output, depth};
}

void PackedWeights::emit(OpBuilder &builder) {
  Location loc = op.getLoc();
  SmallVector<int64_t> sides, ranges = op.getStaticLoopRanges();
  for (unsigned loop : product.outer)
    sides.push_back(ranges[loop]);
  int64_t depthBlocks = areHeld() ? heldBlocks : llvm::divideCeil(ranges[product.depth], kDepth);
  sides.append({tiles * tileBlocks, depthBlocks, kNumbers});
  Block &body = op->getParentOfType<func::FuncOp>().getBody().front();
  OpBuilder outside = OpBuilder::atBlockBegin(&body);
  buffer = memref::AllocOp::create(outside, loc, MemRefType::get(sides, builder.getF32Type()));
  outside.setInsertionPoint(body.getTerminator());
  memref::DeallocOp::create(outside, loc, buffer);

  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  SmallVector<Value> lower(sides.size(), index(0)), steps(sides.size(), index(1));
  SmallVector<Value> upper = llvm::map_to_vector(sides, index);
  auto loop = scf::ParallelOp::create(builder, loc, lower, upper, steps);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> counters(loop.getInductionVars());
  llvm::DenseMap<unsigned, Value> loops;
  for (auto [outer, counter] : llvm::zip(product.outer, counters))
    loops[outer] = counter;
  auto [output, depth] = placeOf(builder, ArrayRef(counters).take_back(3));
  Value isThere = arith::ConstantIntOp::create(builder, loc, 1, 1);
  for (auto [number, at] : {std::pair(product.output, output), std::pair(product.depth, depth)}) {
    Value isIn =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, at, index(ranges[number]));
    isThere = arith::AndIOp::create(builder, loc, isThere, isIn);
    loops[number] = arith::MinUIOp::create(builder, loc, at, index(ranges[number] - 1));
  }
  OpOperand *weights = op.getDpsInputOperand(product.weights);
  SmallVector<Value> indices =
      llvm::map_to_vector(op.getMatchingIndexingMap(weights).getResults(), [&](AffineExpr result) {
        return loops.lookup(cast<AffineDimExpr>(result).getPosition());
      });
  Value number = memref::LoadOp::create(builder, loc, weights->get(), indices);
  Value zero = arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(0));
  number = arith::SelectOp::create(builder, loc, isThere, roundToTF32(builder, loc, number), zero);
  memref::StoreOp::create(builder, loc, number, buffer, counters);
}

Value PackedWeights::load(OpBuilder &builder, Location loc, ValueRange outer, Value outputBlock,
                          Value depthBlock, Value lane) const {
  SmallVector<Value> place(outer);
  Value pair = arith::ConstantIndexOp::create(builder, loc, kPair);
  place.append({outputBlock, depthBlock, arith::MulIOp::create(builder, loc, lane, pair)});
  return vector::LoadOp::create(builder, loc, VectorType::get(kPair, builder.getF32Type()), buffer,
                                place);
}

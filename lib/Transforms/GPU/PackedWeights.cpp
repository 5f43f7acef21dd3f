//===- PackedWeights.cpp - Matrices as tensor cores take them -------------===//

#include "TensorTile.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::lci::tensor_cores;

/// Numbers of a block, two for each thread.
static constexpr int64_t kNumbers = kOutputs * kDepth;

Value mlir::lci::tensor_cores::roundToTF32(OpBuilder &builder, Location loc, Value number) {
  auto rounded = NVVM::ConvertFloatToTF32Op::create(builder, loc, builder.getI32Type(), number,
                                                    NVVM::FPRoundingMode::RNA);
  return arith::BitcastOp::create(builder, loc, builder.getF32Type(), rounded);
}

PackedWeights::PackedWeights(OpBuilder &builder, linalg::GenericOp op, const Product &product,
                             int64_t outputBlocks) {
  SmallVector<int64_t> shape, ranges = op.getStaticLoopRanges();
  for (unsigned loop : product.outer)
    shape.push_back(ranges[loop]);
  int64_t depthBlocks = llvm::divideCeil(ranges[product.depth], kDepth);
  shape.append({outputBlocks, depthBlocks, kNumbers});
  Block &body = op->getParentOfType<func::FuncOp>().getBody().front();
  OpBuilder outside = OpBuilder::atBlockBegin(&body);
  buffer =
      memref::AllocOp::create(outside, op.getLoc(), MemRefType::get(shape, builder.getF32Type()));
  outside.setInsertionPoint(body.getTerminator());
  memref::DeallocOp::create(outside, op.getLoc(), buffer);
  fill(builder, op, product);
}

void PackedWeights::fill(OpBuilder &builder, linalg::GenericOp op, const Product &product) {
  Location loc = op.getLoc();
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  ArrayRef<int64_t> shape = cast<MemRefType>(buffer.getType()).getShape();
  SmallVector<Value> lower(shape.size(), index(0)), steps(shape.size(), index(1));
  SmallVector<Value> upper = llvm::map_to_vector(shape, index);
  auto loop = scf::ParallelOp::create(builder, loc, lower, upper, steps);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  OpOperand *weights = op.getDpsInputOperand(product.weights);
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  llvm::DenseMap<unsigned, Value> loops;
  SmallVector<Value> counters(loop.getInductionVars());
  for (auto [outer, counter] : llvm::zip(product.outer, counters))
    loops[outer] = counter;
  ArrayRef<Value> place = ArrayRef(counters).take_back(3);
  auto plus = [&](Value a, Value c) -> Value { return arith::AddIOp::create(builder, loc, a, c); };
  auto times = [&](Value a, int64_t c) -> Value {
    return arith::MulIOp::create(builder, loc, a, index(c));
  };
  // Of eight numbers each the group of threads has an output's, of which each thread has two.
  Value output = plus(times(place[0], kOutputs),
                      arith::DivUIOp::create(builder, loc, place[2], index(kDepth)));
  Value depth =
      plus(times(place[1], kDepth), arith::RemUIOp::create(builder, loc, place[2], index(kDepth)));
  Value isThere = arith::ConstantIntOp::create(builder, loc, 1, 1);
  for (auto [number, range, at] : {std::tuple(product.output, ranges[product.output], output),
                                   std::tuple(product.depth, ranges[product.depth], depth)}) {
    Value end = index(range), last = index(range - 1);
    Value isIn = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, at, end);
    isThere = arith::AndIOp::create(builder, loc, isThere, isIn);
    loops[number] = arith::MinUIOp::create(builder, loc, at, last);
  }
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
  Value two = arith::ConstantIndexOp::create(builder, loc, 2);
  place.append({outputBlock, depthBlock, arith::MulIOp::create(builder, loc, lane, two)});
  auto pair = VectorType::get(2, builder.getF32Type());
  return vector::LoadOp::create(builder, loc, pair, buffer, place);
}

//===- HostProducts.cpp - Emulation of tensor cores on the host -----------===//
//
// The threads of a warp store their fragments of two matrices, and each computes its part of the
// sums from all of them. A GPU chooses the order of the additions and their roundings; here they
// are sequential.
//
//===----------------------------------------------------------------------===//

#include "HostKernel.h"
#include "LCI/Errors/ErrorId.h"
#include "LCI/Transforms/Models/TensorShape.h"
#include "LCI/Transforms/Support/LoopHints.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::tensor_cores;

LogicalResult HostKernel::emitProduct(nvgpu::MmaSyncOp op) {
  if (op.getMmaShapeAsArray() != std::array{kCells, kOutputs, kDepth} || !op.getTf32Enabled())
    return op.emitOpError("expected a product of 16 by 8 by 8 numbers in TF32, because others have "
                          "no form on the host")
           << ErrorId::NotLowered;
  FailureOr<Value> weights = publish(op.getMatrixA()), vectors = publish(op.getMatrixB());
  if (failed(weights) || failed(vectors))
    return failure();
  OpBuilder::InsertionGuard guard(b);
  enterThreads();
  FailureOr<Value> sums = find(op.getMatrixC());
  if (failed(sums))
    return failure();
  mapping.map(op.getRes(), multiply(op, *weights, *vectors, *sums));
  return keepResults(*op);
}

/// One thread's sums: of rows g and g + 8, and of cells 2t and 2t + 1, where g and t are its lane
/// divided by four and the remainder. The t-th of the four threads of a row holds the steps t and t
/// + 4 of it, and likewise of a cell.
Value HostKernel::multiply(nvgpu::MmaSyncOp op, Value weights, Value vectors, Value sums) {
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  Value thread = ids[kAxes];
  Value lane = arith::RemUIOp::create(b, loc, thread, index(kWarp));
  Value warp = arith::SubIOp::create(b, loc, thread, lane);
  Value member = arith::RemUIOp::create(b, loc, lane, index(kMembers));
  Value row = arith::SubIOp::create(b, loc, lane, member); // the first thread that holds it
  Value cells = arith::MulIOp::create(b, loc, member, index(2 * kMembers));
  auto take = [&](Value slot, Value first, int64_t number, int64_t element) -> Value {
    SmallVector<Value> at = slotIndices();
    at.back() =
        arith::AddIOp::create(b, loc, warp, arith::AddIOp::create(b, loc, first, index(number)));
    Value held = memref::LoadOp::create(b, loc, slot, at);
    return vector::ExtractOp::create(b, loc, held, ArrayRef<int64_t>{element, 0});
  };
  for (int64_t half : {0, 1})
    for (int64_t cell : {0, 1}) {
      SmallVector<int64_t> place{half, cell};
      Value sum = vector::ExtractOp::create(b, loc, sums, place);
      for (int64_t step = 0; step < kDepth; ++step) {
        int64_t later = step / kMembers;
        Value weight = take(weights, row, step % kMembers, half + 2 * later);
        Value number = take(vectors, cells, cell * kMembers + step % kMembers, later);
        sum = math::FmaOp::create(b, loc, weight, number, sum);
      }
      sums = vector::InsertOp::create(b, loc, sum, sums, place);
    }
  return sums;
}

/// The nearest number of eleven bits, ties away from zero.
void HostKernel::roundOnHost(func::FuncOp function) {
  function.walk([](arith::ExtFOp op) {
    auto narrowed = op.getIn().getDefiningOp<arith::TruncFOp>();
    if (!narrowed || !narrowed.getType().isTF32())
      return;
    OpBuilder b(op);
    Value number = narrowed.getIn();
    Location loc = op.getLoc();
    auto constant = [&](int64_t bits) -> Value {
      return arith::ConstantIntOp::create(b, loc, bits, 32);
    };
    Value bits = arith::BitcastOp::create(b, loc, b.getI32Type(), number);
    Value rounded = arith::AddIOp::create(b, loc, bits, constant(0x1000));
    rounded = arith::AndIOp::create(b, loc, rounded, constant(-0x2000));
    rounded = arith::BitcastOp::create(b, loc, b.getF32Type(), rounded);
    Value isNaN = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, number, number);
    op.replaceAllUsesWith(arith::SelectOp::create(b, loc, isNaN, number, rounded).getResult());
    op.erase();
    if (narrowed->use_empty())
      narrowed.erase();
  });
}

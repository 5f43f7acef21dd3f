//===- HostExchange.cpp - Exchanges between threads, on the host ----------===//
//
// Each thread stores its value in one loop over threads and reads its result in the next one: sums
// over a block or a warp, and values shuffled from another thread of the warp.
//
//===----------------------------------------------------------------------===//

#include "HostKernel.h"
#include "LCI/Errors/ErrorId.h"
#include "LCI/Transforms/Support/LoopHints.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::lci;

bool HostKernel::isExchange(Operation *op) {
  return isa<nvgpu::MmaSyncOp, gpu::AllReduceOp, gpu::ShuffleOp, gpu::SubgroupReduceOp,
             NVVM::BarrierOp>(op);
}

bool HostKernel::needsWarps(gpu::GPUFuncOp kernel) {
  return kernel
      .walk([](Operation *op) {
        return isa<nvgpu::MmaSyncOp, gpu::ShuffleOp>(op) ? WalkResult::interrupt()
                                                         : WalkResult::advance();
      })
      .wasInterrupted();
}

LogicalResult HostKernel::emitExchange(Operation &op) {
  if (auto product = dyn_cast<nvgpu::MmaSyncOp>(op))
    return emitProduct(product);
  if (auto shuffle = dyn_cast<gpu::ShuffleOp>(op))
    return emitShuffle(shuffle);
  if (auto sum = dyn_cast<gpu::AllReduceOp>(op))
    if (sum.getOp() == gpu::AllReduceOperation::ADD && isa<IntegerType>(sum.getType()))
      return emitSum(op, sum.getValue());
  if (auto sum = dyn_cast<gpu::SubgroupReduceOp>(op))
    if (sum.getOp() == gpu::AllReduceOperation::ADD && isa<IntegerType>(sum.getType()) &&
        sum.getUniform() && !sum.getClusterSize())
      return emitSum(op, sum.getValue());
  if (auto barrier = dyn_cast<NVVM::BarrierOp>(op))
    if (barrier.getReductionOp() == NVVM::BarrierReduction::POPC)
      return emitSum(op, barrier.getReductionPredicate());
  return op.emitOpError("expected threads to sum up integers or to count themselves where they "
                        "meet, because anything else has no form on the host")
         << ErrorId::NotLowered;
}

/// The number of a thread's warp if the sum is over a warp, else zero.
Value HostKernel::groupOf(Operation &op) {
  if (!isa<gpu::SubgroupReduceOp>(op))
    return zero;
  Value thread = ids[2 * kAxes - 1];
  for (unsigned axis = kAxes - 1; axis-- > 0;) {
    thread = arith::MulIOp::create(b, loc, thread, extents[kAxes + axis]);
    thread = arith::AddIOp::create(b, loc, thread, ids[kAxes + axis]);
  }
  Value warp = arith::ConstantIndexOp::create(b, loc, kWarp);
  return arith::DivUIOp::create(b, loc, thread, warp);
}

/// The threads add their numbers sequentially, or one if they are counted and the number is not
/// zero; then all read the sum.
LogicalResult HostKernel::emitSum(Operation &op, Value number) {
  constexpr int64_t maxWarps = 32;
  Type type = number.getType();
  Value sums = allocate(MemRefType::get({maxWarps}, type), ValueRange());
  Value none = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  Value most =
      arith::ConstantIndexOp::create(b, loc, isa<gpu::SubgroupReduceOp>(op) ? maxWarps : 1);
  scf::ForOp::create(b, loc, zero, most, one, ValueRange(),
                     [&](OpBuilder &inside, Location at, Value group, ValueRange) {
                       memref::StoreOp::create(inside, at, none, sums, group);
                       scf::YieldOp::create(inside, at);
                     });
  {
    OpBuilder::InsertionGuard guard(b);
    enterThreads();
    FailureOr<Value> added = find(number);
    if (failed(added))
      return failure();
    if (isa<NVVM::BarrierOp>(op)) {
      Value is = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, *added, none);
      added = arith::ExtUIOp::create(b, loc, type, is).getResult();
    }
    Value group = groupOf(op);
    Value before = memref::LoadOp::create(b, loc, sums, group);
    memref::StoreOp::create(b, loc, arith::AddIOp::create(b, loc, before, *added), sums, group);
  }
  OpBuilder::InsertionGuard guard(b);
  enterThreads();
  mapping.map(op.getResult(0), memref::LoadOp::create(b, loc, sums, groupOf(op)).getResult());
  return keepResults(op);
}

/// Stores each thread's value to an array.
FailureOr<Value> HostKernel::publish(Value value) {
  OpBuilder::InsertionGuard guard(b);
  enterThreads();
  FailureOr<Value> mine = find(value);
  if (failed(mine))
    return failure();
  Value slot = allocateSlot(value.getType());
  memref::StoreOp::create(b, loc, *mine, slot, slotIndices());
  return slot;
}

/// Each thread reads the value of the thread `offset` lanes further on; beyond the warp's last one
/// its value is unchanged. Rows of a block are whole warps.
LogicalResult HostKernel::emitShuffle(gpu::ShuffleOp op) {
  APInt width;
  if (op.getMode() != gpu::ShuffleMode::DOWN ||
      !matchPattern(op.getWidth(), m_ConstantInt(&width)) || width != kWarp)
    return op.emitOpError("expected threads to take something from later ones of a whole warp, "
                          "because other shuffles have no form on the host")
           << ErrorId::NotLowered;
  FailureOr<Value> given = publish(op.getValue());
  if (failed(given))
    return failure();
  OpBuilder::InsertionGuard guard(b);
  enterThreads();
  FailureOr<Value> offset = find(op.getOffset());
  if (failed(offset))
    return failure();
  Value size = arith::ConstantIndexOp::create(b, loc, kWarp);
  Value lane = arith::RemUIOp::create(b, loc, ids[kAxes], size);
  Value further = arith::IndexCastUIOp::create(b, loc, b.getIndexType(), *offset);
  Value from = arith::AddIOp::create(b, loc, lane, further);
  Value isThere = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, from, size);
  SmallVector<Value> at = slotIndices();
  Value there = arith::AddIOp::create(b, loc, ids[kAxes], further);
  at.back() = arith::SelectOp::create(b, loc, isThere, there, ids[kAxes]);
  mapping.map(op.getShuffleResult(), memref::LoadOp::create(b, loc, *given, at).getResult());
  mapping.map(op.getValid(), isThere);
  return keepResults(*op);
}

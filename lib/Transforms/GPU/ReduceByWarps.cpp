//===- ReduceByWarps.cpp - Block sums by warp instructions ----------------===//
//
// Upstream lowers a block's sum to ten shuffles and two barriers, for blocks of any size. From
// sm_80 on a warp sums integers in one instruction, and the size of a block is known.
//
//===----------------------------------------------------------------------===//

#include "LCI/Dialect/LCIDialect.h"
#include "LCI/Transforms/GPU/Passes.h"
#include "LCI/Transforms/Support/LoopHints.h"
#include "LCI/Transforms/Support/WorkgroupMemory.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::lci {
#define GEN_PASS_DEF_REDUCEBYWARPSPASS
#include "LCI/Transforms/GPU/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

namespace {
/// Lowers one block sum of its kernel.
class WarpSum {
public:
  WarpSum(gpu::GPUFuncOp kernel, gpu::AllReduceOp op)
      : kernel(kernel), op(op), b(op), loc(op.getLoc()), sides(*kernel.getKnownBlockSize()) {}

  /// A block has at most as many warps as a warp has threads, so one warp sums their results.
  Value emit() {
    int64_t warps = llvm::divideCeil(sides[0] * sides[1] * sides[2], kWarp);
    Value sum = sumOfWarp(op.getValue());
    if (warps == 1)
      return sum;
    Value sums = kernel.addWorkgroupAttribution(getWorkgroupType({warps}, b.getI32Type()), loc);
    Value thread = numberOfThread();
    Value lane = arith::RemUIOp::create(b, loc, thread, index(kWarp));
    Value warp = arith::DivUIOp::create(b, loc, thread, index(kWarp));
    Value isFirst = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, lane, index(0));
    scf::IfOp::create(b, loc, isFirst, [&](OpBuilder &inside, Location at) {
      memref::StoreOp::create(inside, at, sum, sums, warp);
      scf::YieldOp::create(inside, at);
    });
    gpu::BarrierOp::create(b, loc);
    Value place = arith::MinUIOp::create(b, loc, lane, index(warps - 1));
    Value other = memref::LoadOp::create(b, loc, sums, place);
    Value none = arith::ConstantIntOp::create(b, loc, 0, 32);
    Value isThere = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, lane, index(warps));
    return sumOfWarp(arith::SelectOp::create(b, loc, isThere, other, none));
  }

private:
  Value index(int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); }

  Value sumOfWarp(Value number) {
    return gpu::SubgroupReduceOp::create(b, loc, number, gpu::AllReduceOperation::ADD,
                                         /*uniform=*/true);
  }

  /// The number of a thread in its block, x fastest, as warps are formed.
  Value numberOfThread() {
    Value number = gpu::ThreadIdOp::create(b, loc, gpu::Dimension::z);
    for (auto [axis, side] :
         {std::pair(gpu::Dimension::y, sides[1]), std::pair(gpu::Dimension::x, sides[0])}) {
      number = arith::MulIOp::create(b, loc, number, index(side));
      number = arith::AddIOp::create(b, loc, number, gpu::ThreadIdOp::create(b, loc, axis));
    }
    return number;
  }

  gpu::GPUFuncOp kernel;
  gpu::AllReduceOp op;
  OpBuilder b;
  Location loc;
  ArrayRef<int32_t> sides;
};

struct ReduceByWarps : mlir::lci::impl::ReduceByWarpsPassBase<ReduceByWarps> {
  void runOnOperation() override {
    if (!isFromSM80(getGPUTarget(getOperation()).chip))
      return;
    for (auto kernel : getOperation().getOps<gpu::GPUFuncOp>()) {
      if (!kernel.getKnownBlockSize() || !kernel.getBody().hasOneBlock())
        continue;
      for (auto op : llvm::make_early_inc_range(kernel.getBody().getOps<gpu::AllReduceOp>())) {
        if (op.getOp() != gpu::AllReduceOperation::ADD || !op.getUniform() ||
            !op.getType().isInteger(32))
          continue;
        op.replaceAllUsesWith(WarpSum(kernel, op).emit());
        op.erase();
        ++numSums;
      }
    }
  }
};
} // namespace

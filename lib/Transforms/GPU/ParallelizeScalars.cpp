//===- ParallelizeScalars.cpp - Kernels of one thread ---------------------===//
//
// Kernels are made of parallel loops. What has no loop at all gets one, so that nothing that
// touches the device's buffers stays on the host.
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::lci {
#define GEN_PASS_DEF_PARALLELIZESCALARSPASS
#include "LCI/Transforms/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

namespace {
struct ParallelizeScalars : lci::impl::ParallelizeScalarsPassBase<ParallelizeScalars> {
  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> scalars;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (op.getNumLoops() == 0 && op.hasPureBufferSemantics())
        scalars.push_back(op);
    });
    for (linalg::LinalgOp op : scalars) {
      OpBuilder builder(op);
      Location loc = op.getLoc();
      Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
      Value one = arith::ConstantIndexOp::create(builder, loc, 1);
      auto loop = scf::ParallelOp::create(builder, loc, zero, one, one);
      op->moveBefore(loop.getBody(), loop.getBody()->begin());
    }
  }
};
} // namespace

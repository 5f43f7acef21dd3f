//===- ExposeThreads.cpp - The parallel loops come first ------------------===//
//
// Kernels are made of the parallel loops around everything else. What runs a reduction outside of
// one has its loops exchanged, and what has no parallel loop at all gets one, so that nothing that
// touches the device's buffers stays on the host.
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::lci {
#define GEN_PASS_DEF_EXPOSETHREADSPASS
#include "LCI/Transforms/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

/// Gives an operation a parallel loop of one turn.
static void enclose(linalg::LinalgOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  auto loop = scf::ParallelOp::create(builder, loc, zero, one, one);
  op->moveBefore(loop.getBody(), loop.getBody()->begin());
}

/// The loops of an operation with the parallel ones first, and else in their order.
static SmallVector<unsigned> getOrder(linalg::LinalgOp op) {
  SmallVector<unsigned> order, reductions;
  op.getParallelDims(order);
  op.getReductionDims(reductions);
  llvm::append_range(order, reductions);
  return order;
}

namespace {
struct ExposeThreads : lci::impl::ExposeThreadsPassBase<ExposeThreads> {
  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (op.hasPureBufferSemantics())
        ops.push_back(op);
    });
    for (linalg::LinalgOp op : ops)
      if (op.getNumParallelLoops() == 0)
        enclose(op);
      else if (SmallVector<unsigned> order = getOrder(op); !llvm::is_sorted(order))
        exchange(op, order);
  }

private:
  void exchange(linalg::LinalgOp op, ArrayRef<unsigned> order) {
    IRRewriter rewriter(op);
    auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
    if (!generic)
      generic = *linalg::generalizeNamedOp(rewriter, op);
    FailureOr<linalg::GenericOp> exchanged = linalg::interchangeGenericOp(rewriter, generic, order);
    assert(succeeded(exchanged) && "every order of loops is one");
    (void)exchanged;
    ++numExchanged;
  }
};
} // namespace

//===- PrivatizeScratch.cpp - Private buffers and loops of threads --------===//
//
// A cell that gathers tokens into a tensor has a buffer for it, and loops over it. A thread of a
// kernel can neither allocate nor start further threads: its buffers become private memory, and its
// loops are sequential.
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/GPU/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::lci {
#define GEN_PASS_DEF_PRIVATIZESCRATCHPASS
#include "LCI/Transforms/GPU/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

/// The outermost parallel loop around an operation; null if there is none.
static scf::ParallelOp getThread(Operation *op) {
  scf::ParallelOp outermost;
  for (auto loop = op->getParentOfType<scf::ParallelOp>(); loop;
       loop = loop->getParentOfType<scf::ParallelOp>())
    outermost = loop;
  return outermost;
}

namespace {
struct PrivatizeScratch : mlir::lci::impl::PrivatizeScratchPassBase<PrivatizeScratch> {
  void runOnOperation() override {
    // A nest may contain others, which come first, and buffers.
    if (failed(makeLoops(findInThreads<linalg::LinalgOp>())) ||
        failed(makePrivate(findInThreads<memref::AllocOp>())))
      signalPassFailure();
  }

private:
  template <typename Op>
  SmallVector<Op> findInThreads() {
    SmallVector<Op> found;
    getOperation().walk([&](Op op) {
      if (getThread(op))
        found.push_back(op);
    });
    return found;
  }

  LogicalResult makeLoops(ArrayRef<linalg::LinalgOp> nests) {
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : nests) {
      rewriter.setInsertionPoint(op);
      if (!op.hasPureBufferSemantics() || failed(linalg::linalgOpToLoops(rewriter, op)))
        return op.emitOpError("expected buffers, of which loops can be made")
               << ErrorId::NotLowered;
      rewriter.eraseOp(op);
    }
    return success();
  }

  LogicalResult makePrivate(ArrayRef<memref::AllocOp> buffers) {
    for (memref::AllocOp alloc : buffers) {
      if (alloc->getNumOperands() > 0)
        return alloc.emitOpError("expected a buffer of known size, because each thread has its own")
               << ErrorId::NotLowered;
      // Where the thread begins, and only there: memory is not reserved again in each of its loops.
      OpBuilder b = OpBuilder::atBlockBegin(getThread(alloc).getBody());
      Value privateBuffer =
          memref::AllocaOp::create(b, alloc.getLoc(), alloc.getType(), alloc.getAlignmentAttr());
      for (Operation *user : llvm::make_early_inc_range(alloc->getUsers()))
        if (isa<memref::DeallocOp>(user))
          user->erase();
      alloc.replaceAllUsesWith(privateBuffer);
      alloc.erase();
      ++numBuffers;
    }
    return success();
  }
};
} // namespace

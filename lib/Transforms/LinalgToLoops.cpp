//===- LinalgToLoops.cpp - Loop nests that LLVM does not write out ----------===//
//
// After upstream's pass of the same job nothing tells which loops run over arrays and which are
// part of what one cell computes. LLVM unrolls all of them from the inside out, as long as they are
// short; for the outer loops of a nest over arrays that is only worth the time it takes.
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::lci {
#define GEN_PASS_DEF_LINALGTOLOOPSPASS
#include "LCI/Transforms/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

/// Tells LLVM not to unroll a loop.
static LLVM::LoopAnnotationAttr getAnnotation(MLIRContext *context) {
  auto unroll =
      LLVM::LoopUnrollAttr::get(context, BoolAttr::get(context, true), {}, {}, {}, {}, {}, {});
  return LLVM::LoopAnnotationAttr::get(context, {}, {}, {}, unroll, {}, {}, {}, {}, {}, {}, {}, {},
                                       {}, {}, {});
}

namespace {
struct LinalgToLoops : lci::impl::LinalgToLoopsPassBase<LinalgToLoops> {
  using LinalgToLoopsPassBase::LinalgToLoopsPassBase;

  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    LLVM::LoopAnnotationAttr annotation = getAnnotation(&getContext());
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : ops) {
      rewriter.setInsertionPoint(op);
      FailureOr<linalg::LinalgLoops> loops = failure();
      if (op.hasPureBufferSemantics())
        loops = linalg::linalgOpToLoops(rewriter, op);
      if (failed(loops)) {
        op.emitOpError("expected buffers, of which loops can be made") << ErrorId::PassOrder;
        return signalPassFailure();
      }
      numLoops += loops->size();
      if (!loops->empty()) // of a number without axes there is none
        loops->pop_back();
      for (Operation *loop : *loops)
        loop->setAttr("llvm.loop_annotation", annotation);
      rewriter.eraseOp(op);
    }
  }
};
} // namespace

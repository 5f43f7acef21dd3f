//===- CopiesToLinalg.cpp - Copies of buffers as linalg operations --------===//
//
// Upstream lowers a copy between strided buffers to a call of a slow generic function of its
// runtime library; as linalg.copy it becomes a loop nest like everything else.
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/Models/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::lci {
#define GEN_PASS_DEF_COPIESTOLINALGPASS
#include "LCI/Transforms/Models/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

namespace {
struct CopiesToLinalg : mlir::lci::impl::CopiesToLinalgPassBase<CopiesToLinalg> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation().walk([&](memref::CopyOp copy) {
      rewriter.setInsertionPoint(copy);
      rewriter.replaceOpWithNewOp<linalg::CopyOp>(copy, copy.getSource(), copy.getTarget());
    });
  }
};
} // namespace

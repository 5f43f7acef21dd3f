//===- ExpandMath.cpp - Elementary functions as exact operations -----------===//
//
// Instantiates LCI/Numerics with the operations that build IR, one pattern per kind of operation.
//
//===----------------------------------------------------------------------===//

#include "LCI/Dialect/LCIOps.h"
#include "LCI/Numerics/Functions.h"
#include "LCI/Transforms/IROps.h"
#include "LCI/Transforms/Passes.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::lci {
#define GEN_PASS_DEF_EXPANDMATHPASS
#include "LCI/Transforms/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;
namespace numerics = ::lci::numerics;

/// Splat constants need a static shape.
static LogicalResult requireStaticShape(Operation *op, PatternRewriter &rewriter) {
  auto shape = dyn_cast<ShapedType>(op->getResult(0).getType());
  if (shape && !shape.hasStaticShape())
    return rewriter.notifyMatchFailure(op, "the shape is not static");
  return success();
}

namespace {

struct ExpandElementary : OpRewritePattern<ElementaryOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ElementaryOp op, PatternRewriter &rewriter) const override {
    if (failed(requireStaticShape(op, rewriter)))
      return failure();
    IROps ops(rewriter, op.getLoc(), op.getType());
    auto function = static_cast<numerics::Unary>(op.getFunction());
    rewriter.replaceOp(op, numerics::apply(ops, function, ops.asF32(op.getOperand())).value);
    return success();
  }
};

struct ExpandElementaryBinary : OpRewritePattern<ElementaryBinaryOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ElementaryBinaryOp op, PatternRewriter &rewriter) const override {
    if (failed(requireStaticShape(op, rewriter)))
      return failure();
    IROps ops(rewriter, op.getLoc(), op.getType());
    auto function = static_cast<numerics::Binary>(op.getFunction());
    auto result = numerics::apply(ops, function, ops.asF32(op.getLhs()), ops.asF32(op.getRhs()));
    rewriter.replaceOp(op, result.value);
    return success();
  }
};

struct ExpandFloorDiv : OpRewritePattern<FloorDivOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(FloorDivOp op, PatternRewriter &rewriter) const override {
    if (failed(requireStaticShape(op, rewriter)))
      return failure();
    IROps ops(rewriter, op.getLoc(), op.getType());
    auto result = numerics::floorDiv(ops, ops.asI64(op.getLhs()), ops.asI64(op.getRhs()));
    rewriter.replaceOp(op, result.value);
    return success();
  }
};

struct ExpandFloorMod : OpRewritePattern<FloorModOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(FloorModOp op, PatternRewriter &rewriter) const override {
    if (failed(requireStaticShape(op, rewriter)))
      return failure();
    IROps ops(rewriter, op.getLoc(), op.getType());
    auto result = numerics::floorMod(ops, ops.asI64(op.getLhs()), ops.asI64(op.getRhs()));
    rewriter.replaceOp(op, result.value);
    return success();
  }
};

struct ExpandMath : mlir::lci::impl::ExpandMathPassBase<ExpandMath> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateExpandMathPatterns(patterns);
    // A plain walk: nothing to iterate, and no fold that the pass was not asked for.
    walkAndApplyPatterns(getOperation(), std::move(patterns));
    WalkResult result = getOperation()->walk([](Operation *op) {
      if (!isa<ElementaryOp, ElementaryBinaryOp, FloorDivOp, FloorModOp>(op))
        return WalkResult::advance();
      op->emitError() << "expected a static shape to expand '" << op->getName() << "', but got "
                      << op->getResult(0).getType();
      return WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace

void mlir::lci::populateExpandMathPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandElementary, ExpandElementaryBinary, ExpandFloorDiv, ExpandFloorMod>(
      patterns.getContext());
}

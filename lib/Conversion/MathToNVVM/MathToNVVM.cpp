//===- MathToNVVM.cpp - Exact math operations without libdevice -------------===//
//
// Upstream's GPU lowering turns math.fma, math.sqrt and their like into calls of NVIDIA's device
// library, which leaves unresolved symbols where that is not linked. The hardware rounds these
// operations exactly, so they become LLVM intrinsics, which the PTX back end has instructions for.
//
//===----------------------------------------------------------------------===//

#include "LCI/Conversion/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::lci {
#define GEN_PASS_DEF_CONVERTLCIMATHTONVVMPASS
#include "LCI/Conversion/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

namespace {

/// A call of llvm.<stem>.f32 or llvm.<stem>.f64. Calls by name, because the GPU lowering refuses
/// the operations for these intrinsics.
template <typename Op>
struct MathOpLowering : OpRewritePattern<Op> {
  MathOpLowering(MLIRContext *context, StringRef stem)
      : OpRewritePattern<Op>(context), stem(stem) {}

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    Type type = op.getType();
    if (!type.isF32() && !type.isF64())
      return rewriter.notifyMatchFailure(op, "not a scalar of 32 or 64 bits");
    std::string name = ("llvm." + stem + (type.isF32() ? ".f32" : ".f64")).str();
    rewriter.replaceOpWithNewOp<LLVM::CallIntrinsicOp>(op, type, rewriter.getStringAttr(name),
                                                       op->getOperands());
    return success();
  }

  StringRef stem;
};

struct ConvertLCIMathToNVVM : mlir::lci::impl::ConvertLCIMathToNVVMPassBase<ConvertLCIMathToNVVM> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<MathOpLowering<math::FmaOp>>(&getContext(), "fma");
    patterns.add<MathOpLowering<math::SqrtOp>>(&getContext(), "sqrt");
    patterns.add<MathOpLowering<math::AbsFOp>>(&getContext(), "fabs");
    patterns.add<MathOpLowering<math::FloorOp>>(&getContext(), "floor");
    patterns.add<MathOpLowering<math::CeilOp>>(&getContext(), "ceil");
    patterns.add<MathOpLowering<math::RoundEvenOp>>(&getContext(), "roundeven");
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};

} // namespace

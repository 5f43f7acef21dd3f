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

/// How intrinsics name a type: f32, or v4f32 for a vector of four; empty if there is none for it.
static std::string nameOf(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    if (vector.getRank() == 1 && !vector.isScalable())
      if (std::string element = nameOf(vector.getElementType()); !element.empty())
        return "v" + std::to_string(vector.getNumElements()) + element;
  return type.isF32() ? "f32" : type.isF64() ? "f64" : "";
}

namespace {

/// A call of llvm.<stem>.f32 and its like. Calls by name, because the GPU lowering refuses the
/// operations for these intrinsics.
template <typename Op>
struct MathOpLowering : OpRewritePattern<Op> {
  MathOpLowering(MLIRContext *context, StringRef stem)
      : OpRewritePattern<Op>(context), stem(stem) {}

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    std::string type = nameOf(op.getType());
    if (type.empty())
      return rewriter.notifyMatchFailure(op, "not numbers of 32 or 64 bits");
    rewriter.replaceOpWithNewOp<LLVM::CallIntrinsicOp>(
        op, op.getType(), rewriter.getStringAttr("llvm." + stem + "." + type), op->getOperands());
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
    patterns.add<MathOpLowering<math::TruncOp>>(&getContext(), "trunc");
    patterns.add<MathOpLowering<math::CopySignOp>>(&getContext(), "copysign");
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};

} // namespace

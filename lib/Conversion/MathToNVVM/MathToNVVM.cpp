//===- MathToNVVM.cpp - Exact math operations without libdevice -----------===//
//
// Upstream's GPU lowering turns math.fma, math.sqrt and their like into calls of NVIDIA's device
// library, which leaves unresolved symbols where that is not linked. The hardware rounds these
// operations exactly, so they become LLVM intrinsics, which the PTX back end has instructions for.
//
//===----------------------------------------------------------------------===//

#include "LCI/Conversion/MathToNVVM/Passes.h"
#include "LCI/Dialect/LCIOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::lci {
#define GEN_PASS_DEF_CONVERTLCIMATHTONVVMPASS
#include "LCI/Conversion/MathToNVVM/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

/// The suffix of an intrinsic for a type: f32, or v4f32 for a vector of four; empty if unsupported.
static std::string nameOf(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    if (vector.getRank() == 1 && !vector.isScalable())
      if (std::string element = nameOf(vector.getElementType()); !element.empty())
        return "v" + std::to_string(vector.getNumElements()) + element;
  return type.isF32() ? "f32" : type.isF64() ? "f64" : "";
}

/// Bits of a register.
static constexpr uint64_t kHalf = 32;

static bool hasHalfTheBits(Value value);

/// Whether a look-up is zero in its upper half, given that some of its operands are.
static bool givesHalfTheBits(LookupOp lookup) {
  unsigned possible = 0;
  for (auto [operand, bit] : llvm::zip_equal(lookup->getOperands(), std::array{4u, 2u, 1u}))
    possible |= hasHalfTheBits(operand) ? 0 : bit;
  return llvm::none_of(llvm::seq(8u), [&](unsigned row) {
    return (row & ~possible) == 0 && (lookup.getTable() >> row & 1);
  });
}

/// Whether the upper 32 bits of a 64-bit integer are zero. Values carried by a loop, or defined
/// elsewhere, may have any bits.
static bool hasHalfTheBits(Value value) {
  constexpr uint64_t kMost = (uint64_t(1) << kHalf) - 1;
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.ule(kMost);
  Operation *op = value.getDefiningOp();
  if (auto shift = dyn_cast_or_null<arith::ShRUIOp>(op))
    return matchPattern(shift.getRhs(), m_ConstantInt(&constant)) && constant.uge(kHalf);
  if (auto extension = dyn_cast_or_null<arith::ExtUIOp>(op))
    return extension.getIn().getType().getIntOrFloatBitWidth() <= kHalf;
  if (auto both = dyn_cast_or_null<arith::AndIOp>(op))
    return hasHalfTheBits(both.getLhs()) || hasHalfTheBits(both.getRhs());
  if (auto lookup = dyn_cast_or_null<LookupOp>(op))
    return givesHalfTheBits(lookup);
  return isa_and_nonnull<arith::XOrIOp, arith::OrIOp>(op) &&
         llvm::all_of(op->getOperands(), hasHalfTheBits);
}

namespace {

/// A call of llvm.<stem>.f32 and its like. Calls by name, because the GPU lowering rejects the
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

/// An f32 rounded to TF32, ties away from zero, and extended again: half of the last of its eleven
/// significant bits is added, unless it is infinite or NaN. The bits below stay: instructions that
/// take TF32 ignore them, and the assembler leaves them too. This is one addition, in the register
/// that was loaded; with PTX's conversion the assembler moves the result for each product.
struct RoundToTF32Lowering : OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::ExtFOp op, PatternRewriter &rewriter) const override {
    auto narrowed = op.getIn().getDefiningOp<arith::TruncFOp>();
    if (!narrowed || !narrowed.getType().isTF32() || !op.getType().isF32() ||
        narrowed.getRoundingmode() != arith::RoundingMode::to_nearest_away)
      return rewriter.notifyMatchFailure(op, "not a number of 32 bits rounded to TF32");
    rewriter.replaceOp(op, round(rewriter, op.getLoc(), narrowed.getIn()));
    if (narrowed->use_empty())
      rewriter.eraseOp(narrowed);
    return success();
  }

private:
  static Value round(PatternRewriter &rewriter, Location loc, Value number) {
    constexpr int32_t kHalfOfLast = 1 << 12;
    Type bits = rewriter.getI32Type(), type = number.getType();
    auto integer = [&](int32_t value) -> Value {
      return arith::ConstantOp::create(rewriter, loc, rewriter.getI32IntegerAttr(value));
    };
    auto infinity = FloatAttr::get(type, APFloat::getInf(APFloat::IEEEsingle()));
    Value most = arith::ConstantOp::create(rewriter, loc, infinity);
    Value size = LLVM::CallIntrinsicOp::create(rewriter, loc, type,
                                               rewriter.getStringAttr("llvm.fabs.f32"), number)
                     .getResults();
    Value isFinite = arith::CmpFOp::create(rewriter, loc, arith::CmpFPredicate::OLT, size, most);
    Value half = arith::SelectOp::create(rewriter, loc, isFinite, integer(kHalfOfLast), integer(0));
    Value rounded = arith::BitcastOp::create(rewriter, loc, bits, number);
    rounded = arith::AddIOp::create(rewriter, loc, rounded, half);
    return arith::BitcastOp::create(rewriter, loc, type, rounded);
  }
};

/// The product of two integers below 2^32, as in Philox, is one instruction. LLVM finds it only if
/// they are extensions, and rewrites extensions to masks before it looks.
struct WideProductLowering : OpRewritePattern<arith::MulIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::MulIOp op, PatternRewriter &rewriter) const override {
    if (!op.getType().isInteger(64) || !llvm::all_of(op->getOperands(), hasHalfTheBits))
      return rewriter.notifyMatchFailure(op, "not a product of two integers of 32 bits");
    SmallVector<Value> halves = llvm::map_to_vector(op->getOperands(), [&](Value whole) -> Value {
      return arith::TruncIOp::create(rewriter, op.getLoc(), rewriter.getI32Type(), whole);
    });
    rewriter.replaceOpWithNewOp<LLVM::InlineAsmOp>(
        op, op.getType(), halves, "mul.wide.u32 $0, $1, $2;", "=l,r,r",
        /*has_side_effects=*/false, /*is_align_stack=*/false, LLVM::TailCallKind::None,
        LLVM::AsmDialectAttr(), ArrayAttr());
    return success();
  }
};

/// Any function of three bits is one instruction (lop3), for each half of a word. LLVM simplifies
/// boolean operations, but not this.
struct LookupLowering : OpRewritePattern<LookupOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(LookupOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type half = rewriter.getI32Type(), whole = rewriter.getI64Type();
    if (op.getType() == half) {
      rewriter.replaceOp(op, lookUp(rewriter, op, op->getOperands()));
      return success();
    }
    if (op.getType() != whole)
      return rewriter.notifyMatchFailure(op, "not words of 32 or 64 bits");
    Value shift = arith::ConstantOp::create(rewriter, loc, rewriter.getI64IntegerAttr(kHalf));
    SmallVector<Value> low, high;
    for (Value word : op->getOperands()) {
      low.push_back(arith::TruncIOp::create(rewriter, loc, half, word));
      Value upper = arith::ShRUIOp::create(rewriter, loc, word, shift);
      high.push_back(arith::TruncIOp::create(rewriter, loc, half, upper));
    }
    Value lower = arith::ExtUIOp::create(rewriter, loc, whole, lookUp(rewriter, op, low));
    Value upper = arith::ExtUIOp::create(rewriter, loc, whole, lookUp(rewriter, op, high));
    upper = arith::ShLIOp::create(rewriter, loc, upper, shift);
    rewriter.replaceOpWithNewOp<arith::OrIOp>(op, lower, upper);
    return success();
  }

private:
  static Value lookUp(PatternRewriter &rewriter, LookupOp op, ValueRange operands) {
    std::string code = "lop3.b32 $0, $1, $2, $3, " + std::to_string(op.getTable()) + ";";
    return LLVM::InlineAsmOp::create(rewriter, op.getLoc(), rewriter.getI32Type(), operands, code,
                                     "=r,r,r,r", /*has_side_effects=*/false,
                                     /*is_align_stack=*/false, LLVM::TailCallKind::None,
                                     LLVM::AsmDialectAttr(), ArrayAttr())
        .getResult(0);
  }
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
    patterns.add<WideProductLowering, RoundToTF32Lowering>(&getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
    // Last, because products query look-ups for the bits they leave zero.
    RewritePatternSet lookups(&getContext());
    lookups.add<LookupLowering>(&getContext());
    walkAndApplyPatterns(getOperation(), std::move(lookups));
  }
};

} // namespace

//===- ExpandMath.cpp - Expand elementary functions to exact operations ---===//
//
// Instantiates LCI/Numerics with the operations that build IR. Upstream's operations for the
// functions, which models use, have the same meaning and expand alike.
//
//===----------------------------------------------------------------------===//

#include "LCI/Conversion/DrawsToArith/Passes.h"
#include "LCI/Dialect/LCIOps.h"
#include "LCI/Numerics/Draws.h"
#include "LCI/Numerics/Functions.h"
#include "LCI/Transforms/Support/IROps.h"
#include "LCI/Transforms/Support/MathFunctions.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::lci {
#define GEN_PASS_DEF_EXPANDMATHPASS
#include "LCI/Conversion/DrawsToArith/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;
namespace numerics = ::lci::numerics;
using numerics::Binary;
using numerics::Unary;

/// The unary function that an operation computes, in either spelling.
static std::optional<Unary> getUnary(Operation *op) {
  if (auto elementary = dyn_cast<ElementaryOp>(op))
    return static_cast<Unary>(elementary.getFunction());
  std::optional<Elementary> function = getElementary(op);
  return function ? std::optional(static_cast<Unary>(*function)) : std::nullopt;
}

/// The binary function that an operation computes.
static std::optional<Binary> getBinary(Operation *op) {
  if (auto elementary = dyn_cast<ElementaryBinaryOp>(op))
    return static_cast<Binary>(elementary.getFunction());
  std::optional<ElementaryBinary> function = getElementaryBinary(op);
  return function ? std::optional(static_cast<Binary>(*function)) : std::nullopt;
}

static bool isExpandable(Operation *op) {
  bool isRemainder = isa<arith::RemFOp>(op) && getElementTypeOrSelf(op->getResult(0)).isF32();
  return isRemainder || isa<FloorDivOp, FloorModOp, ThresholdOp>(op) ||
         (op->getDialect() && (getUnary(op) || getBinary(op)));
}

/// The remainder of a division, which targets only approximate: a quotient of 277 bits is found 26
/// bits at a time, from the highest, with differences that fit 53 bits.
static Value remainder(OpBuilder &builder, IROps &ops, Location loc, Value x, Value y) {
  constexpr int kHighest = 260, kBits = 26;
  auto magnitude = [&](Value number) {
    Value wide = ops.widen(ops.asF32(number)).value;
    return IROps::F64{&ops, math::AbsFOp::create(builder, loc, wide)};
  };
  IROps::F64 left = magnitude(x), right = magnitude(y), rest = left;
  for (int exponent = kHighest; exponent >= 0; exponent -= kBits) {
    IROps::F64 scaled = right * ops.f64(std::ldexp(1.0, exponent));
    Value quotient = math::TruncOp::create(builder, loc, (rest / scaled).value);
    rest = ops.fma(ops.f64(0.0) - IROps::F64{&ops, quotient}, scaled, rest);
  }
  IROps::F64 endless = ops.f64(std::numeric_limits<double>::infinity());
  rest = ops.select(ops.both(right == endless, left < endless), left, rest);
  return math::CopySignOp::create(builder, loc, ops.narrow(rest).value, x);
}

/// The value of an expandable operation on other operands.
static Value expand(OpBuilder &builder, Operation *op, ValueRange operands, Type type) {
  IROps ops(builder, op->getLoc(), type);
  if (std::optional<Unary> function = getUnary(op))
    return numerics::apply(ops, *function, ops.asF32(operands[0])).value;
  if (std::optional<Binary> function = getBinary(op))
    return numerics::apply(ops, *function, ops.asF32(operands[0]), ops.asF32(operands[1])).value;
  if (isa<arith::RemFOp>(op))
    return remainder(builder, ops, op->getLoc(), operands[0], operands[1]);
  if (isa<ThresholdOp>(op))
    return numerics::thresholdOf(ops, ops.asF32(operands[0])).value;
  IROps::I64 a = ops.asI64(operands[0]), b = ops.asI64(operands[1]);
  return isa<FloorDivOp>(op) ? numerics::floorDiv(ops, a, b).value
                             : numerics::floorMod(ops, a, b).value;
}

/// The operation on a tensor as one loop nest over its elements, with the expansion inside: some
/// forty operations on tensors would go through memory forty times.
static Value expandElements(OpBuilder &builder, Operation *op, RankedTensorType type) {
  Location loc = op->getLoc();
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(), type.getElementType());
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  SmallVector<AffineMap> maps(op->getNumOperands() + 1, identity);
  SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::parallel);
  auto body = [&](OpBuilder &inner, Location, ValueRange elements) {
    Value value = expand(inner, op, elements.drop_back(), type.getElementType());
    linalg::YieldOp::create(inner, loc, value);
  };
  return linalg::GenericOp::create(builder, loc, TypeRange{type}, op->getOperands(), empty, maps,
                                   iterators, body)
      .getResult(0);
}

namespace {

struct ExpandOperation : RewritePattern {
  explicit ExpandOperation(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (!isExpandable(op))
      return failure();
    Type type = op->getResult(0).getType();
    auto shape = dyn_cast<ShapedType>(type);
    if (shape && !shape.hasStaticShape()) // constants are splats
      return rewriter.notifyMatchFailure(op, "the shape is not static");
    auto tensor = dyn_cast<RankedTensorType>(type);
    rewriter.replaceOp(op, tensor ? expandElements(rewriter, op, tensor)
                                  : expand(rewriter, op, op->getOperands(), type));
    return success();
  }
};

/// The maximum of an integer and its negation, whose range upstream's analysis knows.
struct ExpandAbs : OpRewritePattern<math::AbsIOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::AbsIOp op, PatternRewriter &rewriter) const override {
    if (isa<TensorType>(op.getType()))
      return rewriter.notifyMatchFailure(op, "a model's");
    Value zero =
        arith::ConstantOp::create(rewriter, op.getLoc(), rewriter.getZeroAttr(op.getType()));
    Value opposite = arith::SubIOp::create(rewriter, op.getLoc(), zero, op.getOperand());
    rewriter.replaceOpWithNewOp<arith::MaxSIOp>(op, op.getOperand(), opposite);
    return success();
  }
};

struct ExpandMath : mlir::lci::impl::ExpandMathPassBase<ExpandMath> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateExpandMathPatterns(patterns);
    // A plain walk: nothing to iterate, and no folds beyond these patterns.
    walkAndApplyPatterns(getOperation(), std::move(patterns));
    WalkResult result = getOperation()->walk([](Operation *op) {
      if (!isExpandable(op))
        return WalkResult::advance();
      op->emitError() << ErrorId::NotLowered << "expected a static shape to expand '"
                      << op->getName() << "', but got " << op->getResult(0).getType();
      return WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace

void mlir::lci::populateExpandMathPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandOperation, ExpandAbs>(patterns.getContext());
}

//===- FewBits.cpp - Narrow the numbers of vectors ------------------------===//
//
// Tokens and indices are wide where no range is known, and counts used as scores are floats. In a
// vector of cells width is time: comparisons and selections of extended values are done before the
// extension.
//
//===----------------------------------------------------------------------===//

#include "FewBits.h"
#include "LCI/Transforms/Support/ExactComparisons.h"
#include "LCI/Transforms/Support/IntegerRanges.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::lci;

namespace {

/// A number that is not negative: an extended value, or a constant.
struct Narrow {
  Value source;      ///< null for a constant
  APInt number;      ///< the constant
  unsigned bits = 0; ///< that hold it
};

} // namespace

static unsigned widthOf(Value value) { return getElementTypeOrSelf(value).getIntOrFloatBitWidth(); }

static std::optional<Narrow> asNarrow(Value value) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number))) {
    if (number.isNegative())
      return std::nullopt;
    return Narrow{Value(), number, number.getActiveBits()};
  }
  if (auto extension = value.getDefiningOp<arith::ExtUIOp>())
    return Narrow{extension.getIn(), APInt(), widthOf(extension.getIn())};
  return std::nullopt;
}

/// In whole bytes.
static unsigned commonWidth(const Narrow &a, const Narrow &b) {
  return std::max<unsigned>(8, llvm::PowerOf2Ceil(std::max(a.bits, b.bits)));
}

static Value rebuild(OpBuilder &b, Location loc, const Narrow &narrow, Type like, unsigned width) {
  Type element = b.getIntegerType(width), type = element;
  if (auto shaped = dyn_cast<ShapedType>(like))
    type = shaped.clone(element);
  if (!narrow.source) {
    TypedAttr number = b.getIntegerAttr(element, narrow.number.zextOrTrunc(width));
    if (auto shaped = dyn_cast<ShapedType>(type))
      number = DenseElementsAttr::get(shaped, Attribute(number));
    return arith::ConstantOp::create(b, loc, number);
  }
  return narrow.source.getType() == type ? narrow.source
                                         : arith::ExtUIOp::create(b, loc, type, narrow.source);
}

/// Two numbers in the smallest bytes that hold both; none if that is not narrower.
static std::optional<std::pair<Value, Value>> narrowBoth(OpBuilder &builder, Location loc,
                                                         Value left, Value right) {
  if (!getElementTypeOrSelf(left).isSignlessInteger())
    return std::nullopt;
  std::optional<Narrow> a = asNarrow(left), b = asNarrow(right);
  if (!a || !b || commonWidth(*a, *b) >= widthOf(left))
    return std::nullopt;
  unsigned width = commonWidth(*a, *b);
  Value first = rebuild(builder, loc, *a, left.getType(), width);
  Value second = rebuild(builder, loc, *b, left.getType(), width);
  return std::pair(first, second);
}

namespace {

struct CompareNarrow : OpRewritePattern<arith::CmpIOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::CmpIOp op, PatternRewriter &rewriter) const override {
    auto both = narrowBoth(rewriter, op.getLoc(), op.getLhs(), op.getRhs());
    if (!both)
      return failure();
    rewriter.replaceOpWithNewOp<arith::CmpIOp>(op, toUnsigned(op.getPredicate()), both->first,
                                               both->second);
    return success();
  }
};

struct SelectNarrow : OpRewritePattern<arith::SelectOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::SelectOp op, PatternRewriter &rewriter) const override {
    auto both = narrowBoth(rewriter, op.getLoc(), op.getTrueValue(), op.getFalseValue());
    if (!both)
      return failure();
    Value chosen = arith::SelectOp::create(rewriter, op.getLoc(), op.getCondition(), both->first,
                                           both->second);
    rewriter.replaceOpWithNewOp<arith::ExtUIOp>(op, op.getType(), chosen);
    return success();
  }
};

/// The minimum or maximum of two numbers that are not negative.
template <typename BoundOp, typename UnsignedOp>
struct BoundNarrow : OpRewritePattern<BoundOp> {
  using OpRewritePattern<BoundOp>::OpRewritePattern;
  LogicalResult matchAndRewrite(BoundOp op, PatternRewriter &rewriter) const override {
    auto both = narrowBoth(rewriter, op.getLoc(), op.getLhs(), op.getRhs());
    if (!both)
      return failure();
    Value bound = UnsignedOp::create(rewriter, op.getLoc(), both->first, both->second);
    rewriter.replaceOpWithNewOp<arith::ExtUIOp>(op, op.getType(), bound);
    return success();
  }
};

} // namespace

/// The non-negative integer of at most 24 bits from which a float was converted.
static Value integerBehind(Value value) {
  Operation *op = value.getDefiningOp();
  if (!isa_and_nonnull<arith::SIToFPOp, arith::UIToFPOp>(op) ||
      !getElementTypeOrSelf(value).isF32())
    return nullptr;
  Value integer = op->getOperand(0);
  auto extension = integer.getDefiningOp<arith::ExtUIOp>();
  bool isSmall = extension && widthOf(extension.getIn()) <= 24;
  return isSmall || (isa<arith::UIToFPOp>(op) && widthOf(integer) <= 24) ? integer : nullptr;
}

/// Extends two integers to one width.
static bool toSameWidth(PatternRewriter &rewriter, Location loc, Value &a, Value &b) {
  if (!a || !b)
    return false;
  Type wide = widthOf(a) > widthOf(b) ? a.getType() : b.getType();
  for (Value *value : {&a, &b})
    if (value->getType() != wide)
      *value = arith::ExtUIOp::create(rewriter, loc, wide, *value);
  return true;
}

namespace {
struct CompareCounts : OpRewritePattern<arith::CmpFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::CmpFOp op, PatternRewriter &rewriter) const override {
    Value a = integerBehind(op.getLhs()), b = integerBehind(op.getRhs());
    if (!toSameWidth(rewriter, op.getLoc(), a, b))
      return failure();
    std::optional<arith::CmpIPredicate> predicate = mlir::lci::getExactPredicate(op.getPredicate());
    if (predicate)
      rewriter.replaceOpWithNewOp<arith::CmpIOp>(op, *predicate, a, b);
    else
      rewriter.replaceOpWithNewOp<arith::ConstantOp>(
          op, mlir::lci::getBoolean(op.getType(), mlir::lci::holdsForNumbers(op.getPredicate())));
    return success();
  }
};

struct SelectCounts : OpRewritePattern<arith::SelectOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::SelectOp op, PatternRewriter &rewriter) const override {
    Value a = integerBehind(op.getTrueValue()), b = integerBehind(op.getFalseValue());
    if (!toSameWidth(rewriter, op.getLoc(), a, b))
      return failure();
    Value chosen = arith::SelectOp::create(rewriter, op.getLoc(), op.getCondition(), a, b);
    rewriter.replaceOpWithNewOp<arith::UIToFPOp>(op, op.getType(), chosen);
    return success();
  }
};

/// An integer that was converted to float and back.
struct CastBack : OpRewritePattern<arith::FPToSIOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::FPToSIOp op, PatternRewriter &rewriter) const override {
    Value integer = integerBehind(op.getIn());
    if (!integer || widthOf(op) < widthOf(integer))
      return failure();
    if (widthOf(op) == widthOf(integer))
      rewriter.replaceOp(op, integer);
    else
      rewriter.replaceOpWithNewOp<arith::ExtUIOp>(op, op.getType(), integer);
    return success();
  }
};

/// A float is converted from 32 bits.
struct CastNarrow : OpRewritePattern<arith::SIToFPOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::SIToFPOp op, PatternRewriter &rewriter) const override {
    auto extension = op.getIn().getDefiningOp<arith::ExtUIOp>();
    if (!extension || widthOf(extension) <= 32 || widthOf(extension.getIn()) >= 32)
      return failure();
    Type i32 = rewriter.getI32Type(), type = extension.getType();
    Type narrow = isa<ShapedType>(type) ? Type(cast<ShapedType>(type).clone(i32)) : i32;
    Value integer = arith::ExtUIOp::create(rewriter, op.getLoc(), narrow, extension.getIn());
    rewriter.replaceOpWithNewOp<arith::SIToFPOp>(op, op.getType(), integer);
    return success();
  }
};

} // namespace

void vectorize::populateFewBitsPatterns(RewritePatternSet &patterns) {
  patterns
      .add<CompareNarrow, SelectNarrow, BoundNarrow<arith::MinSIOp, arith::MinUIOp>,
           BoundNarrow<arith::MinUIOp, arith::MinUIOp>, BoundNarrow<arith::MaxSIOp, arith::MaxUIOp>,
           BoundNarrow<arith::MaxUIOp, arith::MaxUIOp>, CompareCounts, SelectCounts, CastBack,
           CastNarrow>(patterns.getContext());
}

//===- Folds.cpp - Local simplifications of the dialect's ops -------------===//
//
// Canonical form: no `let`, no `unwrap` of something surely present, no power, no idle tick.
//
//===----------------------------------------------------------------------===//

#include "LCI/Dialect/LCIOps.h"
#include "LCI/Dialect/TickBuilders.h"
#include "VerifierUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::lci;

OpFoldResult LetOp::fold(FoldAdaptor) { return getValue(); }

/// A tally that is never true counts nothing.
static LogicalResult dropSilentTallies(InstallOp install, PatternRewriter &rewriter) {
  SmallVector<Value> tallies;
  SmallVector<int64_t> slots;
  for (auto [tally, slot] : llvm::zip_equal(install.getTallies(), install.getSlots())) {
    if (matchPattern(tally, m_Zero()))
      continue;
    tallies.push_back(tally);
    slots.push_back(slot);
  }
  if (tallies.size() == install.getTallies().size())
    return failure();
  rewriter.modifyOpInPlace(install, [&] {
    install.getTalliesMutable().assign(tallies);
    install.setSlots(slots);
  });
  return success();
}

/// Makes constants of a box static, on each axis where it stays within the target.
static bool foldBox(TickOp op) {
  if (!op.hasBox())
    return false;
  ArrayRef<int64_t> shape = cast<ShapedType>(op.getTarget().getType()).getShape();
  SmallVector<OpFoldResult> offsets = op.getMixedOffsets(), extents = op.getMixedExtents();
  SmallVector<int64_t> strides = op.getStridesOrOnes();
  bool isChanged = false;
  auto fold = [&](OpFoldResult &number, std::optional<int64_t> constant) {
    if (!constant || isa<Attribute>(number))
      return;
    number = Builder(op.getContext()).getIndexAttr(*constant);
    isChanged = true;
  };
  for (auto [cells, offset, extent, stride] : llvm::zip_equal(shape, offsets, extents, strides)) {
    std::optional<int64_t> first = getConstantIntValue(offset), size = getConstantIntValue(extent);
    if (!isWithin(first.value_or(ShapedType::kDynamic), size.value_or(ShapedType::kDynamic), stride,
                  cells))
      continue;
    fold(offset, first);
    fold(extent, size);
  }
  if (isChanged)
    op.setBox(offsets, extents, strides);
  return isChanged;
}

/// Inputs are taken as they were before casts that hide extents. Upstream's folding of such casts,
/// which is for all operations with destinations, would leave the types of the body's arguments.
LogicalResult TickOp::fold(FoldAdaptor, SmallVectorImpl<OpFoldResult> &) {
  bool isChanged = foldBox(*this);
  for (auto [input, argument] : llvm::zip_equal(getInputsMutable(), getInputArguments())) {
    auto cast = input.get().getDefiningOp<tensor::CastOp>();
    if (!cast || !tensor::canFoldIntoConsumerOp(cast))
      continue;
    input.set(cast.getSource());
    argument.setType(cast.getSource().getType());
    isChanged = true;
  }
  return success(isChanged);
}

/// The only user of a value if it is of this type, else null.
template <typename User>
static User getOnlyUser(Value value) {
  return value.hasOneUse() ? dyn_cast<User>(*value.getUsers().begin()) : User();
}

/// Whether a slice of the target surely has all cells of the box.
static bool hasBox(tensor::ExtractSliceOp slice, TickOp op) {
  if (!slice.hasUnitStride() || slice.getMixedOffsets() != op.getMixedOffsets())
    return false;
  return llvm::all_of(
      llvm::zip_equal(slice.getMixedSizes(), op.getMixedExtents(), op.getStridesOrOnes()),
      [](auto axis) {
        auto [size, extent, stride] = axis;
        std::optional<int64_t> cells = getConstantIntValue(size), box = getConstantIntValue(extent);
        return stride == 1 ? size == extent : cells && box && *cells > (*box - 1) * stride;
      });
}

/// A tile that is inserted where it was extracted: outside of it nothing has changed.
static LogicalResult dropSlices(TickOp op, PatternRewriter &rewriter) {
  for (OpResult result : op->getResults()) {
    auto tile = getOnlyUser<tensor::ExtractSliceOp>(result);
    auto whole = tile ? getOnlyUser<tensor::InsertSliceOp>(tile.getResult()) : nullptr;
    if (!whole || result == op.getCountsAfter() || !hasBox(tile, op) ||
        whole.getSource() != tile.getResult() ||
        whole.getDest() != op.getTiedOpOperand(result)->get() || !whole.hasUnitStride() ||
        tile.getMixedOffsets() != whole.getMixedOffsets() ||
        tile.getMixedSizes() != whole.getMixedSizes())
      continue;
    rewriter.replaceOp(whole, result);
    return success();
  }
  return failure();
}

/// On buffers constants are part of the body, where they fold.
static LogicalResult takeConstants(TickOp op, PatternRewriter &rewriter) {
  unsigned first = op.getRank() + 3;
  Block &body = op.getBody().front();
  for (unsigned position = 0; position < op.getInputs().size(); ++position) {
    Value input = op.getInputs()[position];
    if (isa<ShapedType>(input.getType()) || !matchPattern(input, m_Constant()))
      continue;
    rewriter.setInsertionPointToStart(&body);
    Value inside = rewriter.clone(*input.getDefiningOp())->getResult(0);
    rewriter.modifyOpInPlace(op, [&] {
      rewriter.replaceAllUsesWith(body.getArgument(first + position), inside);
      body.eraseArgument(first + position);
      op.getInputsMutable().erase(position);
    });
    return success();
  }
  return failure();
}

/// On buffers a tick that installs nothing does nothing.
LogicalResult TickOp::canonicalize(TickOp op, PatternRewriter &rewriter) {
  InstallOp install = op.getInstall();
  if (succeeded(dropSilentTallies(install, rewriter)) || succeeded(dropSlices(op, rewriter)))
    return success();
  if (op.hasTensorSemantics())
    return failure();
  if (!op.getScores() && keepsEverything(install)) {
    rewriter.eraseOp(op);
    return success();
  }
  return takeConstants(op, rewriter);
}

OpFoldResult UnwrapOp::fold(FoldAdaptor adaptor) {
  auto present = dyn_cast_or_null<BoolAttr>(adaptor.getPresent());
  return present && present.getValue() ? OpFoldResult(getValue()) : OpFoldResult();
}

//===----------------------------------------------------------------------===//
// Floor division and modulo
//===----------------------------------------------------------------------===//

static APInt floorDiv(const APInt &lhs, const APInt &rhs) {
  if (rhs.isZero())
    return APInt::getZero(lhs.getBitWidth());
  return llvm::APIntOps::RoundingSDiv(lhs, rhs, APInt::Rounding::DOWN);
}

static APInt floorMod(const APInt &lhs, const APInt &rhs) { return lhs - floorDiv(lhs, rhs) * rhs; }

template <typename Function>
static OpFoldResult foldIntegers(Attribute lhs, Attribute rhs, Function function) {
  auto left = dyn_cast_or_null<IntegerAttr>(lhs), right = dyn_cast_or_null<IntegerAttr>(rhs);
  if (!left || !right)
    return {};
  return IntegerAttr::get(left.getType(), function(left.getValue(), right.getValue()));
}

OpFoldResult FloorDivOp::fold(FoldAdaptor adaptor) {
  if (matchPattern(adaptor.getRhs(), m_One()))
    return getLhs();
  return foldIntegers(adaptor.getLhs(), adaptor.getRhs(), floorDiv);
}

OpFoldResult FloorModOp::fold(FoldAdaptor adaptor) {
  return foldIntegers(adaptor.getLhs(), adaptor.getRhs(), floorMod);
}

void FloorDivOp::inferResultRanges(ArrayRef<ConstantIntRanges> ranges, SetIntRangeFn setRange) {
  const APInt &divisor = ranges[1].smin();
  bool wraps = divisor.isAllOnes() && ranges[0].smin().isMinSignedValue();
  if (divisor != ranges[1].smax() || divisor.isZero() || wraps)
    return setRange(getResult(), ConstantIntRanges::maxRange(64));
  APInt first = floorDiv(ranges[0].smin(), divisor), second = floorDiv(ranges[0].smax(), divisor);
  if (divisor.isNegative())
    std::swap(first, second);
  setRange(getResult(), ConstantIntRanges::fromSigned(first, second));
}

void FloorModOp::inferResultRanges(ArrayRef<ConstantIntRanges> ranges, SetIntRangeFn setRange) {
  const ConstantIntRanges &divisor = ranges[1];
  // The remainder has the divisor's sign; a non-negative one is below the largest divisor.
  if (!divisor.smin().isStrictlyPositive())
    return setRange(getResult(), ConstantIntRanges::maxRange(64));
  APInt zero = APInt::getZero(64);
  bool unchanged = ranges[0].smin().sge(zero) && ranges[0].smax().slt(divisor.smin());
  setRange(getResult(),
           unchanged ? ranges[0] : ConstantIntRanges::fromSigned(zero, divisor.smax() - 1));
}

//===----------------------------------------------------------------------===//
// lci.power
//===----------------------------------------------------------------------===//

namespace {
/// x^n -> ((x * x) * x) * …, the definition; for integers and numbers.
struct PowerToProducts : OpRewritePattern<PowerOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(PowerOp op, PatternRewriter &rewriter) const override {
    Value base = op.getBase();
    bool isFloat = isa<FloatType>(getElementTypeOrSelf(base.getType()));
    if (op.getExponent() == 0) {
      Attribute one = isFloat ? Attribute(rewriter.getF32FloatAttr(1.0f))
                              : Attribute(rewriter.getI64IntegerAttr(1));
      auto shaped = dyn_cast<ShapedType>(base.getType());
      if (shaped && !shaped.hasStaticShape())
        return rewriter.notifyMatchFailure(op, "of ones nobody knows how many there are");
      if (shaped)
        one = DenseElementsAttr::get(shaped, one);
      rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, cast<TypedAttr>(one));
      return success();
    }
    Value product = base;
    for (uint64_t i = 1; i < op.getExponent(); ++i)
      product = isFloat ? arith::MulFOp::create(rewriter, op.getLoc(), product, base).getResult()
                        : arith::MulIOp::create(rewriter, op.getLoc(), product, base).getResult();
    rewriter.replaceOp(op, product);
    return success();
  }
};
} // namespace

void PowerOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<PowerToProducts>(context);
}

//===- GatherLowering.cpp - Loads at computed indices ---------------------===//
//
// A gather loads at the indices its map computes. A border costs a test only on the axes where the
// ranges of the indices do not prove that they stay inside.
//
//===----------------------------------------------------------------------===//

#include "LCI/Dialect/TickBuilders.h"
#include "Lowerings.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace mlir::lci;

namespace {
/// Both ends included.
struct Interval {
  int64_t low, high;
};
} // namespace

/// The range of an index that is a cell's, a constant or of a loop with constant bounds.
static std::optional<Interval> rangeOf(Value value, TickOp tick) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return Interval{*constant, *constant};
  if (auto cast = value.getDefiningOp<arith::IndexCastOp>())
    return rangeOf(cast.getIn(), tick);
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument)
    return std::nullopt;
  if (argument.getOwner() == &tick.getBody().front()) {
    auto target = cast<ShapedType>(tick.getTarget().getType());
    if (argument.getArgNumber() < tick.getRank() && !target.isDynamicDim(argument.getArgNumber()))
      return Interval{0, target.getDimSize(argument.getArgNumber()) - 1};
    return std::nullopt;
  }
  auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
  if (!loop || argument != loop.getInductionVar())
    return std::nullopt;
  std::optional<Interval> lower = rangeOf(loop.getLowerBound(), tick);
  std::optional<Interval> upper = rangeOf(loop.getUpperBound(), tick);
  if (!lower || !upper || upper->high <= lower->low)
    return std::nullopt;
  return Interval{lower->low, upper->high - 1};
}

/// The interval of two ends; unknown if one overflowed 64 bits.
static std::optional<Interval> between(std::optional<int64_t> a, std::optional<int64_t> b) {
  if (!a || !b)
    return std::nullopt;
  return Interval{std::min(*a, *b), std::max(*a, *b)};
}

static std::optional<Interval> rangeOf(AffineExpr expr, ArrayRef<std::optional<Interval>> dims) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return Interval{constant.getValue(), constant.getValue()};
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return std::nullopt;
  std::optional<Interval> lhs = rangeOf(binary.getLHS(), dims);
  std::optional<Interval> rhs = rangeOf(binary.getRHS(), dims);
  if (!lhs || !rhs)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Add)
    return between(llvm::checkedAdd(lhs->low, rhs->low), llvm::checkedAdd(lhs->high, rhs->high));
  if (expr.getKind() != AffineExprKind::Mul || rhs->low != rhs->high)
    return std::nullopt;
  return between(llvm::checkedMul(lhs->low, rhs->low), llvm::checkedMul(lhs->high, rhs->low));
}

SmallVector<Reach> mlir::lci::computeReach(LoadOp load) {
  auto tick = load->getParentOfType<TickOp>();
  SmallVector<std::optional<Interval>> dims;
  for (Value index : load.getIndices())
    dims.push_back(rangeOf(index, tick));
  SmallVector<Reach> reach;
  auto source = cast<ShapedType>(load.getSource().getType());
  for (auto [axis, result] : llvm::enumerate(load.getMap().getResults())) {
    int64_t extent = source.getDimSize(axis);
    std::optional<Interval> range = rangeOf(result, dims);
    bool inside = range && range->low >= 0 && range->high < extent;
    bool isNear = range && range->low >= -extent && range->high - extent < extent;
    reach.push_back(inside ? Reach::Inside : isNear ? Reach::WithinOneExtent : Reach::Anywhere);
  }
  return reach;
}

void mlir::lci::lowerGather(RewriterBase &rewriter, LoadOp load, ArrayRef<Reach> reach) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(load);
  Location loc = load.getLoc();
  auto source = cast<MemRefType>(load.getSource().getType());
  SmallVector<Value> indices = buildIndices(rewriter, loc, load.getMap(), load.getIndices());
  for (auto [axis, index] : llvm::enumerate(indices))
    if (reach[axis] != Reach::Inside)
      index = buildBounded(rewriter, loc, index, source.getDimSize(axis), load.getBoundaryOf(axis),
                           reach[axis] == Reach::WithinOneExtent);
  rewriter.replaceOpWithNewOp<memref::LoadOp>(load, load.getSource(), indices);
}

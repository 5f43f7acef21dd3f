//===- TickBuilders.cpp - Shared builders of IR ---------------------------===//
//
// Comparisons and memberships that fold by the ranges of indices, wrapped and clamped indices,
// moved offsets and views of counters, as arith, affine and memref operations for several
// lowerings.
//
//===----------------------------------------------------------------------===//

#include "LCI/Dialect/TickBuilders.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace mlir::lci;

Value mlir::lci::buildComparison(OpBuilder &builder, Location loc, AffineExpr expr, bool isEquality,
                                 ValueRange indices, ArrayRef<IndexRange> ranges, Value symbol) {
  if (std::optional<IndexRange> range = computeRange(expr, ranges)) {
    if (range->lower >= 0 && (!isEquality || range->upper == 0))
      return nullptr;
    if (range->upper < 0 || (isEquality && range->lower > 0))
      return arith::ConstantIntOp::create(builder, loc, 0, 1);
  }
  ValueRange symbols = symbol ? ValueRange(symbol) : ValueRange();
  Value left = affine::expandAffineExpr(builder, loc, expr, indices, symbols);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  auto predicate = isEquality ? arith::CmpIPredicate::eq : arith::CmpIPredicate::sge;
  return arith::CmpIOp::create(builder, loc, predicate, left, zero);
}

Value mlir::lci::buildMembership(OpBuilder &builder, Location loc, IntegerSet cells,
                                 ValueRange indices, ArrayRef<IndexRange> ranges, Value phase) {
  // A known phase takes part in the bounds.
  APInt number;
  if (phase && matchPattern(phase, m_ConstantInt(&number))) {
    AffineExpr constant = builder.getAffineConstantExpr(number.getSExtValue());
    cells = cells.replaceDimsAndSymbols({}, constant, cells.getNumDims(), 0);
    phase = nullptr;
  }
  Value symbol;
  if (phase)
    symbol = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), phase);
  Value all;
  for (auto [constraint, isEquality] : llvm::zip(cells.getConstraints(), cells.getEqFlags())) {
    Value holds = buildComparison(builder, loc, constraint, isEquality, indices, ranges, symbol);
    if (holds)
      all = all ? builder.createOrFold<arith::AndIOp>(loc, all, holds) : holds;
  }
  return all;
}

/// The last index on an axis of unknown extent; leaves room for distances added to an index.
static constexpr int64_t kFarIndex = int64_t(1) << 62;

SmallVector<IndexRange> mlir::lci::getIndexRanges(TickOp tick) {
  ArrayRef<int64_t> shape = cast<ShapedType>(tick.getTarget().getType()).getShape();
  SmallVector<IndexRange> ranges;
  for (auto [offset, extent, stride, whole] : llvm::zip_equal(
           tick.getMixedOffsets(), tick.getMixedExtents(), tick.getStridesOrOnes(), shape)) {
    std::optional<int64_t> first = getConstantIntValue(offset), count = getConstantIntValue(extent);
    std::optional<int64_t> last; // none if it overflows 64 bits
    if (first && count && *count >= 0)
      last = llvm::checkedMulAdd(*count - 1, stride, *first);
    if (last)
      ranges.push_back({*first, *last});
    else
      ranges.push_back({0, ShapedType::isDynamic(whole) ? kFarIndex : whole - 1});
  }
  return ranges;
}

SmallVector<int64_t> mlir::lci::getCountedSlots(TickOp tick) {
  SmallVector<int64_t> slots(tick.getInstall().getSlots());
  llvm::sort(slots);
  slots.erase(llvm::unique(slots), slots.end());
  return slots;
}

void mlir::lci::isolateBody(TickOp tick) {
  Region &region = tick.getBody();
  // Within a dialect conversion a captured argument's block may be out of every region, so that
  // upstream's `getUsedValuesDefinedAbove` does not find it.
  llvm::SetVector<Value> captured;
  region.walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (Region *home = operand.getParentRegion(); !home || !region.isAncestor(home))
        captured.insert(operand);
  });
  OpBuilder inside = OpBuilder::atBlockBegin(&region.front());
  for (Value value : captured) {
    Value inner;
    if (matchPattern(value, m_Constant())) {
      inner = inside.clone(*value.getDefiningOp())->getResult(0);
    } else {
      tick.getInputsMutable().append(value);
      inner = region.addArgument(value.getType(), value.getLoc());
    }
    value.replaceUsesWithIf(inner, [&](OpOperand &use) {
      return region.isAncestor(use.getOwner()->getParentRegion());
    });
  }
}

bool mlir::lci::keepsEverything(InstallOp install) {
  auto isNever = [](Value truth) { return matchPattern(truth, m_Zero()); };
  return install.getBoxed().empty() && isNever(install.getCondition()) &&
         llvm::all_of(install.getTallies(), isNever);
}

Value mlir::lci::buildCounterView(OpBuilder &builder, Location loc, Value counts, int64_t slot) {
  auto type = cast<MemRefType>(counts.getType());
  SmallVector<OpFoldResult> offset{builder.getIndexAttr(slot)}, one{builder.getIndexAttr(1)};
  auto scalar =
      cast<MemRefType>(memref::SubViewOp::inferRankReducedResultType({}, type, offset, one, one));
  return memref::SubViewOp::create(builder, loc, scalar, counts, offset, one, one);
}

OpFoldResult mlir::lci::buildMoved(OpBuilder &builder, Location loc, OpFoldResult index,
                                   int64_t distance) {
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return builder.getIndexAttr(*constant + distance);
  if (distance == 0)
    return index;
  Value moved = arith::ConstantIndexOp::create(builder, loc, distance);
  return arith::AddIOp::create(builder, loc, cast<Value>(index), moved).getResult();
}

SmallVector<Value> mlir::lci::buildIndices(OpBuilder &builder, Location loc, AffineMap map,
                                           ValueRange operands) {
  SmallVector<Value> results;
  for (AffineExpr result : map.getResults())
    results.push_back(affine::expandAffineExpr(builder, loc, result, operands, {}));
  return results;
}

/// Adds one extent to an index below zero.
static Value addIfNegative(OpBuilder &builder, Location loc, Value index, Value extent) {
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value below = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, index, zero);
  Value moved = arith::AddIOp::create(builder, loc, index, extent);
  return arith::SelectOp::create(builder, loc, below, moved, index);
}

static Value buildWrapped(OpBuilder &builder, Location loc, Value index, Value extent,
                          bool withinOneExtent) {
  if (!withinOneExtent) {
    Value rest = arith::RemSIOp::create(builder, loc, index, extent);
    return addIfNegative(builder, loc, rest, extent);
  }
  // Selects, since the packaged loop vectorizer miscompiles stencils that wrap by a remainder.
  index = addIfNegative(builder, loc, index, extent);
  Value beyond = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, index, extent);
  Value moved = arith::SubIOp::create(builder, loc, index, extent);
  return arith::SelectOp::create(builder, loc, beyond, moved, index);
}

Value mlir::lci::buildBounded(OpBuilder &builder, Location loc, Value index, int64_t extent,
                              Boundary boundary, bool withinOneExtent) {
  if (boundary == Boundary::Wrap) {
    Value size = arith::ConstantIndexOp::create(builder, loc, extent);
    return buildWrapped(builder, loc, index, size, withinOneExtent);
  }
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value last = arith::ConstantIndexOp::create(builder, loc, extent - 1);
  Value notBelow = arith::MaxSIOp::create(builder, loc, index, zero);
  return arith::MinSIOp::create(builder, loc, notBelow, last);
}

//===- NestFacts.cpp - Loop nests of linalg operations on buffers ---------===//
//
// Queries on `linalg.generic` with buffer semantics. Operands alias unless
// their buffers are distinct or their boxes of one array, traced through up to
// two views, are disjoint on some axis.
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/Support/NestFacts.h"
#include "LCI/Transforms/Support/BufferFacts.h"
#include "LCI/Transforms/Support/RowViews.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::lci;

bool lci::isElementwise(linalg::GenericOp op) {
  return op.hasPureBufferSemantics() &&
         llvm::all_of(op.getBody()->without_terminator(),
                      [](Operation &inner) { return isPlain(&inner) || getCount(inner); });
}

/// The only operation of a branch without results and without `else`.
static Operation *getOnly(scf::IfOp choice) {
  bool isAlone = choice.getNumResults() == 0 && choice.getElseRegion().empty() &&
                 llvm::hasNItems(*choice.thenBlock(), 2);
  return isAlone ? &choice.thenBlock()->front() : nullptr;
}

std::optional<Count> lci::getCount(Operation &inner) {
  auto choice = dyn_cast<scf::IfOp>(inner);
  Operation *only = choice ? getOnly(choice) : &inner;
  if (!only || !isAddition(only))
    return std::nullopt;
  auto add = cast<memref::AtomicRMWOp>(only);
  bool liesOutside = llvm::all_of(llvm::drop_begin(add->getOperands()), [&](Value place) {
    return !inner.getParentRegion()->isAncestor(place.getParentRegion());
  });
  if (!liesOutside)
    return std::nullopt;
  return Count{add, choice ? choice.getCondition() : Value()};
}

Value Count::emitAdded(OpBuilder &builder, IRMapping &mapping) const {
  Location loc = addition->getLoc();
  Value number = mapping.lookupOrDefault(addition->getOperand(0));
  if (!condition)
    return number;
  Value holds = mapping.lookupOrDefault(condition);
  if (matchPattern(number, m_One()))
    return arith::ExtUIOp::create(builder, loc, number.getType(), holds);
  Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(number.getType()));
  return arith::SelectOp::create(builder, loc, holds, number, zero);
}

SmallVector<Value> lci::getCounted(linalg::GenericOp op) {
  SmallVector<Value> arrays;
  for (Operation &inner : op.getBody()->without_terminator())
    if (std::optional<Count> count = getCount(inner))
      arrays.push_back(count->addition.getMemref());
  return arrays;
}

SmallVector<OpFoldResult> lci::getTripCounts(linalg::GenericOp op) {
  SmallVector<OpFoldResult> tripCounts(op.getNumLoops());
  for (auto [operand, map] : llvm::zip_equal(op->getOperands(), op.getIndexingMapsArray())) {
    auto view = operand.getDefiningOp<memref::SubViewOp>();
    auto type = dyn_cast<MemRefType>(operand.getType());
    if (!type || (view && view.getSourceType().getRank() != type.getRank()))
      continue;
    for (auto [axis, result] : llvm::enumerate(map.getResults())) {
      auto dim = dyn_cast<AffineDimExpr>(result);
      if (!dim || tripCounts[dim.getPosition()])
        continue;
      if (view)
        tripCounts[dim.getPosition()] = view.getMixedSizes()[axis];
      else if (!type.isDynamicDim(axis))
        tripCounts[dim.getPosition()] =
            Builder(op.getContext()).getIndexAttr(type.getDimSize(axis));
    }
  }
  return tripCounts;
}

bool lci::haveOneNest(linalg::GenericOp one, linalg::GenericOp other) {
  SmallVector<OpFoldResult> tripCounts = getTripCounts(one);
  return tripCounts == getTripCounts(other) &&
         llvm::all_of(tripCounts, [](OpFoldResult n) { return bool(n); });
}

//===----------------------------------------------------------------------===//
// Disjoint boxes of an array
//===----------------------------------------------------------------------===//

namespace {
/// The elements of an axis of an array that a view covers; sizes and strides may be unknown.
struct Steps {
  Offset first;
  int64_t size, stride;

  /// Whether these end before the others begin.
  bool endsBefore(const Steps &other) const {
    return !ShapedType::isDynamic(size) && !ShapedType::isDynamic(stride) && stride > 0 &&
           first.base == other.first.base &&
           first.distance + (size - 1) * stride < other.first.distance;
  }

  /// Whether both strides are equal and the distance of the offsets is no multiple of the stride.
  bool passes(const Steps &other) const {
    return !ShapedType::isDynamic(stride) && stride != 0 && stride == other.stride &&
           first.base == other.first.base && (other.first.distance - first.distance) % stride != 0;
  }

  /// These elements of a view, in the array that the view covers by `around`; nothing if unknown.
  std::optional<Steps> in(const Steps &around) const {
    if (ShapedType::isDynamic(around.stride) || ShapedType::isDynamic(stride) || first.base)
      return std::nullopt;
    Steps all{around.first, size, stride * around.stride};
    all.first.distance += first.distance * around.stride;
    return all;
  }
};

/// The part of an array that a view, or a view of a view, covers.
struct ArrayPart {
  Value array;
  SmallVector<Steps> axes;

  explicit ArrayPart(memref::SubViewOp view) : array(view.getSource()) {
    for (auto [offset, size, stride] :
         llvm::zip_equal(view.getMixedOffsets(), view.getStaticSizes(), view.getStaticStrides()))
      axes.push_back({Offset(offset), size, stride});
    if (auto around = array.getDefiningOp<memref::SubViewOp>())
      widen(around);
  }

private:
  /// Expresses the part in the array behind the outer view, if both have the same axes.
  void widen(memref::SubViewOp view) {
    if (view.getSourceType().getRank() != view.getType().getRank())
      return;
    ArrayPart around(view);
    SmallVector<Steps> all;
    for (auto [mine, its] : llvm::zip_equal(axes, around.axes))
      if (std::optional<Steps> steps = mine.in(its))
        all.push_back(*steps);
    if (all.size() != axes.size())
      return;
    array = around.array;
    axes = std::move(all);
  }
};
} // namespace

/// Whether views of one array have different rows or columns.
static bool areOtherParts(Value one, Value other) {
  auto a = one.getDefiningOp<memref::SubViewOp>(), b = other.getDefiningOp<memref::SubViewOp>();
  if (!a || !b)
    return false;
  ArrayPart mine(a), its(b);
  return mine.array == its.array && llvm::any_of(llvm::zip(mine.axes, its.axes), [](auto both) {
           auto [left, right] = both;
           return left.endsBefore(right) || right.endsBefore(left) || left.passes(right);
         });
}

bool lci::areApart(Value one, Value other) {
  Memory mine(one), its(other);
  return mine.isDisjointFrom(its) || areOtherParts(one, other);
}

//===- NestFacts.cpp - What linalg operations on buffers go over ----------===//

#include "NestFacts.h"
#include "BufferFacts.h"
#include "RowViews.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::lci;

bool lci::isElementwise(linalg::GenericOp op) {
  return op.hasPureBufferSemantics() &&
         llvm::all_of(op.getBody()->without_terminator(),
                      [](Operation &inner) { return isPlain(&inner) || getCount(inner); });
}

/// The only operation of a branch without results and alternative.
static Operation *getOnly(scf::IfOp choice) {
  bool isAlone = choice.getNumResults() == 0 && choice.getElseRegion().empty() &&
                 llvm::hasNItems(*choice.thenBlock(), 2);
  return isAlone ? &choice.thenBlock()->front() : nullptr;
}

std::optional<Count> lci::getCount(Operation &inner) {
  auto choice = dyn_cast<scf::IfOp>(inner);
  auto add = dyn_cast_or_null<memref::AtomicRMWOp>(choice ? getOnly(choice) : &inner);
  if (!add || add.getKind() != arith::AtomicRMWKind::addi || !add->use_empty())
    return std::nullopt;
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

SmallVector<OpFoldResult> lci::getTurns(linalg::GenericOp op) {
  SmallVector<OpFoldResult> turns(op.getNumLoops());
  for (auto [operand, map] : llvm::zip_equal(op->getOperands(), op.getIndexingMapsArray())) {
    auto view = operand.getDefiningOp<memref::SubViewOp>();
    auto type = dyn_cast<MemRefType>(operand.getType());
    if (!type || (view && view.getSourceType().getRank() != type.getRank()))
      continue;
    for (auto [axis, result] : llvm::enumerate(map.getResults())) {
      auto dim = dyn_cast<AffineDimExpr>(result);
      if (!dim || turns[dim.getPosition()])
        continue;
      if (view)
        turns[dim.getPosition()] = view.getMixedSizes()[axis];
      else if (!type.isDynamicDim(axis))
        turns[dim.getPosition()] = Builder(op.getContext()).getIndexAttr(type.getDimSize(axis));
    }
  }
  return turns;
}

bool lci::haveOneNest(linalg::GenericOp one, linalg::GenericOp other) {
  SmallVector<OpFoldResult> turns = getTurns(one);
  return turns == getTurns(other) && llvm::all_of(turns, [](OpFoldResult n) { return bool(n); });
}

/// Two numbers of one array, at constant places.
static bool areTwoNumbers(Value one, Value other) {
  auto a = one.getDefiningOp<memref::SubViewOp>(), b = other.getDefiningOp<memref::SubViewOp>();
  if (!a || !b || a.getSource() != b.getSource() || a.getType().getRank() != 0 ||
      b.getType().getRank() != 0)
    return false;
  return llvm::any_of(
      llvm::zip_equal(a.getStaticOffsets(), b.getStaticOffsets()), [](auto offsets) {
        auto [from, to] = offsets;
        return !ShapedType::isDynamic(from) && !ShapedType::isDynamic(to) && from != to;
      });
}

/// Parts of one array that take steps of one length on an axis, from places between which lies no
/// number of them.
static bool takeOtherSteps(Value one, Value other) {
  auto a = one.getDefiningOp<memref::SubViewOp>(), b = other.getDefiningOp<memref::SubViewOp>();
  if (!a || !b || a.getSource() != b.getSource())
    return false;
  for (unsigned axis = 0; axis < a.getStaticOffsets().size(); ++axis) {
    int64_t stride = a.getStaticStrides()[axis];
    Offset from(a.getMixedOffsets()[axis]), to(b.getMixedOffsets()[axis]);
    bool isKnown = !ShapedType::isDynamic(stride) && stride == b.getStaticStrides()[axis] &&
                   from.base == to.base;
    if (isKnown && stride != 0 && (to.distance - from.distance) % stride != 0)
      return true;
  }
  return false;
}

bool lci::areApart(Value one, Value other) {
  Memory mine(one), its(other);
  return mine.isApartFrom(its) || areTwoNumbers(one, other) || takeOtherSteps(one, other);
}

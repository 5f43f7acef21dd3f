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

bool mlir::lci::isElementwise(linalg::GenericOp op) {
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

std::optional<Count> mlir::lci::getCount(Operation &inner) {
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

SmallVector<Value> mlir::lci::getCounted(linalg::GenericOp op) {
  SmallVector<Value> arrays;
  for (Operation &inner : op.getBody()->without_terminator())
    if (std::optional<Count> count = getCount(inner))
      arrays.push_back(count->addition.getMemref());
  return arrays;
}

SmallVector<OpFoldResult> mlir::lci::getTripCounts(linalg::GenericOp op) {
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

bool mlir::lci::haveOneNest(linalg::GenericOp one, linalg::GenericOp other) {
  SmallVector<OpFoldResult> tripCounts = getTripCounts(one);
  return tripCounts == getTripCounts(other) &&
         llvm::all_of(tripCounts, [](OpFoldResult n) { return bool(n); });
}

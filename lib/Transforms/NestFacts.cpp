//===- NestFacts.cpp - What linalg operations on buffers go over ----------===//

#include "NestFacts.h"
#include "BufferFacts.h"
#include "RowViews.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::lci;

bool lci::isElementwise(linalg::GenericOp op) {
  return op.hasPureBufferSemantics() &&
         llvm::all_of(op.getBody()->without_terminator(),
                      [](Operation &inner) { return isPlain(&inner); });
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

bool lci::areApart(Value one, Value other) {
  Memory mine(one), its(other);
  return mine.isApartFrom(its) || areTwoNumbers(one, other);
}

//===- LinalgUtils.cpp - Loop nests of linalg operations on buffers -------===//
//
// Queries on `linalg.generic` with buffer semantics, for fusion.
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/Support/LinalgUtils.h"
#include "LCI/Transforms/Support/OperationQueries.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::lci;

/// The only operation of a branch without results and without `else`.
static Operation *getOnly(scf::IfOp choice) {
  bool isAlone = choice.getNumResults() == 0 && choice.getElseRegion().empty() &&
                 llvm::hasNItems(*choice.thenBlock(), 2);
  return isAlone ? &choice.thenBlock()->front() : nullptr;
}

/// The addition to a counter that an operation of a body performs, guarded by a condition or not;
/// null if it does anything else. The counter and its indices are defined outside of the body, and
/// all elements share it: the order does not matter.
static memref::AtomicRMWOp getCount(Operation &inner) {
  auto choice = dyn_cast<scf::IfOp>(inner);
  Operation *only = choice ? getOnly(choice) : &inner;
  if (!only || !isAddition(only))
    return nullptr;
  auto add = cast<memref::AtomicRMWOp>(only);
  bool liesOutside = llvm::all_of(llvm::drop_begin(add->getOperands()), [&](Value place) {
    return !inner.getParentRegion()->isAncestor(place.getParentRegion());
  });
  return liesOutside ? add : nullptr;
}

bool mlir::lci::isElementwise(linalg::GenericOp op) {
  return op.hasPureBufferSemantics() &&
         llvm::all_of(op.getBody()->without_terminator(),
                      [](Operation &inner) { return isPlain(&inner) || getCount(inner); });
}

SmallVector<Value> mlir::lci::getCounted(linalg::GenericOp op) {
  SmallVector<Value> arrays;
  for (Operation &inner : op.getBody()->without_terminator())
    if (memref::AtomicRMWOp count = getCount(inner))
      arrays.push_back(count.getMemref());
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

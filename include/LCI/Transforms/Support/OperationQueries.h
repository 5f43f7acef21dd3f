//===- OperationQueries.h - Queries on buffers and counters -----*- C++ -*-===//
//
// Whether a body only adds to a counter, whether an operation is pure, and which allocation a view
// belongs to.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TRANSFORMS_SUPPORT_OPERATIONQUERIES_H
#define LCI_TRANSFORMS_SUPPORT_OPERATIONQUERIES_H

#include "LCI/Transforms/Support/Thresholds.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::lci {

/// The additions by which a body adds to a counter; nothing if the counter has any other use.
inline std::optional<SmallVector<arith::AddIOp>> getAdditions(BlockArgument counter, Value sum) {
  SmallVector<arith::AddIOp> additions;
  while (sum != counter) {
    auto addition = sum.getDefiningOp<arith::AddIOp>();
    if (!addition || !sum.hasOneUse())
      return std::nullopt;
    additions.push_back(addition);
    sum = addition.getLhs();
  }
  return counter.hasOneUse() ? std::optional(additions) : std::nullopt;
}

/// Whether an operation is pure and has no regions.
inline bool isPlain(Operation *op) { return isPure(op) && op->getNumRegions() == 0; }

/// Whether an operation computes one scalar of scalars, and so has a form on vectors.
inline bool isScalarElementwise(Operation *op) {
  return OpTrait::hasElementwiseMappableTraits(op) && op->getNumResults() == 1 && isPure(op) &&
         op->getResult(0).getType().isIntOrIndexOrFloat();
}

/// Whether an operation adds to an integer in memory and the previous value is unused.
inline bool isAddition(Operation *op) {
  auto add = dyn_cast<memref::AtomicRMWOp>(op);
  return add && add.getKind() == arith::AtomicRMWKind::addi && add->use_empty();
}

} // namespace mlir::lci

#endif // LCI_TRANSFORMS_SUPPORT_OPERATIONQUERIES_H

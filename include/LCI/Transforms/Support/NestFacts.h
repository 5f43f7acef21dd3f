//===- NestFacts.h - Loop nests of linalg operations on buffers -*- C++ -*-===//
//
// Queries on `linalg.generic` with buffer semantics, for fusion and parallel
// loops: whether it is elementwise, which counters it increments, the trip
// counts of its loops, and whether operands alias.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TRANSFORMS_SUPPORT_NESTFACTS_H
#define LCI_TRANSFORMS_SUPPORT_NESTFACTS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::lci {

/// Whether an operation on buffers is elementwise: its body is pure but for counts.
bool isElementwise(linalg::GenericOp op);

/// An addition of a body to a counter that all elements share; the order does not matter.
struct Count {
  memref::AtomicRMWOp addition;
  Value condition; ///< guards the addition; null if it is unconditional

  /// The amount that the body adds, zero where the condition does not hold.
  Value emitAdded(OpBuilder &builder, IRMapping &mapping) const;
};

/// The count that an operation of a body performs, guarded by a condition or not. Its counter and
/// indices are defined outside of the body.
std::optional<Count> getCount(Operation &inner);

/// The arrays to which the body of an operation adds counts.
SmallVector<Value> getCounted(linalg::GenericOp op);

/// The trip count of each loop; null if it is unknown.
SmallVector<OpFoldResult> getTripCounts(linalg::GenericOp op);

/// Whether two operations have equal loops.
bool haveOneNest(linalg::GenericOp one, linalg::GenericOp other);

} // namespace mlir::lci

#endif // LCI_TRANSFORMS_SUPPORT_NESTFACTS_H

//===- NestFacts.h - What linalg operations on buffers go over --*- C++ -*-===//

#ifndef LCI_TRANSFORMS_SUPPORT_NESTFACTS_H
#define LCI_TRANSFORMS_SUPPORT_NESTFACTS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::lci {

/// Whether an operation on buffers computes each element, may count, and does nothing else.
bool isElementwise(linalg::GenericOp op);

/// What a body adds to a number that all elements share, in whatever order.
struct Count {
  memref::AtomicRMWOp addition;
  Value condition; ///< what it depends on whether it is added; null where it is always

  /// What the body adds, zero where it adds nothing.
  Value emitAdded(OpBuilder &builder, IRMapping &mapping) const;
};

/// The count that an operation of a body is, behind a condition or not; where the number lies is
/// said outside of the body.
std::optional<Count> getCount(Operation &inner);

/// The arrays to whose elements the body of an operation adds so.
SmallVector<Value> getCounted(linalg::GenericOp op);

/// How many turns each loop has; null where it is not known.
SmallVector<OpFoldResult> getTurns(linalg::GenericOp op);

/// Whether two operations have equal loops.
bool haveOneNest(linalg::GenericOp one, linalg::GenericOp other);

/// Whether two operands have nothing in common: other memory, two numbers of one array, boxes of it
/// side by side, or rows or columns of it whose steps never meet.
bool areApart(Value one, Value other);

} // namespace mlir::lci

#endif // LCI_TRANSFORMS_SUPPORT_NESTFACTS_H

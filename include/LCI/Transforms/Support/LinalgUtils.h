//===- LinalgUtils.h - Loop nests of linalg operations on buffers -*- C++ -*-===//
//
// Queries on `linalg.generic` with buffer semantics, for fusion and parallel
// loops: whether it is elementwise, which counters it increments, and the trip
// counts of its loops.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TRANSFORMS_SUPPORT_LINALGUTILS_H
#define LCI_TRANSFORMS_SUPPORT_LINALGUTILS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::lci {

/// Whether an operation on buffers is elementwise: its body is pure but for counts.
bool isElementwise(linalg::GenericOp op);

/// The arrays to which the body of an operation adds counts.
SmallVector<Value> getCounted(linalg::GenericOp op);

/// The trip count of each loop; null if it is unknown.
SmallVector<OpFoldResult> getTripCounts(linalg::GenericOp op);

/// Whether two operations have equal loops.
bool haveOneNest(linalg::GenericOp one, linalg::GenericOp other);

} // namespace mlir::lci

#endif // LCI_TRANSFORMS_SUPPORT_LINALGUTILS_H

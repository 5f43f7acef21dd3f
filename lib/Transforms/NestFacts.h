//===- NestFacts.h - What linalg operations on buffers go over --*- C++ -*-===//

#ifndef LCI_LIB_TRANSFORMS_NESTFACTS_H
#define LCI_LIB_TRANSFORMS_NESTFACTS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::lci {

/// Whether an operation on buffers computes each element and does nothing else.
bool isElementwise(linalg::GenericOp op);

/// How many turns each loop has; null where it is not known.
SmallVector<OpFoldResult> getTurns(linalg::GenericOp op);

/// Whether two operations have equal loops.
bool haveOneNest(linalg::GenericOp one, linalg::GenericOp other);

/// Whether two operands have nothing in common: other memory, or two numbers of one array.
bool areApart(Value one, Value other);

} // namespace mlir::lci

#endif // LCI_LIB_TRANSFORMS_NESTFACTS_H

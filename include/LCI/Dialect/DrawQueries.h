//===- DrawQueries.h - Which operations draw --------------------*- C++ -*-===//

#ifndef LCI_DIALECT_DRAWQUERIES_H
#define LCI_DIALECT_DRAWQUERIES_H

#include "LCI/Dialect/LCIOps.h"

namespace mlir::lci {

/// Whether an operation draws for the cell of its enclosing tick.
inline bool isDraw(Operation *op) {
  return isa<BernoulliOp, DrawBelowOp, UniformOp, RandIntOp, NormalOp>(op);
}

/// Whether a tick draws.
inline bool hasDraws(TickOp tick) {
  auto stopAtDraw = [](Operation *op) {
    return isDraw(op) ? WalkResult::interrupt() : WalkResult::advance();
  };
  return tick.getBody().walk(stopAtDraw).wasInterrupted();
}

} // namespace mlir::lci

#endif // LCI_DIALECT_DRAWQUERIES_H

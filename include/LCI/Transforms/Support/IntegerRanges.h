//===- IntegerRanges.h - Integer range analysis for passes ------*- C++ -*-===//

#ifndef LCI_TRANSFORMS_SUPPORT_INTEGERRANGES_H
#define LCI_TRANSFORMS_SUPPORT_INTEGERRANGES_H

#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"
#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/Analysis/DataFlowFramework.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mlir::lci {

/// Runs integer range analysis on an operation.
inline LogicalResult analyzeRanges(DataFlowSolver &solver, Operation *op) {
  dataflow::loadBaselineAnalyses(solver);
  solver.load<dataflow::IntegerRangeAnalysis>();
  return solver.initializeAndRun(op);
}

/// The unsigned predicate that agrees with a signed one on non-negative integers.
inline arith::CmpIPredicate toUnsigned(arith::CmpIPredicate predicate) {
  using P = arith::CmpIPredicate;
  switch (predicate) {
  case P::slt:
    return P::ult;
  case P::sle:
    return P::ule;
  case P::sgt:
    return P::ugt;
  case P::sge:
    return P::uge;
  default:
    return predicate;
  }
}

} // namespace mlir::lci

#endif // LCI_TRANSFORMS_SUPPORT_INTEGERRANGES_H

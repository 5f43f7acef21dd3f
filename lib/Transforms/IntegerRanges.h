//===- IntegerRanges.h - Ranges of integers, as passes ask for them -*- C++ -*-===//

#ifndef LCI_LIB_TRANSFORMS_INTEGERRANGES_H
#define LCI_LIB_TRANSFORMS_INTEGERRANGES_H

#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"
#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/Analysis/DataFlowFramework.h"

namespace mlir::lci {

/// Lets the solver find the range of every integer within an operation.
inline LogicalResult analyzeRanges(DataFlowSolver &solver, Operation *op) {
  dataflow::loadBaselineAnalyses(solver);
  solver.load<dataflow::IntegerRangeAnalysis>();
  return solver.initializeAndRun(op);
}

} // namespace mlir::lci

#endif // LCI_LIB_TRANSFORMS_INTEGERRANGES_H

//===- MergeIterations.h - One parallel loop of two -------------*- C++ -*-===//

#ifndef LCI_TRANSFORMS_SCHEDULE_MERGEITERATIONS_H
#define LCI_TRANSFORMS_SCHEDULE_MERGEITERATIONS_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::lci {

/// Merges the body of the first of two loops into the second one, before its body. Both have the
/// same iterations, and the result is at the position of the second one.
scf::ParallelOp mergeIterations(RewriterBase &rewriter, scf::ParallelOp first,
                                scf::ParallelOp second);

} // namespace mlir::lci

#endif // LCI_TRANSFORMS_SCHEDULE_MERGEITERATIONS_H

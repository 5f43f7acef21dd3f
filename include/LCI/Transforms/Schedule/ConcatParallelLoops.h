//===- ConcatParallelLoops.h - Concatenate parallel loops -------*- C++ -*-===//

#ifndef LCI_TRANSFORMS_SCHEDULE_CONCATPARALLELLOOPS_H
#define LCI_TRANSFORMS_SCHEDULE_CONCATPARALLELLOOPS_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::lci {

/// Appends the iterations of the second of two loops to those of the first along an axis. Both
/// begin at zero with steps of one, have equal trip counts on all other axes, and do not depend on
/// each other. Only pure operations are between them.
scf::ParallelOp concatParallelLoops(RewriterBase &rewriter, scf::ParallelOp first,
                                    scf::ParallelOp second, unsigned axis);

/// Merges the body of the first of two loops into the second one, before its body. Both have the
/// same iterations, and the result is at the position of the second one.
scf::ParallelOp mergeIterations(RewriterBase &rewriter, scf::ParallelOp first,
                                scf::ParallelOp second);

} // namespace mlir::lci

#endif // LCI_TRANSFORMS_SCHEDULE_CONCATPARALLELLOOPS_H

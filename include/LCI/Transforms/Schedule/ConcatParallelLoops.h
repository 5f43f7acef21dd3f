//===- ConcatParallelLoops.h - Two parallel loops as one ---------*- C++ -*===//

#ifndef LCI_TRANSFORMS_SCHEDULE_CONCATPARALLELLOOPS_H
#define LCI_TRANSFORMS_SCHEDULE_CONCATPARALLELLOOPS_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::lci {

/// Lets the turns that the second of two loops has on an axis follow those of the first. Both begin
/// at zero, take steps of one, and have as many turns on all other axes; no turn of one of them
/// asks for what happens in the other. Between them stands what computes, and nothing else.
scf::ParallelOp concatParallelLoops(RewriterBase &rewriter, scf::ParallelOp first,
                                    scf::ParallelOp second, unsigned axis);

/// Lets each turn of the second of two loops do first what the first one does in the same turn.
/// Both have the same turns, and it is where the second one stands that the loop is.
scf::ParallelOp mergeTurns(RewriterBase &rewriter, scf::ParallelOp first, scf::ParallelOp second);

} // namespace mlir::lci

#endif // LCI_TRANSFORMS_SCHEDULE_CONCATPARALLELLOOPS_H

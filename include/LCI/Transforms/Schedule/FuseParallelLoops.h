//===- FuseParallelLoops.h - What one thread writes and the next reads --*- C++ -*===//

#ifndef LCI_TRANSFORMS_SCHEDULE_FUSEPARALLELLOOPS_H
#define LCI_TRANSFORMS_SCHEDULE_FUSEPARALLELLOOPS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::lci {

/// Joins parallel loops that follow each other and have the same turns, if each turn of the second
/// one reads, of what the first one writes, the vectors of the same turn only: they are handed on
/// in registers. Returns how many were joined.
int64_t fuseParallelLoops(func::FuncOp function, RewriterBase &rewriter);

/// Joins a parallel loop and the one behind it, whose turns along the first axis are `members`
/// times as long, if each of its turns reads, of what the first loop writes, vectors of just these
/// turns. They have to be threads that lie side by side in a warp: the first of a group does what
/// the second loop does, with what the others hand on by shuffles.
bool joinGroup(scf::ParallelOp loop, int64_t members, RewriterBase &rewriter);

/// Takes away buffers that nobody reads, with all that writes to them and does nothing else.
void eraseUnread(func::FuncOp function, RewriterBase &rewriter);

} // namespace mlir::lci

#endif // LCI_TRANSFORMS_SCHEDULE_FUSEPARALLELLOOPS_H

//===- FuseParallelLoops.h - Fuse loops that exchange vectors ---*- C++ -*-===//
//
// Fuses `scf.parallel` that become GPU threads, because a thread that reads
// only vectors that it wrote itself can keep them in registers.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TRANSFORMS_SCHEDULE_FUSEPARALLELLOOPS_H
#define LCI_TRANSFORMS_SCHEDULE_FUSEPARALLELLOOPS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::lci {

/// Fuses consecutive parallel loops with equal iterations, if each iteration of the second one
/// reads, of what the first one writes, the vectors of the same iteration only: they are forwarded
/// in registers. Returns how many were fused.
int64_t fuseParallelLoops(func::FuncOp function, RewriterBase &rewriter);

/// Fuses a parallel loop and the one after it, whose steps along the first axis are `members` times
/// as long, if each of its iterations reads, of what the first loop writes, vectors of the
/// `members` iterations of its group only. These have to be adjacent threads of a warp: the first
/// one of a group executes the second loop's body, and the others forward their vectors by
/// shuffles.
bool fuseGroup(scf::ParallelOp loop, int64_t members, RewriterBase &rewriter);

/// Erases allocations that are never read, with all operations that only write to them.
void eraseUnread(func::FuncOp function, RewriterBase &rewriter);

} // namespace mlir::lci

#endif // LCI_TRANSFORMS_SCHEDULE_FUSEPARALLELLOOPS_H

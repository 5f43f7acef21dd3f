//===- ContractionGroups.h - Sums over cells, and what goes with them --*- C++ -*===//
//
// In a batched model a sum for many cells, what it begins with and what is made of it element by
// element follow one another, and each turn of their parallel loops may do the work of all of them.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_TRANSFORMS_MODELS_CONTRACTIONGROUPS_H
#define LCI_LIB_TRANSFORMS_MODELS_CONTRACTIONGROUPS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::lci {

/// Whether an operation computes numbers for each of many cells, in buffers: its body goes element
/// by element, and its last loop is one over cells that lie side by side in every operand that has
/// them.
bool isOverCells(linalg::GenericOp op);

inline bool isSum(linalg::GenericOp op) { return op.getNumReductionLoops() > 0; }

/// The turns of the parallel loops.
SmallVector<int64_t> getParallelTurns(linalg::GenericOp op);

/// Whether each turn of the parallel loops may do the work of both: what one of them writes the
/// other one uses in the same turn, if at all.
bool mayTakeTurns(linalg::GenericOp first, linalg::GenericOp second);

/// Whether only views stand between two operations.
bool areNeighbours(Operation *first, Operation *second);

/// Groups of neighbours, in their order, of which each operation belongs to those before it.
using BelongsTo = llvm::function_ref<bool(ArrayRef<linalg::GenericOp> group, linalg::GenericOp)>;
SmallVector<SmallVector<linalg::GenericOp>> groupNeighbours(ArrayRef<linalg::GenericOp> ops,
                                                            BelongsTo belongs);

/// Gives fills, copies and broadcasts of a function their general form.
void generalizeNamed(func::FuncOp function, RewriterBase &rewriter);

} // namespace mlir::lci

#endif // LCI_LIB_TRANSFORMS_MODELS_CONTRACTIONGROUPS_H

//===- ContractionGroups.h - Fusion groups of contractions ------*- C++ -*-===//
//
// In a batched model a sum for many cells is next to the initialization of its accumulators and to
// elementwise operations on its results; an iteration of their parallel loops may do all of them.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_TRANSFORMS_MODELS_CONTRACTIONGROUPS_H
#define LCI_LIB_TRANSFORMS_MODELS_CONTRACTIONGROUPS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::lci {

/// Neighbours of which a thread of a GPU has sums, and for which it compares their tokens.
inline constexpr int64_t kThreadCells = 8;

/// Whether an operation computes numbers for each of many cells, in buffers: its body is
/// elementwise, and its last loop is over cells that are contiguous in every operand that has them.
bool isOverCells(linalg::GenericOp op);

inline bool isSum(linalg::GenericOp op) { return op.getNumReductionLoops() > 0; }

/// The trip counts of the parallel loops.
SmallVector<int64_t> getParallelTripCounts(linalg::GenericOp op);

/// Whether the parallel loops of both may be fused: elements that one of them writes are used by
/// the other one in the same iteration only.
bool mayShareLoops(linalg::GenericOp first, linalg::GenericOp second);

/// Whether only pure operations, such as views, are between two operations.
bool areNeighbours(Operation *first, Operation *second);

/// Groups of consecutive neighbours, each of which belongs to those before it.
using BelongsTo = llvm::function_ref<bool(ArrayRef<linalg::GenericOp> group, linalg::GenericOp)>;
SmallVector<SmallVector<linalg::GenericOp>> groupNeighbours(ArrayRef<linalg::GenericOp> ops,
                                                            BelongsTo belongs);

/// Generalizes fills, copies and broadcasts of a function.
void generalizeNamed(func::FuncOp function, RewriterBase &rewriter);

} // namespace mlir::lci

#endif // LCI_LIB_TRANSFORMS_MODELS_CONTRACTIONGROUPS_H

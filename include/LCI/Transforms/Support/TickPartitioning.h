//===- TickPartitioning.h - Chunks of ticks for threads ---------*- C++ -*-===//
//
// Shared by the passes that distribute ticks to threads: the work of a tick,
// boxes with computed bounds, and private counters of threads.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TRANSFORMS_SUPPORT_TICKPARTITIONING_H
#define LCI_TRANSFORMS_SUPPORT_TICKPARTITIONING_H

#include "LCI/Dialect/LCIOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::lci {

/// The number of a box's cells on an axis; an upper bound if it is computed.
int64_t getMaxExtent(TickOp tick, unsigned axis);

/// Bytes of vector registers that the operations of a tick process, about.
int64_t getTickWork(TickOp tick);

/// The number of threads that can share that much work with at least a grain for each; at least
/// one.
int64_t countParts(int64_t work, int64_t threads, int64_t grain);

/// Replaces a tick in memory by chunk `part` of `rows` rows on an axis; the last chunk may have
/// fewer. The builder, which must be there, is left before the part.
TickOp takeRows(OpBuilder &builder, TickOp tick, unsigned axis, Value part, int64_t rows);

/// Private memory of a chunk in which ticks count: integers, whose sum is the same in any order.
class PrivateCounts {
public:
  /// Notes the counts of a tick.
  void note(TickOp tick);
  /// Allocates the memory, filled with zeros, and maps the shared memory to it.
  void make(OpBuilder &builder, Location loc, IRMapping &mapping);
  /// Adds the private counts to the shared ones.
  void addUp(OpBuilder &builder, Location loc);

private:
  llvm::MapVector<Value, llvm::SmallSetVector<int64_t, 4>> slots;
  llvm::DenseMap<Value, Value> memories;
};

} // namespace mlir::lci

#endif // LCI_TRANSFORMS_SUPPORT_TICKPARTITIONING_H

//===- TickParts.h - Parts of ticks for several threads ---------*- C++ -*-===//
//
// What passes share that give threads something to do: how much a tick has of it, boxes that are
// computed, and counters of a thread's own.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TRANSFORMS_SUPPORT_TICKPARTS_H
#define LCI_TRANSFORMS_SUPPORT_TICKPARTS_H

#include "LCI/Dialect/LCIOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::lci {

/// The number of a box's cells on an axis; of one that is computed, at most.
int64_t getMaxExtent(TickOp tick, unsigned axis);

/// Bytes of vector registers that the operations of a tick go through, about.
int64_t getTickWork(TickOp tick);

/// How many threads can share so much work with at least a grain for each: one, if not several.
int64_t countParts(int64_t work, int64_t threads, int64_t grain);

/// Gives a tick another box.
void setBox(TickOp tick, ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> extents,
            ArrayRef<int64_t> strides);

/// Gives a tick so many rows on an axis of its box, those of part `part`; the last part may have
/// fewer.
void takeRows(OpBuilder &builder, TickOp tick, unsigned axis, Value part, int64_t rows);

/// Memory of a part's own in which ticks count: integers, whose sum is the same in any order.
class OwnCounts {
public:
  /// Notes what a tick counts.
  void note(TickOp tick);
  /// Makes the memory, filled with zeros, and maps everybody's to it.
  void make(OpBuilder &builder, Location loc, IRMapping &mapping);
  /// Adds what was counted to everybody's.
  void addUp(OpBuilder &builder, Location loc);

private:
  llvm::MapVector<Value, llvm::SmallSetVector<int64_t, 4>> slots;
  llvm::DenseMap<Value, Value> own;
};

} // namespace mlir::lci

#endif // LCI_TRANSFORMS_SUPPORT_TICKPARTS_H

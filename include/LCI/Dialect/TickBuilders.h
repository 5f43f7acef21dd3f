//===- TickBuilders.h - Shared builders of IR -------------------*- C++ -*-===//
//
// The implicit computations of sets and ticks (whether a set contains a cell, which element a
// gather reads) as explicit arith operations. A null boolean is true.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_DIALECT_TICKBUILDERS_H
#define LCI_DIALECT_TICKBUILDERS_H

#include "LCI/Dialect/IndexRange.h"
#include "LCI/Dialect/LCIOps.h"

namespace mlir::lci {

/// Whether `expr >= 0` (or `== 0`) holds for indices within `ranges`; the expression's symbol, if
/// it has one, is an index too. Null if it surely does.
Value buildComparison(OpBuilder &builder, Location loc, AffineExpr expr, bool isEquality,
                      ValueRange indices, ArrayRef<IndexRange> ranges, Value symbol = nullptr);

/// Whether indices within `ranges` lie in the set, of which the phase (an i64) is the symbol if it
/// has one. Null if they surely do.
Value buildMembership(OpBuilder &builder, Location loc, IntegerSet cells, ValueRange indices,
                      ArrayRef<IndexRange> ranges, Value phase = nullptr);

/// The bounds of a tick's indices: its box where that is constant, else all cells of its target.
SmallVector<IndexRange> getIndexRanges(TickOp tick);

/// The counters that a tick adds to, each once, in the order of the counts.
SmallVector<int64_t> getCountedSlots(TickOp tick);

/// Makes inputs of all values that a tick's body uses from outside of it, and clones constants.
void isolateBody(TickOp tick);

/// Whether surely nothing changes and nothing is counted.
bool keepsEverything(InstallOp install);

/// One counter of a memref of counts, as a memref without axes.
Value buildCounterView(OpBuilder &builder, Location loc, Value counts, int64_t slot);

/// An index, constant or not, moved by a constant distance.
OpFoldResult buildMoved(OpBuilder &builder, Location loc, OpFoldResult index, int64_t distance);

/// Results of a map without symbols as arith operations on indices.
SmallVector<Value> buildIndices(OpBuilder &builder, Location loc, AffineMap map,
                                ValueRange operands);

/// The index inside an axis of this extent for `index`: itself, wrapped or clamped. Beyond an open
/// border there is no cell, but the address must still be valid: it is clamped, too. With
/// `withinOneExtent` the index is at most one extent beyond either border.
Value buildBounded(OpBuilder &builder, Location loc, Value index, int64_t extent, Boundary boundary,
                   bool withinOneExtent);

} // namespace mlir::lci

#endif // LCI_DIALECT_TICKBUILDERS_H

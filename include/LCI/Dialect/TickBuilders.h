//===- TickBuilders.h - Pieces of IR that several lowerings build -*- C++ -*-===//
//
// What a tick leaves implicit (which cells its set holds, which element a gather reads), written
// out as arith operations.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_DIALECT_TICKBUILDERS_H
#define LCI_DIALECT_TICKBUILDERS_H

#include "LCI/Dialect/LCIOps.h"

namespace mlir::lci {

/// Whether the cell with these indices belongs to the set in this phase (an i64), as an i1.
Value buildMembership(OpBuilder &builder, Location loc, IntegerSet cells, ValueRange indices,
                      Value phase);

/// Results of a map without symbols as arith operations on indices.
SmallVector<Value> buildIndices(OpBuilder &builder, Location loc, AffineMap map,
                                ValueRange operands);

/// The index inside an axis of this extent that stands for `index`: itself, wrapped or clamped.
/// Open borders take it as it is. `oneTurn` says that it is at most one extent beyond either
/// border.
Value buildBounded(OpBuilder &builder, Location loc, Value index, int64_t extent, Boundary boundary,
                   bool oneTurn);

} // namespace mlir::lci

#endif // LCI_DIALECT_TICKBUILDERS_H

//===- DrawRows.h - The random bits of a row of cells -----------*- C++ -*-===//
//
// Before the cells of a row are computed, what they draw is put into a buffer, 32 cells at a time:
// eight blocks of Philox side by side are what 32 cells share, as 32 planes of their bits or as a
// word for each.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_TRANSFORMS_VECTORIZECELLS_DRAWROWS_H
#define LCI_LIB_TRANSFORMS_VECTORIZECELLS_DRAWROWS_H

#include "LCI/Dialect/DrawOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::lci::vectorize {

/// The draws of one tick.
class DrawRows {
public:
  DrawRows(TickOp tick, OpBuilder &b) : tick(tick), b(b), loc(tick.getLoc()) {}

  /// Whether all cells make a draw with the same number.
  static bool isFit(Operation *draw);
  /// Whether the cells of a row of the tick are counted one by one.
  static bool hasFitRows(TickOp tick);

  /// Makes keys and buffers, before the tick.
  void prepare(int64_t width);
  /// Draws for the row that begins with these indices.
  void fill(ValueRange rowIndices);
  /// The 32 bits of each of the cells from a position of the row on.
  Value load(Operation *draw, Value position, int64_t width);

private:
  struct Stream {
    Value low, high, buffer;
  };
  /// A stream has draws of both kinds or of one.
  using Kind = std::pair<Attribute, unsigned /*isThreshold*/>;
  static Kind kindOf(Operation *draw);
  Value rowOf(ValueRange rowIndices);
  Value buildGroup(const Stream &stream, bool isThreshold, Value group);

  TickOp tick;
  OpBuilder &b;
  Location loc;
  int64_t firstRank = 0, numGroups = 0;
  llvm::MapVector<Kind, Stream> streams;
};

} // namespace mlir::lci::vectorize

#endif // LCI_LIB_TRANSFORMS_VECTORIZECELLS_DRAWROWS_H

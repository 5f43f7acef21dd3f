//===- DrawRows.h - Random bits of a row of cells ---------------*- C++ -*-===//
//
// The words that the cells of a vector draw stay in registers: 32 cells share eight interleaved
// Philox blocks, as 32 planes of their bits or as one word each. Vectors of fewer cells use a group
// one after the other.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_TRANSFORMS_CPU_VECTORIZECELLS_DRAWROWS_H
#define LCI_LIB_TRANSFORMS_CPU_VECTORIZECELLS_DRAWROWS_H

#include "LCI/Dialect/DrawQueries.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/MapVector.h"
#include <array>

namespace mlir::lci::vectorize {

/// The draws of one tick.
class DrawRows {
public:
  DrawRows(TickOp tick, OpBuilder &b) : tick(tick), b(b), loc(tick.getLoc()) {}

  /// Whether all cells make a draw with the same number.
  static bool isFit(Operation *draw);
  /// Whether consecutive cells of a row of the tick have consecutive ranks.
  static bool hasFitRows(TickOp tick);

  /// Emits keys, before the tick, for vectors with so many lanes.
  void prepare(int64_t width);
  /// Begins the row with these indices.
  void enterRow(ValueRange rowIndices);
  /// Advances to the vector at a position of the row.
  void enterVector(Value position);
  /// The 32 bits of each cell of the vector.
  Value wordsOf(Operation *draw);

  /// The values that one vector passes to the next one.
  SmallVector<Value> getCarried() const;
  void setCarried(ValueRange carried);

private:
  struct Stream {
    Value low, high; ///< the key
    Value words;     ///< whole groups of cells, the first of which are those of the vector
    Value group;     ///< the last one drawn, if the next vector needs some of it
  };
  /// A stream has draws of both kinds or of one.
  using Kind = std::pair<Attribute, unsigned /*isThreshold*/>;
  static Kind kindOf(Operation *draw);
  int64_t firstRank();
  Value groupAt(Value position);
  template <std::size_t count>
  std::array<Value, count> buildGroups(const Stream &stream, bool isThreshold,
                                       const std::array<Value, count> &groups);
  SmallVector<Value> buildGroups(const Stream &stream, bool isThreshold, Value first,
                                 int64_t count);
  Value buildWords(Stream &stream, bool isThreshold, Value position, int64_t count);
  void drawOrRotate(Value position);

  TickOp tick;
  OpBuilder &b;
  Location loc;
  int64_t width = 0;
  Value firstGroup; ///< of the row, i64
  llvm::MapVector<Kind, Stream> streams;
};

} // namespace mlir::lci::vectorize

#endif // LCI_LIB_TRANSFORMS_CPU_VECTORIZECELLS_DRAWROWS_H

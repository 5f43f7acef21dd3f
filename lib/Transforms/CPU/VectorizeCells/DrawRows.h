//===- DrawRows.h - The random bits of a row of cells -----------*- C++ -*-===//
//
// What the cells of a vector draw stays in registers: eight blocks of Philox side by side are what
// 32 cells share, as 32 planes of their bits or as a word for each. Vectors of fewer cells take
// them in turn.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_TRANSFORMS_CPU_VECTORIZECELLS_DRAWROWS_H
#define LCI_LIB_TRANSFORMS_CPU_VECTORIZECELLS_DRAWROWS_H

#include "LCI/Dialect/DrawOps.h"
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
  /// Whether the cells of a row of the tick are counted one by one.
  static bool hasFitRows(TickOp tick);

  /// Makes keys, before the tick, for vectors with so many lanes.
  void prepare(int64_t width);
  /// Goes to the row that begins with these indices.
  void enterRow(ValueRange rowIndices);
  /// Goes on to the vector at a position of the row.
  void enterVector(Value position);
  /// The 32 bits of each of its cells.
  Value wordsOf(Operation *draw);

  /// What one vector leaves to the next one.
  SmallVector<Value> getCarried() const;
  void setCarried(ValueRange carried);

private:
  struct Stream {
    Value low, high; ///< its key
    Value words;     ///< whole groups of cells, the first of which are those of the vector
    Value group;     ///< the last one drawn, where a part of it is left for the next vector
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
  void drawOrTurn(Value position);

  TickOp tick;
  OpBuilder &b;
  Location loc;
  int64_t width = 0;
  Value firstGroup; ///< of the row, i64
  llvm::MapVector<Kind, Stream> streams;
};

} // namespace mlir::lci::vectorize

#endif // LCI_LIB_TRANSFORMS_CPU_VECTORIZECELLS_DRAWROWS_H

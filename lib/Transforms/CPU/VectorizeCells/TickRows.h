//===- TickRows.h - Vectorize the rows of a tick ----------------*- C++ -*-===//
//
// Emits the rows of one tick on buffers as vectors of cells, for `lci-vectorize-cells`: the body by
// CellBody, the random bits by DrawRows, stores and counts here.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_TRANSFORMS_CPU_VECTORIZECELLS_TICKROWS_H
#define LCI_LIB_TRANSFORMS_CPU_VECTORIZECELLS_TICKROWS_H

#include "CellBody.h"

namespace mlir::lci::vectorize {

/// Emits one tick.
class TickRows {
public:
  TickRows(TickOp tick, int64_t vectorBits, int64_t maxOperations);

  /// Whether the tick can be vectorized, and profits.
  bool isFit() const { return width > 0; }
  void emit();

private:
  /// The new tokens of a vector, and the sums so far.
  struct Computed {
    Value token;
    SmallVector<Value> sums;
  };

  bool canBeBuilt();
  static int64_t chooseWidth(TickOp tick, int64_t vectorBits, int64_t maxOperations);
  Value index(int64_t value);
  SmallVector<Value> indicesAt(Value position);
  Computed compute(Value position, int64_t count, ValueRange sums);
  Value countLanes(Value flags, int64_t count);
  void store(Value token, Value position, int64_t count);
  Value loadTokens(Value position, int64_t count);
  void setName(Operation *whole);
  void emitRow();
  SmallVector<Value> emitWhole(int64_t numWhole, SmallVector<Value> sums);
  void addSums(ValueRange sums);

  TickOp tick;
  OpBuilder b;
  Location loc;
  int64_t width;
  SmallVector<int64_t> slots;
  DrawRows draws;
  SmallVector<Value> rowIndices;
};

} // namespace mlir::lci::vectorize

#endif // LCI_LIB_TRANSFORMS_CPU_VECTORIZECELLS_TICKROWS_H

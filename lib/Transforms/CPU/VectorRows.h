//===- VectorRows.h - Elementwise operations on rows by vectors -*- C++ -*-===//
//
// Shared by the passes that vectorize rows of linalg operations under masks. Upstream's vectorizer
// masks with vectors of computed length and treats memory behind a row as unreadable.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_TRANSFORMS_CPU_VECTORROWS_H
#define LCI_LIB_TRANSFORMS_CPU_VECTORROWS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::lci {

/// Emits an elementwise linalg operation on buffers as vectors of the cells of each row. Outputs
/// without axes may be counters, to which the body adds.
class VectorRows {
public:
  VectorRows(linalg::GenericOp op, int64_t vectorBits);

  /// Whether the body is elementwise, and each operand without axes a counter.
  bool isFit();
  /// Cells of a vector: as many as fit of the widest element that is loaded and stored.
  int64_t getNumLanes() const { return numLanes; }
  int64_t countStored();

  /// Emits, before the operation, every `stride`th one of the `numCells` cells of each row. Each
  /// operand has its rows, with unit stride, or nothing if it is a counter.
  void emit(OpBuilder &outside, SmallVector<Value> rows, int64_t numCells, int64_t stride);

private:
  /// A counter's memory, and the additions of a cell to it.
  struct Counter {
    Value memory;
    SmallVector<arith::AddIOp> additions;
  };

  bool findCounters();
  Value index(int64_t value);
  VectorType vectorOf(Type element) const { return VectorType::get({numLanes}, element); }
  int64_t lanesOfRemainder(int64_t rest) const;
  Value maskOf(int64_t lanes, int64_t step);
  Value load(Value row, ValueRange indices, int64_t lanes);
  Value lookup(Value value);
  void emitRow(ValueRange outer);
  SmallVector<Value> compute(ValueRange outer, Value place, int64_t lanes);
  void store(ValueRange results, ValueRange outer, Value place, int64_t lanes);
  void emit(Operation &inner);
  void count(Counter &counter, Value mask);
  Value sumOf(Value tally, Value mask);
  /// The rows that are stored to, null for a counter.
  ArrayRef<Value> outputs() { return ArrayRef<Value>(rows).drop_front(op.getNumDpsInputs()); }

  linalg::GenericOp op;
  Location loc;
  Block *body;
  int64_t vectorBits, numLanes = 0, numCells = 0, stride = 1;
  SmallVector<Counter> counters;
  DenseSet<Operation *> counting; ///< the additions to all of them
  SmallVector<Value> rows;
  IRMapping mapping;
  std::optional<OpBuilder> builder;
};

} // namespace mlir::lci

#endif // LCI_LIB_TRANSFORMS_CPU_VECTORROWS_H

//===- TickBatcher.h - One tick that asks a model, by tiles -----*- C++ -*-===//
//
// A tick that calls per-cell functions becomes a loop over tiles of its cells: for each function,
// gather what it is given into a buffer and evaluate it for the whole tile; then finish each cell.
// The answers exist for one tile only. Tiles are filled with the cells that are up and not settled;
// the functions are not asked about others.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_TRANSFORMS_BATCHMODELS_TICKBATCHER_H
#define LCI_LIB_TRANSFORMS_BATCHMODELS_TICKBATCHER_H

#include "LCI/Dialect/LCIOps.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::lci {

/// A tile's buffers for one model in one function: of the call's operands (null for weights) and of
/// its results. Ticks follow each other, so they share them.
struct Buffers {
  SmallVector<Value> given, answered;
};

/// A call of a model in a tick, and its buffers.
struct Ask {
  func::CallOp call;
  func::FuncOp model;
  Buffers &buffers;
};

/// Rewrites one tick.
class TickBatcher {
public:
  /// `picked` holds the cells of a tile, by their numbers in the tick's box, where not all of them
  /// are up; it is made when it is first needed.
  TickBatcher(TickOp tick, ArrayRef<Ask> asks, int64_t tile, Value &picked)
      : tick(tick), asks(asks), tile(tile), b(tick), loc(tick.getLoc()), picked(picked) {}
  LogicalResult run();

private:
  LogicalResult checkAnswers();
  void makeBuffers(Ask &ask);
  Value makeBuffer(Type type);
  void emitCells(Value first, Value count, llvm::function_ref<void(Value row)> step);
  LogicalResult emitTile(Value first, Value count);
  LogicalResult emitAll();
  LogicalResult emitPicked();
  Value isSkipped(Value flat);
  Value countCells();
  Value countNeeded();
  Value pick(Value next, Value count);
  void enterCell(Value flat);
  void gather(Ask &ask, Value row);
  LogicalResult evaluate(Ask &ask);
  void install(Value row);
  void tally();
  void takeAnswers(ArrayRef<Ask> known, Value row, llvm::function_ref<void()> step);
  static void takeElements(const Ask &ask, Value row, Block *block);

  // A cell's own computation, cloned on demand out of the tick's body.
  Value compute(Value value);
  Value element(Value tensor, int64_t position);
  Value plainLoad(LoadOp load);
  bool isWeight(Value operand);

  TickOp tick;
  SmallVector<Ask> asks;
  int64_t tile;
  OpBuilder b;
  Location loc;
  IRMapping cell; // the body's values for the current cell
  Value &picked;
};

} // namespace mlir::lci

#endif // LCI_LIB_TRANSFORMS_BATCHMODELS_TICKBATCHER_H

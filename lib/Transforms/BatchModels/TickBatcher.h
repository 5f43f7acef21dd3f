//===- TickBatcher.h - One tick that asks a model, by tiles -----*- C++ -*-===//
//
// A tick that calls a per-cell function becomes a loop over tiles of its cells with three steps:
// gather what the function is given into a buffer, evaluate the function for the whole tile, then
// finish each cell. The function's answers exist for one tile only. Tiles are filled with the cells
// that are up and not settled; the function is not asked about others.
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
  /// The cells of the tile, by their numbers in the tick's box, where not all of them are up.
  Value picked;
};

/// Rewrites one tick.
class TickBatcher {
public:
  TickBatcher(TickOp tick, func::CallOp call, func::FuncOp model, int64_t tile, Buffers &buffers)
      : tick(tick), call(call), model(model), tile(tile), b(tick), loc(tick.getLoc()),
        given(buffers.given), answered(buffers.answered), picked(buffers.picked) {}
  LogicalResult run();

private:
  void makeBuffers();
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
  void gather(Value row);
  LogicalResult evaluate();
  void finish(Value row);
  void install(Value row);
  void tally();

  // A cell's own computation, cloned on demand out of the tick's body.
  Value compute(Value value);
  Value element(Value tensor, int64_t position);
  Value plainLoad(LoadOp load);
  bool isWeight(Value operand);

  TickOp tick;
  func::CallOp call;
  func::FuncOp model;
  int64_t tile;
  OpBuilder b;
  Location loc;
  IRMapping cell; // the body's values for the current cell
  SmallVector<Value> &given, &answered;
  Value &picked;
};

} // namespace mlir::lci

#endif // LCI_LIB_TRANSFORMS_BATCHMODELS_TICKBATCHER_H

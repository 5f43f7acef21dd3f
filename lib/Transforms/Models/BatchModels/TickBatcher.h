//===- TickBatcher.h - One tick that asks a model, by tiles -----*- C++ -*-===//
//
// A tick that calls per-cell functions becomes a loop over tiles of its cells: for each function,
// gather what it is given into a buffer and evaluate it for the whole tile; then finish each cell.
// The answers exist for one tile only. Tiles are filled with the cells that are up and not settled;
// the functions are not asked about others. For kernels the cells of a tile are threads.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_TRANSFORMS_MODELS_BATCHMODELS_TICKBATCHER_H
#define LCI_LIB_TRANSFORMS_MODELS_BATCHMODELS_TICKBATCHER_H

#include "LCI/Dialect/LCIOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::lci {

/// What each cell of a tile gives or takes.
struct TileBuffer {
  Value elements;      ///< with the cells side by side: what the model is evaluated on
  Value padded, cells; ///< of a vector: whole blocks of its elements, and the same cell by cell;
                       ///< not for threads
};

/// A tile's buffers for one model in one function: of the call's operands (none for weights and for
/// what another model answers) and of its results. Ticks follow each other, so they share them.
struct Buffers {
  SmallVector<TileBuffer> given, answered;
};

/// A call of a model in a tick, and its buffers.
struct Ask {
  func::CallOp call;
  func::FuncOp model;
  Buffers &buffers;
};

/// What the cells of a tile have agreed on, in buffers.
struct Agreed {
  AgreeOp agree;
  Value winner, found, score; ///< no score where nobody asks
  SmallVector<Value> parts;   ///< for threads instead: the best of each part of the tokens, and its
                              ///< rank; null for what is the same constant for all tokens
};

/// What cells bring to an agreement, and the buffer of each value.
using OwnValues = llvm::MapVector<Value, Value>;

/// An agreement that threads share, and what cells bring to it; late, if that is known only when
/// the last model has answered.
struct Brought {
  AgreeOp agree;
  OwnValues own;
  bool isLate;

  bool isEarly() const { return !own.empty() && !isLate; }
};

/// Integers are stored in whole bytes, so that vectors of them lie in memory as they are.
Type getStoredType(Type type);

/// Which cells a model is asked about, where it is not all of a tick's box: those of a tile, by
/// their numbers in the box; for threads all of them, and how many they are.
struct PickedCells {
  Value cells, number;
};

/// How many cells a tile has, for how many of them tokens are compared at once, and whether they
/// are threads; of how many parts of the tokens, if they are, threads find the best once more.
struct Tiling {
  int64_t cells, lanes;
  bool threads;
  int64_t group;
};

/// Rewrites one tick.
class TickBatcher {
public:
  /// `picked` is made when it is first needed.
  TickBatcher(TickOp tick, ArrayRef<Ask> asks, const Tiling &tiling, PickedCells &picked)
      : tick(tick), asks(asks), tile(tiling.cells), lanes(tiling.lanes), threads(tiling.threads),
        group(tiling.group), b(tick), loc(tick.getLoc()), picked(picked) {}
  LogicalResult run();

private:
  // Cells and tiles (TickBatcher.cpp).
  void emitLoop(Value count, llvm::function_ref<void(Value)> body);
  void emitCells(Value first, Value count, llvm::function_ref<void(Value row)> step);
  void emitRuns(Value first, Value count, llvm::function_ref<void(Value row)> step);
  LogicalResult emitTile(Value first, Value count);
  bool dependsOnCell(Value value);
  static bool dependsOn(Value value, Operation *source);
  LogicalResult emitAll();
  LogicalResult emitPicked();
  Value isSkipped(Value flat);
  Value countCells();
  Value countNeeded();
  Value pick(Value next, Value count);
  Value indexAt(unsigned axis, Value position);
  SmallVector<Value> indicesOf(Value flat, unsigned rank);
  void enterCell(ValueRange indices);
  void install(Value row);
  void tally();

  // Cells as threads (TileThreads.cpp).
  void emitThreads(Value count, llvm::function_ref<void(Value)> body);
  void emitCellThreads(Value first, Value count, llvm::function_ref<void(Value row)> step);
  LogicalResult emitPickedByThreads();
  LogicalResult evaluateByThreads(Ask &ask, ArrayRef<Brought> brought, Value first, Value count);
  void makePicked();
  void pickByThreads();
  Value hasPicked(Value number);
  void countAtomically(Value truth, int64_t slot);

  // Agreements of threads (TileParts.cpp).
  std::optional<int64_t> countParts(AgreeOp agree);
  SmallVector<Value> makeParts(AgreeOp agree, int64_t number);
  SmallVector<Brought> findBrought(const Ask &ask);
  void agreeByParts(AgreeOp agree, const OwnValues &own);
  Value index(int64_t value);
  void emitParts(int64_t number, int64_t many,
                 llvm::function_ref<void(Value offset, Value place)> body);
  Value indexOfPart(Value offset, int64_t many);
  SmallVector<Value> findBestOfPart(AgreeOp agree, Value offset, Value place, const OwnValues &own);
  void storePart(ArrayRef<Value> best, ArrayRef<Value> parts, Value part, Value place);
  SmallVector<Value> loadPart(const Agreed &known, Value part, Value row, bool isWide);
  void enterParts(const Agreed &known, Value row);

  // A cell's own computation, cloned on demand out of the tick's body.
  Value compute(Value value);
  Value plainLoad(LoadOp load);

  // What cells give models and take from them (TickExchange.cpp).
  bool isWeight(Value operand);
  Value answerOf(Value operand);
  bool isMade(Ask &ask, unsigned number);
  Value makeBuffer(ArrayRef<int64_t> shape, Type element);
  TileBuffer makeTileBuffer(Type type, bool isVector);
  void makeBuffers(Ask &ask);
  Value element(Value tensor, int64_t position);
  void storeWhole(Value tensor, Value buffer, Value row);
  void storeElements(Value vector, Value buffer, Value row);
  Value loadVector(VectorType type, const TileBuffer &buffer, Value row);
  void gather(Ask &ask, Value row);
  Value sourceOf(Value operand, const TileBuffer &given);
  Value isThere(Value first, Value count, Value row);
  LogicalResult evaluate(Ask &ask, Value first, Value count);
  LogicalResult checkAnswers();
  void enterAnswer(Value result, const TileBuffer &buffer, Value row);
  void takeAnswers(ArrayRef<Ask> known, Value row, llvm::function_ref<void()> step);
  static void takeElements(const Ask &ask, Value row, Block *block);

  // Agreements of all cells of a tile at once (TileAgreement.cpp).
  bool isOwn(Value value);
  bool agreesAcross(AgreeOp agree);
  OwnValues makeOwn(AgreeOp agree);
  void storeOwn(const OwnValues &own, Value row);
  void gatherOwn(const OwnValues &own, Value first, Value count);
  Value loadLanes(Value buffer, ValueRange at, Type type);
  SmallVector<Value> rankAcross(AgreeOp agree, Value token, Value place, const OwnValues &own);
  SmallVector<bool> getCarried(AgreeOp agree);
  SmallVector<Value> beginAcross(AgreeOp agree, Value lower, Value place, const OwnValues &own);
  SmallVector<Value> findBestAcross(AgreeOp agree, Value place, const OwnValues &own);
  void agreeAcross(AgreeOp agree, Value first, Value count);
  void enterAgreed(Value row);

  TickOp tick;
  SmallVector<Ask> asks;
  int64_t tile, lanes;
  bool threads;
  int64_t group;
  OpBuilder b;
  Location loc;
  IRMapping cell; // the body's values for the current cell
  PickedCells &picked;
  SmallVector<Agreed> agreed; // in the current tile
};

} // namespace mlir::lci

#endif // LCI_LIB_TRANSFORMS_MODELS_BATCHMODELS_TICKBATCHER_H

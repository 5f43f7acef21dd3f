//===- TickBatcher.h - Rewrite a tick with models by tiles ------*- C++ -*-===//
//
// A tick that calls per-cell functions becomes a loop over tiles of its cells: for each function,
// gather the operands into buffers and evaluate it for the whole tile; then finish each cell. The
// results exist for one tile only. Tiles are filled with the cells that are up and not settled; the
// functions are not evaluated for others. For kernels the cells of a tile are threads.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_TRANSFORMS_MODELS_BATCHMODELS_TICKBATCHER_H
#define LCI_LIB_TRANSFORMS_MODELS_BATCHMODELS_TICKBATCHER_H

#include "LCI/Dialect/LCIOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::lci {

/// The operand or result of a model for the cells of a tile.
struct TileBuffer {
  Value elements;      ///< with the cells contiguous: the model is evaluated on these
  Value padded, cells; ///< of a vector: whole blocks of its elements, and the same cell by cell;
                       ///< not for threads
};

/// A tile's buffers for one model in one function: of the call's operands (none for weights and for
/// results of another model) and of its results. Ticks are sequential, so they share the buffers.
struct Buffers {
  SmallVector<TileBuffer> given, answered;
};

/// A call of a model in a tick, and its buffers.
struct ModelCall {
  func::CallOp call;
  func::FuncOp model;
  Buffers &buffers;
};

/// The result of an agreement for the cells of a tile, in buffers.
struct Agreed {
  AgreeOp agree;
  Value winner, found, score; ///< no score if it is unused
  SmallVector<Value> parts;   ///< for threads instead: the best of each part of the tokens, and its
                              ///< rank; null for a fact that is one constant for all tokens
};

/// Values that an agreement uses per cell, with the buffer of each.
using CellValues = llvm::MapVector<Value, Value>;

/// An agreement that threads share, and its per-cell values; late, if these depend on the last
/// model's results.
struct SharedAgreement {
  AgreeOp agree;
  CellValues cellValues;
  bool isLate;

  bool isEarly() const { return !cellValues.empty() && !isLate; }
};

/// Integers are stored in whole bytes, so that vectors have the layout of memory.
Type getStoredType(Type type);

/// The cells that need the model, where it is not all of a tick's box: those of a tile, by their
/// numbers in the box; for threads all of them, and their count.
struct PickedCells {
  Value cells, number;
};

/// The number of cells of a tile, for how many of them tokens are compared at once, and whether
/// they are threads; for threads the number of parts of the tokens that are reduced in an
/// intermediate step.
struct Tiling {
  int64_t cells, lanes;
  bool threads;
  int64_t group;
};

/// Rewrites one tick.
class TickBatcher {
public:
  /// `picked` is created when it is first needed.
  TickBatcher(TickOp tick, ArrayRef<ModelCall> modelCalls, const Tiling &tiling,
              PickedCells &picked)
      : tick(tick), modelCalls(modelCalls), tile(tiling.cells), lanes(tiling.lanes),
        threads(tiling.threads), group(tiling.group), b(tick), loc(tick.getLoc()), picked(picked) {}
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
  LogicalResult evaluateByThreads(ModelCall &modelCall, ArrayRef<SharedAgreement> sharedAgreements,
                                  Value first, Value count);
  void makePicked();
  void pickByThreads();
  Value hasPicked(Value number);
  void countAtomically(Value flag, int64_t slot);

  // Agreements of threads (TileParts.cpp).
  std::optional<int64_t> countParts(AgreeOp agree);
  SmallVector<Value> makeParts(AgreeOp agree, int64_t number);
  SmallVector<SharedAgreement> findSharedAgreements(const ModelCall &modelCall);
  void agreeByParts(AgreeOp agree, const CellValues &cellValues);
  Value index(int64_t value);
  void emitParts(int64_t number, int64_t many,
                 llvm::function_ref<void(Value offset, Value place)> body);
  Value indexOfPart(Value offset, int64_t many);
  SmallVector<Value> findBestOfPart(AgreeOp agree, Value offset, Value place,
                                    const CellValues &cellValues);
  void storePart(ArrayRef<Value> best, ArrayRef<Value> parts, Value part, Value place);
  SmallVector<Value> loadPart(const Agreed &known, Value part, Value row, bool isWide);
  void enterParts(const Agreed &known, Value row);

  // The computation of a cell, cloned on demand out of the tick's body.
  Value compute(Value value);
  Value plainLoad(LoadOp load);

  // Operands and results of models (TickExchange.cpp).
  bool isWeight(Value operand);
  Value answerOf(Value operand);
  bool isMade(ModelCall &modelCall, unsigned number);
  Value makeBuffer(ArrayRef<int64_t> shape, Type element);
  TileBuffer makeTileBuffer(Type type, bool isVector);
  void makeBuffers(ModelCall &modelCall);
  Value element(Value tensor, int64_t position);
  void storeWhole(Value tensor, Value buffer, Value row);
  void storeElements(Value vector, Value buffer, Value row);
  Value loadVector(VectorType type, const TileBuffer &buffer, Value row);
  void gather(ModelCall &modelCall, Value row);
  Value sourceOf(Value operand, const TileBuffer &given);
  Value isThere(Value first, Value count, Value row);
  LogicalResult evaluate(ModelCall &modelCall, Value first, Value count);
  LogicalResult checkAnswers();
  void enterAnswer(Value result, const TileBuffer &buffer, Value row);
  void takeAnswers(ArrayRef<ModelCall> known, Value row, llvm::function_ref<void()> step);
  static void takeElements(const ModelCall &modelCall, Value row, Block *block);

  // Agreements of all cells of a tile at once (TileAgreement.cpp).
  bool isPerCell(Value value);
  bool agreesAcross(AgreeOp agree);
  CellValues makeCellValues(AgreeOp agree);
  void storeCellValues(const CellValues &cellValues, Value row);
  void gatherCellValues(const CellValues &cellValues, Value first, Value count);
  Value loadLanes(Value buffer, ValueRange at, Type type);
  SmallVector<Value> rankAcross(AgreeOp agree, Value token, Value place,
                                const CellValues &cellValues);
  SmallVector<bool> getCarried(AgreeOp agree);
  SmallVector<Value> beginAcross(AgreeOp agree, Value lower, Value place,
                                 const CellValues &cellValues);
  SmallVector<Value> findBestAcross(AgreeOp agree, Value place, const CellValues &cellValues);
  void agreeAcross(AgreeOp agree, Value first, Value count);
  void enterAgreed(Value row);

  TickOp tick;
  SmallVector<ModelCall> modelCalls;
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

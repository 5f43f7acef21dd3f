//===- Emitter.h - Rebuilds a function on buffers ---------------*- C++ -*-===//
//
// Walks a function of the tick form and rebuilds it with each array in one buffer or in two
// ping-pong buffers. It tracks which version of an array each buffer holds, so that a use of an
// overwritten version is an error rather than wrong data.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_TRANSFORMS_BUFFERIZE_BUFFERIZESTATE_EMITTER_H
#define LCI_LIB_TRANSFORMS_BUFFERIZE_BUFFERIZESTATE_EMITTER_H

#include "LCI/Dialect/ArgumentRoles.h"
#include "LCI/Dialect/SettledCells.h"
#include "StateFlow.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::lci::bufferstate {

/// The buffers of one array at some point of the function.
struct Buffers {
  /// With a scratch buffer there are two.
  SmallVector<Value, 2> storage;
  /// Which tensor each of them holds; null if it may not be used any more.
  SmallVector<Value, 2> held;
  /// Inside of a loop that does not carry the array: it must not be written.
  bool isFrozen = false;
};

/// The part of a tick's box that has, on each axis, `count` of its indices after the first `begin`.
struct Piece {
  SmallVector<Value> begin, count;
};

class Emitter {
public:
  Emitter(func::FuncOp function, StateFlow flow)
      : old(function), flow(std::move(flow)), builder(function.getContext()) {}

  /// Builds the new function in place of the old one.
  LogicalResult run();

private:
  // The function and its control flow (BufferizeState.cpp).
  void buildSignature();
  DictionaryAttr attributesOf(unsigned array, DictionaryAttr known, Role role);
  void bindBuffers();
  void fillHalos();
  LogicalResult emitBlock(Block &block);
  LogicalResult emitOp(Operation &op);
  LogicalResult emitLoop(scf::ForOp loop);
  LogicalResult emitLoopBody(scf::ForOp loop, scf::ForOp rebuilt);
  LogicalResult emitBranch(scf::IfOp branch);
  FailureOr<SmallVector<Value>> emitYields(Operation *op, ValueRange yielded);
  LogicalResult emitReturn(func::ReturnOp op);
  void copyBack(Value from, Value to, const ArrayInfo &info);
  LogicalResult emitExtract(tensor::ExtractOp op);
  LogicalResult emitInsert(tensor::InsertOp op);
  LogicalResult emitLocal(Operation &op);
  LogicalResult emitTable(tensor::GenerateOp table);

  // Ticks (EmitTick.cpp).
  LogicalResult emitTick(TickOp tick);
  LogicalResult prepareTarget(Chain &chain, TickOp tick);
  FailureOr<SmallVector<Value>> tickStorage(TickOp tick, Chain &chain);
  void emitUnlessSettled(TickOp tick, Chain &chain, ArrayRef<Value> inputStorage, Value counts);
  void emitUnlessSwitched(TickOp tick, Chain &chain, ArrayRef<Value> inputStorage, Value counts);
  void copyBox(TickOp tick, const ArrayInfo &info, Value source, Value target);
  bool keepBoxForever(TickOp tick, Chain &chain, Value decides, bool settles);
  Value equals(Location loc, Value flag, bool expected);
  void rebuildTick(TickOp tick, Chain &chain, ArrayRef<Value> inputStorage, Value counts);
  void finishTick(TickOp tick, Chain &chain);
  void refreshHalo(Location loc, unsigned array, Value storage);
  LogicalResult emitChoice(KeepSurestOp choice);

  // Boxes that settle (EmitBoxes.cpp).
  void emitAroundBox(TickOp tick, Chain &chain, ArrayRef<Value> inputStorage, Value counts);
  SmallVector<Piece> cutOut(TickOp tick, ArrayRef<BoxSide> sides, ArrayRef<Value> inputStorage);
  Value countBefore(Location loc, Value cut, int64_t move, const Progression &axis);
  void emitPiece(TickOp tick, const Piece &piece, llvm::function_ref<void(TickOp)> emit);
  Operation *outermost();

  /// The buffer that holds a tensor; an error if it was overwritten.
  FailureOr<unsigned> find(Operation *op, Value tensor);
  FailureOr<Value> storageOf(Operation *op, Value tensor);
  LogicalResult checkWritable(Operation *op, unsigned array);
  /// The cells of a storage without its halo.
  Value interior(Value storage, const ArrayInfo &info);
  SmallVector<Value> lookup(ValueRange values);

  func::FuncOp old, rebuilt;
  StateFlow flow;
  OpBuilder builder;
  IRMapping mapping;
  SmallVector<Buffers> buffers;                 // by array
  SmallVector<SmallVector<Value, 2>> arguments; // by array: the new function's buffers
  /// Where the chain being built reads and writes, and where its scores go; null if nowhere.
  unsigned from = 0, to = 0;
  Value scores;
  /// By array and switch: both buffers are the same when the outermost loop begins.
  llvm::DenseSet<std::tuple<unsigned, Value, unsigned>> keptAlike;
};

} // namespace mlir::lci::bufferstate

#endif // LCI_LIB_TRANSFORMS_BUFFERIZE_BUFFERIZESTATE_EMITTER_H

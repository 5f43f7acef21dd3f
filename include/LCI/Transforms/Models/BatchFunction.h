//===- BatchFunction.h - A function of one cell, for many cells -*- C++ -*-===//
//
// Rewrites the body of a per-cell function so that it computes many cells at once: what depends on
// the cell gains a last dimension, what does not is computed once. A matrix-vector product so
// becomes a matrix product, and a vector register holds the same element of many cells. The order
// of every reduction stays, hence the bits.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TRANSFORMS_MODELS_BATCHFUNCTION_H
#define LCI_TRANSFORMS_MODELS_BATCHFUNCTION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::lci {

/// Gives named operations of linalg their region; what has none is an error.
LogicalResult generalizeNamed(ArrayRef<linalg::LinalgOp> named);

/// Emits whether there is a cell at a place of the tile.
using IsThere = std::function<Value(Value place)>;

class BatchFunction {
public:
  BatchFunction(OpBuilder &builder, int64_t batch) : b(builder), batch(batch) {}
  /// For tiles that may be partly empty; with `threads` what each cell computes for itself is a
  /// thread's, and loops are in threads rather than around them.
  BatchFunction(OpBuilder &builder, int64_t batch, bool threads, IsThere isThere)
      : b(builder), batch(batch), threads(threads), isThere(std::move(isThere)) {}

  /// Gives the function's named operations their generic form, which is what batches.
  static LogicalResult generalize(func::FuncOp function);
  /// What an argument is; `batched` says that it has the dimension of the cells.
  void setArgument(BlockArgument argument, Value value, bool batched);
  /// Emits the body at the builder's insertion point. Fails, with an error, on an operation that
  /// has no batched form.
  LogicalResult emit(func::FuncOp function);
  /// The batched form of a value of the function, once its body is emitted.
  Value getBatched(Value value);

private:
  void emitBlock(Block &block);
  void emitOp(Operation &op);
  void emitGeneric(linalg::GenericOp op);
  void emitElementwise(Operation &op);
  void emitReshape(Operation &op);
  void emitSlice(Operation &op);
  void emitExtract(tensor::ExtractOp op);
  void emitConcat(Operation &op);
  void emitFill(linalg::FillOp op);
  void cloneBody(linalg::GenericOp op, linalg::GenericOp batched, ArrayRef<unsigned> position);
  void readOwn(Operation &op, Operation *clone, unsigned cells);
  void bindCaptured(linalg::GenericOp op, unsigned cells);
  void emitInsert(tensor::InsertOp op);

  // Loops, and what each cell does for itself (EachCell.cpp).
  bool dependsOnCell(Operation &op);
  bool isShared(scf::ForOp loop);
  void mark(Block &block);
  void mark(scf::ForOp loop);
  void emitFor(scf::ForOp loop);
  Value ownOf(Value value, Value cell);
  SmallVector<Value> computeOwn(Operation &op, Value cell);
  SmallVector<Value> computeIfThere(Operation &op, Value cell);
  SmallVector<Value> emitEachThread(Operation &op, ArrayRef<Value> all);
  SmallVector<Value> emitEachInTurn(Operation &op, ArrayRef<Value> all);
  void emitEachCell(Operation &op);

  bool isBatched(Value value) { return batchedValues.contains(value); }
  void set(Value value, Value batched);
  RankedTensorType batchedType(Type type);
  /// Something to accumulate into: a batched copy of an initial value.
  Value getInitial(Value value);

  OpBuilder &b;
  int64_t batch;
  bool threads = false;
  IsThere isThere; // null if every place has a cell
  IRMapping mapping;
  llvm::DenseSet<Value> batchedValues; // values of the function whose mapping has the dimension
};

} // namespace mlir::lci

#endif // LCI_TRANSFORMS_MODELS_BATCHFUNCTION_H

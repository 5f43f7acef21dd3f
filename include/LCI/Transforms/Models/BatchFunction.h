//===- BatchFunction.h - Batch a per-cell function --------------*- C++ -*-===//
//
// Rewrites the body of a per-cell function so that it computes many cells at once: values that
// depend on the cell gain a last dimension, others are computed once. A matrix-vector product thus
// becomes a matrix product, and a vector register holds the same element of many cells. Reductions
// keep their order, hence the bits.
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

/// Gives named operations of linalg their region; fails on those that have no general form.
LogicalResult generalizeNamed(ArrayRef<linalg::LinalgOp> named);

/// Emits whether there is a cell at an index of the tile.
using IsThere = std::function<Value(Value place)>;

class BatchFunction {
public:
  BatchFunction(OpBuilder &builder, int64_t batch) : b(builder), batch(batch) {}
  /// For tiles that may be partly empty; with `threads` operations without a batched form are
  /// executed by a thread per cell, and loops are inside of threads rather than around them.
  BatchFunction(OpBuilder &builder, int64_t batch, bool threads, IsThere isThere)
      : b(builder), batch(batch), threads(threads), isThere(std::move(isThere)) {}

  /// Generalizes the function's named operations, since only generic ones are batched.
  static LogicalResult generalize(func::FuncOp function);
  /// Binds an argument; `batched` says that it has the dimension of the cells.
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
  void addCellIndices(Operation &op, Operation *clone, unsigned cells);
  void bindCaptured(linalg::GenericOp op, unsigned cells);
  void emitInsert(tensor::InsertOp op);

  // Loops, and operations without a batched form (EachCell.cpp).
  bool dependsOnCell(Operation &op);
  bool isShared(scf::ForOp loop);
  void mark(Block &block);
  void mark(scf::ForOp loop);
  void emitFor(scf::ForOp loop);
  Value sliceForCell(Value value, Value cell);
  SmallVector<Value> cloneForCell(Operation &op, Value cell);
  SmallVector<Value> computeIfThere(Operation &op, Value cell);
  SmallVector<Value> emitEachThread(Operation &op, ArrayRef<Value> all);
  SmallVector<Value> emitEachInLoop(Operation &op, ArrayRef<Value> all);
  void emitEachCell(Operation &op);

  bool isBatched(Value value) { return batchedValues.contains(value); }
  void set(Value value, Value batched);
  RankedTensorType batchedType(Type type);
  /// The accumulator for an initial value: a batched copy of it.
  Value getInitial(Value value);

  OpBuilder &b;
  int64_t batch;
  bool threads = false;
  IsThere isThere; // null if every index has a cell
  IRMapping mapping;
  llvm::DenseSet<Value> batchedValues; // values of the function whose mapping has the dimension
};

} // namespace mlir::lci

#endif // LCI_TRANSFORMS_MODELS_BATCHFUNCTION_H

//===- BatchFunction.h - A function of one cell, for many cells -*- C++ -*-===//
//
// Rewrites the body of a per-cell function so that it computes many cells at once: what depends on
// the cell gains a last dimension, what does not is computed once. A matrix-vector product so
// becomes a matrix product, and a vector register holds the same element of many cells. The order
// of every reduction stays, hence the bits.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_TRANSFORMS_BATCHMODELS_BATCHFUNCTION_H
#define LCI_LIB_TRANSFORMS_BATCHMODELS_BATCHFUNCTION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::lci {

/// Gives named operations of linalg their region; what has none is an error.
LogicalResult generalizeNamed(ArrayRef<linalg::LinalgOp> named);

class BatchFunction {
public:
  BatchFunction(OpBuilder &builder, int64_t batch) : b(builder), batch(batch) {}

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
  LogicalResult emitOp(Operation &op);
  LogicalResult emitGeneric(linalg::GenericOp op);
  void emitElementwise(Operation &op);
  LogicalResult emitReshape(Operation &op);
  LogicalResult emitSlice(Operation &op);
  void emitExtract(tensor::ExtractOp op);
  void emitConcat(Operation &op);
  void emitFill(linalg::FillOp op);
  void cloneBody(linalg::GenericOp op, linalg::GenericOp batched, ArrayRef<unsigned> position);
  void readOwn(Operation &op, Operation *clone, unsigned cells);
  void bindCaptured(linalg::GenericOp op, unsigned cells);

  bool isBatched(Value value) { return batchedValues.contains(value); }
  void set(Value value, Value batched);
  RankedTensorType batchedType(Type type);
  /// Something to accumulate into: a batched copy of an initial value.
  Value getInitial(Value value);

  OpBuilder &b;
  int64_t batch;
  IRMapping mapping;
  llvm::DenseSet<Value> batchedValues; // values of the function whose mapping has the dimension
};

} // namespace mlir::lci

#endif // LCI_LIB_TRANSFORMS_BATCHMODELS_BATCHFUNCTION_H

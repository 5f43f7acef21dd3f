//===- Evaluator.h - Evaluates upstream operations one by one ---*- C++ -*-===//
//
// A table from operations to what they compute: arith, math, tensor, linalg, scf and func on
// scalars and tensors, and those operations of lci that need no context. Who evaluates a body that
// has one (a snapshot, a tick) adds handlers for the operations that refer to it.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_INTERPRETER_EVALUATOR_H
#define LCI_INTERPRETER_EVALUATOR_H

#include "LCI/Interpreter/Datum.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include <functional>

namespace mlir::lci {

/// What SSA values hold, and how operations compute more of them.
class Evaluator {
public:
  using Handler = std::function<void(Operation &)>;

  /// Knows upstream's operations and the context-free ones of lci.
  Evaluator();
  Evaluator(const Evaluator &) = delete;

  /// Says how an operation is evaluated; a later handler replaces an earlier one.
  template <typename OpT, typename Function>
  void on(Function function) {
    handlers[TypeID::get<OpT>()] = [function](Operation &op) { function(cast<OpT>(op)); };
  }

  const Datum &get(Value value) const;
  void set(Value value, Datum datum) { data[value] = std::move(datum); }
  int64_t getInteger(Value value) const;
  SmallVector<int64_t> getIntegers(ValueRange values) const;

  /// Evaluates a block up to its terminator, which is left to the caller.
  Operation *run(Block &block, ArrayRef<Datum> arguments);
  /// Evaluates a function of one block.
  SmallVector<Datum> call(func::FuncOp function, ArrayRef<Datum> arguments);
  /// Evaluates one operation.
  void evaluate(Operation &op);

  /// Reports the first error at an operation; everything after it is meaningless.
  void fail(Operation &op, const Twine &message);
  bool hasFailed() const { return error; }
  void clearError() { error = false; }

private:
  llvm::DenseMap<TypeID, Handler> handlers;
  llvm::DenseMap<Value, Datum> data;
  Datum missing;
  bool error = false;
};

/// Applies `function` to the bits of all operands, or of each of their elements.
void evaluateElementwise(Evaluator &evaluator, Operation &op,
                         llvm::function_ref<uint64_t(ArrayRef<uint64_t>)> function);

// Each adds the handlers of one group of operations.
void addArithHandlers(Evaluator &evaluator);
void addMathHandlers(Evaluator &evaluator);
void addTensorHandlers(Evaluator &evaluator);
void addControlHandlers(Evaluator &evaluator);
void addVectorHandlers(Evaluator &evaluator);

} // namespace mlir::lci

#endif // LCI_INTERPRETER_EVALUATOR_H

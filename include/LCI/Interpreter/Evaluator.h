//===- Evaluator.h - Evaluate upstream operations one by one ----*- C++ -*-===//
//
// A table of handlers of operations: arith, math, tensor, linalg, scf and func on scalars and
// tensors, and those operations of lci that need no context. An evaluator of bodies with a context
// (a snapshot, a tick) adds handlers for the operations that refer to it.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_INTERPRETER_EVALUATOR_H
#define LCI_INTERPRETER_EVALUATOR_H

#include "LCI/Interpreter/Datum.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include <functional>

namespace mlir::lci {

/// The values of SSA values, and the handlers that compute more of them. The IR must not change
/// while an evaluator of it exists.
class Evaluator {
public:
  using Handler = std::function<void(Operation &)>;

  /// Registers upstream's operations and the context-free ones of lci.
  Evaluator();
  Evaluator(const Evaluator &) = delete;

  /// Sets the handler of an operation; a later handler replaces an earlier one.
  template <typename OpT, typename Function>
  void on(Function function) {
    handlers[TypeID::get<OpT>()] = [function](Operation &op) { function(cast<OpT>(op)); };
    blocks.clear();
  }

  const Datum &get(Value value) const;
  void set(Value value, Datum datum) { data[value] = std::move(datum); }
  int64_t getInteger(Value value) const;
  SmallVector<int64_t> getIntegers(ValueRange values) const;

  /// Evaluates a block up to its terminator, which the caller interprets.
  Operation *run(Block &block, ArrayRef<Datum> arguments);
  /// Evaluates a function of one block.
  SmallVector<Datum> call(func::FuncOp function, ArrayRef<Datum> arguments);
  /// Evaluates one operation.
  void evaluate(Operation &op);

  /// Reports the first error at an operation; all later results are undefined.
  void fail(Operation &op, const Twine &message);
  bool hasFailed() const { return error; }
  void clearError() { error = false; }

private:
  /// An operation of a block, and its handler, if it has one.
  struct Step {
    Operation *op;
    const Handler *handler;
  };
  /// The steps of a block without its constants, which are evaluated when the block is met.
  const std::vector<Step> &getSteps(Block &block);
  void evaluate(Step step);

  llvm::DenseMap<TypeID, Handler> handlers;
  llvm::DenseMap<Block *, std::unique_ptr<std::vector<Step>>> blocks;
  llvm::DenseMap<Value, Datum> data;
  Datum missing;
  bool error = false;
  unsigned callDepth = 0;
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

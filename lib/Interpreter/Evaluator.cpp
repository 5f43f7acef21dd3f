//===- Evaluator.cpp - Evaluate upstream operations one by one ------------===//
//
// A block becomes a list of its operations with their handlers when it is met for
// the first time; its constants are evaluated there, and not again.
//
//===----------------------------------------------------------------------===//

#include "LCI/Interpreter/Evaluator.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace mlir::lci;

Evaluator::Evaluator() {
  addArithHandlers(*this);
  addMathHandlers(*this);
  addTensorHandlers(*this);
  addControlHandlers(*this);
  addVectorHandlers(*this);
}

const Datum &Evaluator::get(Value value) const {
  auto known = data.find(value);
  return known == data.end() ? missing : known->second;
}

int64_t Evaluator::getInteger(Value value) const {
  return signExtend(get(value).bits, getWidth(value.getType()));
}

SmallVector<int64_t> Evaluator::getIntegers(ValueRange values) const {
  return llvm::map_to_vector(values, [&](Value value) { return getInteger(value); });
}

Operation *Evaluator::run(Block &block, ArrayRef<Datum> arguments) {
  for (auto [argument, datum] : llvm::zip(block.getArguments(), arguments))
    set(argument, datum);
  for (Step step : getSteps(block)) {
    if (error)
      break;
    evaluate(step);
  }
  return block.getTerminator();
}

const std::vector<Evaluator::Step> &Evaluator::getSteps(Block &block) {
  std::unique_ptr<std::vector<Step>> &steps = blocks[&block];
  if (steps)
    return *steps;
  steps = std::make_unique<std::vector<Step>>();
  for (Operation &op : block.without_terminator()) {
    auto handler = handlers.find(op.getName().getTypeID());
    Step step{&op, handler == handlers.end() ? nullptr : &handler->second};
    if (isa<arith::ConstantOp>(op))
      evaluate(step);
    else
      steps->push_back(step);
  }
  return *steps;
}

/// Deeper than programs call; each takes some of the stack.
static constexpr unsigned kMaxCallDepth = 128;

SmallVector<Datum> Evaluator::call(func::FuncOp function, ArrayRef<Datum> arguments) {
  if (function.isExternal() || !function.getBody().hasOneBlock()) {
    fail(*function, "expected a function of one block");
    return SmallVector<Datum>(function.getNumResults());
  }
  if (callDepth == kMaxCallDepth) {
    fail(*function, "is called by itself, or more than " + Twine(kMaxCallDepth) + " calls deep");
    return SmallVector<Datum>(function.getNumResults());
  }
  ++callDepth;
  Operation *result = run(function.getBody().front(), arguments);
  --callDepth;
  return llvm::map_to_vector(result->getOperands(), [&](Value value) { return get(value); });
}

void Evaluator::evaluate(Operation &op) {
  auto handler = handlers.find(op.getName().getTypeID());
  evaluate({&op, handler == handlers.end() ? nullptr : &handler->second});
}

void Evaluator::evaluate(Step step) {
  if (!step.handler)
    return fail(*step.op, "is not an operation that the interpreter evaluates");
  (*step.handler)(*step.op);
}

void Evaluator::fail(Operation &op, const Twine &message) {
  if (!error)
    op.emitOpError(message) << ErrorId::CannotInterpret;
  error = true;
}

void mlir::lci::evaluateElementwise(Evaluator &evaluator, Operation &op,
                                    llvm::function_ref<uint64_t(ArrayRef<uint64_t>)> function) {
  SmallVector<uint64_t, 4> bits(op.getNumOperands());
  if (!isa<RankedTensorType, VectorType>(op.getResult(0).getType())) {
    for (auto [bit, operand] : llvm::zip(bits, op.getOperands()))
      bit = evaluator.get(operand).bits;
    return evaluator.set(op.getResult(0), Datum{function(bits), nullptr});
  }
  SmallVector<Datum, 4> operands =
      llvm::map_to_vector<4>(op.getOperands(), [&](Value value) { return evaluator.get(value); });
  Tensor result;
  for (const Datum &operand : operands)
    if (operand.tensor)
      result = Tensor(operand.tensor->shape);
  for (auto [i, element] : llvm::enumerate(result.elements)) {
    for (auto [bit, operand] : llvm::zip(bits, operands))
      bit = operand.tensor ? operand.tensor->elements[i] : operand.bits;
    element = function(bits);
  }
  evaluator.set(op.getResult(0), Datum::array(std::move(result)));
}

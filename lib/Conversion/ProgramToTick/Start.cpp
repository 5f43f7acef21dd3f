//===- Start.cpp - The initial values of a program ------------------------===//
//
// Builds `<name>.init`: the initial tensor of each value, by a tick of its `init` where it has one,
// else zeros or absent tokens, and empty records.
//
//===----------------------------------------------------------------------===//

#include "ProgramLowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::lci;

/// The initial tensor of one value: its `init`, else absent tokens or zeros.
FailureOr<Value> ProgramLowering::buildInitial(ValueOp value) {
  RankedTensorType type = getStateType(value);
  Attribute nothing = value.getKind() == Kind::F32 ? Attribute(b.getF32FloatAttr(0.0f))
                      : value.getKind() == Kind::Token
                          ? Attribute(b.getI64IntegerAttr(*value.getVocabularySize()))
                          : Attribute(b.getI64IntegerAttr(0));
  Value start;
  if (isa<VectorType>(type.getElementType())) {
    auto zero = cast<TypedAttr>(b.getZeroAttr(type.getElementType()));
    Value vector = arith::ConstantOp::create(b, value.getLoc(), zero);
    start = tensor::SplatOp::create(b, value.getLoc(), type, vector);
  } else {
    start =
        arith::ConstantOp::create(b, value.getLoc(), type, DenseElementsAttr::get(type, nothing));
  }
  if (!value.hasInit())
    return start;
  TickBody body(program, value, bindings, value.getLoc());
  Block &init = value.getInit().front();
  for (auto [argument, index] : llvm::zip(init.getArguments(), body.indices()))
    body.map(argument, index);
  if (failed(body.lower(init)))
    return failure();
  Value token = body.lookup(cast<YieldOp>(init.getTerminator()).getValue());
  if (getElementTypeOrSelf(token.getType()).isF32()) // S-NAN
    token = body.canonicalNumber(token);
  InstallOp::create(body.builder(), value.getLoc(), token, body.truthValue(true), Value(), Value(),
                    ValueRange(), b.getDenseI64ArrayAttr({}));
  Value zero = arith::ConstantOp::create(b, value.getLoc(), b.getI64IntegerAttr(0));
  return body.finish(b, zero, zero, bindings.seed, {start, Value(), Value()}, IntegerSetAttr(), 1)
      ->getResult(0);
}

/// Records without any commit.
Value ProgramLowering::buildEmptyRecords(const RecordState &state) {
  auto zeros = cast<TypedAttr>(b.getZeroAttr(state.type()));
  return arith::ConstantOp::create(b, program.getLoc(), zeros);
}

LogicalResult ProgramLowering::buildInit() {
  Interface interface(program, given);
  interface.addParameters();
  interface.add(Role::Seed, "", b.getI64Type());
  SmallVector<Type> results;
  SmallVector<DictionaryAttr> described;
  auto addResult = [&](Type type, DictionaryAttr attributes) {
    results.push_back(type);
    described.push_back(attributes);
  };
  for (ValueOp value : ruled)
    addResult(getStateType(value), interface.describe(Role::State, value));
  for (const RecordState &state : recorded)
    addResult(state.type(), interface.describe(Role::State, state.name()));
  for (ValueOp value : inputs)
    addResult(getStateType(value), interface.describe(Role::Input, value));
  func::FuncOp function = interface.makeFunction(b, program.getSymName() + ".init", results);
  bindings = interface.bind(function);
  function.setAllResultAttrs(described);
  Value zero = arith::ConstantOp::create(b, program.getLoc(), b.getI64IntegerAttr(0));
  if (failed(evaluateEpochly(zero)))
    return failure();
  SmallVector<Value> states;
  auto addValues = [&](ArrayRef<ValueOp> values) -> LogicalResult {
    for (ValueOp value : values) {
      FailureOr<Value> state = buildInitial(value);
      if (failed(state))
        return failure();
      states.push_back(*state);
    }
    return success();
  };
  if (failed(addValues(ruled)))
    return failure();
  for (const RecordState &state : recorded)
    states.push_back(buildEmptyRecords(state));
  if (failed(addValues(inputs)))
    return failure();
  func::ReturnOp::create(b, program.getLoc(), states);
  return success();
}

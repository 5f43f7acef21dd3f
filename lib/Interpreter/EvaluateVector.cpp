//===- EvaluateVector.cpp - Evaluate vector operations --------------------===//
//
// S-VECTOR: products are fused multiply-adds in the order of the index. Also the operations of
// upstream's vector dialect that ticks use.
//
//===----------------------------------------------------------------------===//

#include "LCI/Dialect/LCIOps.h"
#include "LCI/Interpreter/Evaluator.h"
#include "LCI/Numerics/Functions.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <cmath>

using namespace mlir;
using namespace mlir::lci;
namespace numerics = ::lci::numerics;

static Datum makeVector(std::vector<uint64_t> elements) {
  Tensor vector;
  vector.shape = {static_cast<int64_t>(elements.size())};
  vector.elements = std::move(elements);
  return Datum::array(std::move(vector));
}

static Datum fill(int64_t length, uint64_t bits) { return Datum::array(Tensor({length}, bits)); }

// S-VECTOR
static uint64_t multiply(ArrayRef<uint64_t> left, ArrayRef<uint64_t> right) {
  float sum = toFloat(left[0]) * toFloat(right[0]);
  for (size_t i = 1; i < left.size(); ++i)
    sum = std::fma(toFloat(left[i]), toFloat(right[i]), sum);
  return toBits(sum);
}

static Datum multiplyMatrix(const Tensor &matrix, const Tensor &vector) {
  std::vector<uint64_t> result;
  for (int64_t row = 0; row < matrix.shape[0]; ++row)
    result.push_back(multiply(
        ArrayRef(matrix.elements).slice(row * matrix.shape[1], matrix.shape[1]), vector.elements));
  return makeVector(std::move(result));
}

static Datum softmax(const Tensor &vector) {
  float largest = toFloat(vector.elements[0]), sum = 0;
  for (uint64_t element : vector.elements)
    largest = numerics::maximum(largest, toFloat(element));
  std::vector<float> powers;
  for (uint64_t element : vector.elements)
    powers.push_back(numerics::evaluate(numerics::Unary::Exp, toFloat(element) - largest));
  sum = powers[0];
  for (size_t i = 1; i < powers.size(); ++i)
    sum += powers[i];
  std::vector<uint64_t> result;
  for (float power : powers)
    result.push_back(toBits(power / sum));
  return makeVector(std::move(result));
}

static void addDialect(Evaluator &e) {
  e.on<SpreadOp>([&e](SpreadOp op) {
    auto length = dyn_cast<AffineConstantExpr>(op.getLength().getResult(0));
    if (!length)
      return e.fail(*op, "expected a known length; run 'lci-bind' first");
    e.set(op.getResult(), fill(length.getValue(), e.get(op.getNumber()).bits));
  });
  e.on<ComponentOp>([&e](ComponentOp op) { // S-INDEX
    const Tensor &vector = *e.get(op.getVector()).tensor;
    int64_t last = vector.elements.size() - 1;
    int64_t index = std::clamp<int64_t>(e.getInteger(op.getIndex()), 0, last);
    e.set(op.getResult(), Datum{vector.elements[index], nullptr});
  });
  e.on<DotOp>([&e](DotOp op) {
    uint64_t product =
        multiply(e.get(op.getLhs()).tensor->elements, e.get(op.getRhs()).tensor->elements);
    e.set(op.getResult(), Datum{product, nullptr});
  });
  e.on<MatVecOp>([&e](MatVecOp op) {
    e.set(op.getResult(),
          multiplyMatrix(*e.get(op.getMatrix()).tensor, *e.get(op.getVector()).tensor));
  });
  e.on<ConcatOp>([&e](ConcatOp op) {
    std::vector<uint64_t> elements;
    for (Value part : op.getParts()) {
      const Datum &datum = e.get(part);
      if (datum.tensor)
        llvm::append_range(elements, datum.tensor->elements);
      else
        elements.push_back(datum.bits);
    }
    e.set(op.getResult(), makeVector(std::move(elements)));
  });
  e.on<SoftmaxOp>(
      [&e](SoftmaxOp op) { e.set(op.getResult(), softmax(*e.get(op.getVector()).tensor)); });
}

static void addUpstreamVectors(Evaluator &e) {
  e.on<vector::FromElementsOp>([&e](vector::FromElementsOp op) {
    std::vector<uint64_t> elements;
    for (Value element : op.getElements())
      elements.push_back(e.get(element).bits);
    e.set(op.getResult(), makeVector(std::move(elements)));
  });
  e.on<vector::BroadcastOp>([&e](vector::BroadcastOp op) {
    int64_t length = cast<VectorType>(op.getResult().getType()).getDimSize(0);
    e.set(op.getResult(), fill(length, e.get(op.getSource()).bits));
  });
  e.on<vector::InsertOp>([&e](vector::InsertOp op) {
    Tensor result = *e.get(op.getDest()).tensor;
    result.elements[op.getStaticPosition().front()] = e.get(op.getValueToStore()).bits;
    e.set(op.getResult(), Datum::array(std::move(result)));
  });
  e.on<vector::InsertStridedSliceOp>([&e](vector::InsertStridedSliceOp op) {
    Tensor result = *e.get(op.getDest()).tensor;
    const Tensor &part = *e.get(op.getValueToStore()).tensor;
    int64_t at = cast<IntegerAttr>(op.getOffsets()[0]).getInt();
    llvm::copy(part.elements, result.elements.begin() + at);
    e.set(op.getResult(), Datum::array(std::move(result)));
  });
  // Between a vector and the tensor of rank 1 with the same elements.
  e.on<vector::TransferWriteOp>(
      [&e](vector::TransferWriteOp op) { e.set(op.getResult(), e.get(op.getVector())); });
  e.on<vector::TransferReadOp>(
      [&e](vector::TransferReadOp op) { e.set(op.getVector(), e.get(op.getBase())); });
  e.on<vector::ExtractOp>([&e](vector::ExtractOp op) {
    if (op.getNumIndices() != 1 || op.getSourceVectorType().getRank() != 1)
      return e.fail(*op, "expected one element of a vector of one axis");
    OpFoldResult position = op.getMixedPosition().front();
    std::optional<int64_t> constant = getConstantIntValue(position);
    int64_t at = constant ? *constant : e.getInteger(cast<Value>(position));
    const Tensor &vector = *e.get(op.getSource()).tensor;
    if (!vector.contains({at}))
      return e.fail(*op, "reads outside of its vector");
    e.set(op.getResult(), Datum{vector.elements[at], nullptr});
  });
  e.on<vector::ReductionOp>([&e](vector::ReductionOp op) {
    if (op.getKind() != vector::CombiningKind::AND)
      return e.fail(*op, "expected a reduction 'and', the only one that ticks use");
    uint64_t all = ~uint64_t(0);
    for (uint64_t element : e.get(op.getVector()).tensor->elements)
      all &= element;
    e.set(op.getDest(), Datum{all, nullptr});
  });
}

void mlir::lci::addVectorHandlers(Evaluator &e) {
  addDialect(e);
  addUpstreamVectors(e);
}

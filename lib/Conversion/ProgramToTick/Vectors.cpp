//===- Vectors.cpp - Vectors of numbers in a tick -------------------------===//
//
// A vector of level 2, a tensor of rank 1, becomes an upstream vector, whole in registers.
// Products are fused multiply-adds in the order of the index (S-VECTOR). Those of matrices are left
// to `lci-outline-networks`, which decides for how many cells they are best computed.
//
//===----------------------------------------------------------------------===//

#include "Interface.h"
#include "LCI/Transforms/Support/IROps.h"
#include "TickBody.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::lci;

/// The type in a tick of a program's type: tensors of rank 1 become vectors.
static Type toVector(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() == 1
             ? VectorType::get(tensor.getShape(), tensor.getElementType())
             : type;
}

static int64_t getLength(Value vector) { return cast<ShapedType>(vector.getType()).getDimSize(0); }

Value TickBody::numberLike(Type type, float value) {
  auto vector = dyn_cast<VectorType>(type);
  if (!vector)
    return number(value);
  return arith::ConstantOp::create(b, location, DenseElementsAttr::get(vector, value));
}

Value TickBody::zeroOf(Type type) {
  return arith::ConstantOp::create(b, location, cast<TypedAttr>(b.getZeroAttr(type)));
}

/// The same in each component of a vector.
Value TickBody::canonicalNumber(Value number) {
  // Decided on the bits: LLVM drops a select between NaNs.
  IROps ops(b, location, number.getType());
  return ops.canonical(ops.asF32(number)).value;
}

Value TickBody::spreadLike(Value scalar, Type like) {
  auto vector = dyn_cast<VectorType>(like);
  return vector ? Value(vector::BroadcastOp::create(
                      b, location, VectorType::get(vector.getShape(), scalar.getType()), scalar))
                : scalar;
}

Value TickBody::component(Value vector, int64_t index) {
  return vector::ExtractOp::create(b, location, vector, index);
}

/// S-INDEX: the nearest component where the index is outside.
Value TickBody::componentAt(Value vector, Value index) {
  int64_t last = getLength(vector) - 1;
  APInt constant;
  if (matchPattern(index, m_ConstantInt(&constant)))
    return component(vector, std::clamp<int64_t>(constant.getSExtValue(), 0, last));
  index = arith::MaxSIOp::create(b, location, index, integer(0));
  index = arith::MinSIOp::create(b, location, index, integer(last));
  Value at = arith::IndexCastOp::create(b, location, b.getIndexType(), index);
  return vector::ExtractOp::create(b, location, vector, OpFoldResult(at));
}

Value TickBody::makeVector(ArrayRef<Value> components) {
  auto type = VectorType::get({static_cast<int64_t>(components.size())}, b.getF32Type());
  return vector::FromElementsOp::create(b, location, type, components);
}

/// A parameter of rank 1 as a vector; others unchanged.
Value TickBody::asVector(Value array) {
  auto type = dyn_cast<RankedTensorType>(array.getType());
  if (!type || type.getRank() != 1 || !type.getElementType().isF32())
    return array;
  SmallVector<Value> components;
  for (int64_t i = 0; i < type.getDimSize(0); ++i) {
    Value at = arith::ConstantIndexOp::create(b, location, i);
    components.push_back(tensor::ExtractOp::create(b, location, array, at));
  }
  return makeVector(components);
}

/// A vector is inserted whole: it may be in a register already.
Value TickBody::concatenate(ValueRange parts, Type type) {
  Value whole = zeroOf(type);
  int64_t at = 0;
  for (Value part : parts) {
    if (isa<VectorType>(part.getType()))
      whole = vector::InsertStridedSliceOp::create(b, location, part, whole, at, 1);
    else
      whole = vector::InsertOp::create(b, location, part, whole, at);
    at += isa<VectorType>(part.getType()) ? getLength(part) : 1;
  }
  return whole;
}

Value TickBody::lowerSoftmax(Value vector) {
  int64_t length = getLength(vector);
  Value largest = component(vector, 0);
  for (int64_t i = 1; i < length; ++i)
    largest = arith::MaximumFOp::create(b, location, largest, component(vector, i));
  Type type = vector.getType();
  Value spread = vector::BroadcastOp::create(b, location, type, largest);
  Value above = arith::SubFOp::create(b, location, vector, spread);
  Value powers = ElementaryOp::create(b, location, type, Elementary::Exp, above);
  Value sum = component(powers, 0);
  for (int64_t i = 1; i < length; ++i)
    sum = arith::AddFOp::create(b, location, sum, component(powers, i));
  Value divisor = vector::BroadcastOp::create(b, location, type, sum);
  return arith::DivFOp::create(b, location, powers, divisor);
}

void TickBody::lowerVector(Operation *op) {
  SmallVector<Value> operands =
      llvm::map_to_vector(op->getOperands(), [&](Value operand) { return lookup(operand); });
  Value result;
  if (auto spread = dyn_cast<SpreadOp>(op)) {
    int64_t length = cast<AffineConstantExpr>(spread.getLength().getResult(0)).getValue();
    auto type = VectorType::get({length}, operands[0].getType());
    result = vector::BroadcastOp::create(b, location, type, operands[0]);
  } else if (isa<ComponentOp>(op)) {
    result = componentAt(operands[0], operands[1]);
  } else if (isa<DotOp>(op)) {
    result =
        arith::MulFOp::create(b, location, component(operands[0], 0), component(operands[1], 0));
    for (int64_t i = 1; i < getLength(operands[0]); ++i)
      result = math::FmaOp::create(b, location, component(operands[0], i),
                                   component(operands[1], i), result);
  } else if (auto product = dyn_cast<MatVecOp>(op)) {
    auto length = cast<ShapedType>(operands[0].getType()).getDimSize(0);
    result = MatVecOp::create(b, location, VectorType::get({length}, b.getF32Type()), operands);
  } else if (isa<ConcatOp>(op)) {
    result = concatenate(operands, toVector(op->getResult(0).getType()));
  } else {
    result = lowerSoftmax(operands[0]);
  }
  map(op->getResult(0), result);
}

/// Clones an operation, on vectors in place of tensors of rank 1.
void TickBody::cloneOnVectors(Operation &op) {
  if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
    Value vector = lookup(extract.getTensor());
    if (isa<VectorType>(vector.getType())) {
      Value at = arith::IndexCastOp::create(b, location, b.getI64Type(),
                                            lookup(extract.getIndices().front()));
      map(extract.getResult(), componentAt(vector, at));
      return;
    }
  }
  auto constant = dyn_cast<arith::ConstantOp>(op);
  auto dense = constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : DenseElementsAttr();
  if (dense && dense.getType().getRank() == 1) {
    auto type = cast<VectorType>(toVector(constant.getType()));
    map(constant.getResult(), arith::ConstantOp::create(b, location, dense.reshape(type)));
    return;
  }
  Operation *clone = b.clone(op, mapping);
  bool hasVectors = llvm::any_of(clone->getOperandTypes(), llvm::IsaPred<VectorType>);
  if (!hasVectors)
    return;
  for (Value result : clone->getResults())
    result.setType(toVector(result.getType()));
}

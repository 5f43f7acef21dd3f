//===- EvaluateArith.cpp - Integers and floats ----------------------------===//
//
// S-INTEGER: integers are mathematical; 64 bits hold them, because other programs were rejected.
// S-FLOAT: f32 is IEEE, rounded to nearest after each operation, never contracted, never flushed.
// Every operation is a separate function here, so that the C++ compiler cannot contract either.
//
//===----------------------------------------------------------------------===//

#include "LCI/Interpreter/Evaluator.h"
#include "LCI/Numerics/Functions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <cmath>

using namespace mlir;
using namespace mlir::lci;
namespace numerics = ::lci::numerics;

using Bits = ArrayRef<uint64_t>;

static Type getElement(Value value) { return getElementTypeOrSelf(value.getType()); }

/// An operation on two signed integers, truncated to its result's width.
template <typename OpT, typename Function>
static void onSigned(Evaluator &e, Function function) {
  e.on<OpT>([&e, function](OpT op) {
    unsigned from = getWidth(getElement(op->getOperand(0)));
    unsigned to = getWidth(getElement(op->getResult(0)));
    evaluateElementwise(e, *op, [&](Bits x) {
      return truncate(function(signExtend(x[0], from), signExtend(x[1], from)), to);
    });
  });
}

/// An operation on two unsigned integers.
template <typename OpT, typename Function>
static void onUnsigned(Evaluator &e, Function function) {
  e.on<OpT>([&e, function](OpT op) {
    unsigned width = getWidth(getElement(op->getResult(0)));
    evaluateElementwise(e, *op, [&](Bits x) { return truncate(function(x[0], x[1]), width); });
  });
}

template <typename OpT, typename Function>
static void onFloats(Evaluator &e, Function function) {
  e.on<OpT>([&e, function](OpT op) {
    if (!getElement(op->getResult(0)).isF32())
      return e.fail(*op, "expected f32, the only float the interpreter computes with");
    evaluateElementwise(e, *op,
                        [&](Bits x) { return toBits(function(toFloat(x[0]), toFloat(x[1]))); });
  });
}

/// A conversion of an integer to another width or to a float; the function gets bits and width.
template <typename OpT, typename Function>
static void onConversion(Evaluator &e, Function function) {
  e.on<OpT>([&e, function](OpT op) {
    unsigned from = getWidth(getElement(op->getOperand(0)));
    unsigned to = getWidth(getElement(op->getResult(0)));
    evaluateElementwise(e, *op, [&](Bits x) { return truncate(function(x[0], from), to); });
  });
}

/// A conversion of a number; the function gets it and the width of the integer.
template <typename OpT>
static void onFromFloat(Evaluator &e, uint64_t (*function)(float, unsigned)) {
  e.on<OpT>([&e, function](OpT op) {
    unsigned width = getWidth(getElement(op.getResult()));
    if (!getElement(op.getIn()).isF32())
      return e.fail(*op, "expected f32, the only float the interpreter computes with");
    evaluateElementwise(e, *op,
                        [&](Bits x) { return truncate(function(toFloat(x[0]), width), width); });
  });
}

static bool compareIntegers(arith::CmpIPredicate predicate, uint64_t a, uint64_t b,
                            unsigned width) {
  int64_t x = signExtend(a, width), y = signExtend(b, width);
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return a == b;
  case arith::CmpIPredicate::ne:
    return a != b;
  case arith::CmpIPredicate::slt:
    return x < y;
  case arith::CmpIPredicate::sle:
    return x <= y;
  case arith::CmpIPredicate::sgt:
    return x > y;
  case arith::CmpIPredicate::sge:
    return x >= y;
  case arith::CmpIPredicate::ult:
    return a < b;
  case arith::CmpIPredicate::ule:
    return a <= b;
  case arith::CmpIPredicate::ugt:
    return a > b;
  case arith::CmpIPredicate::uge:
    return a >= b;
  }
  llvm_unreachable("a predicate without a meaning");
}

/// Bits 0 to 3 of upstream's encoding say: equal, greater, less, unordered.
static bool compareFloats(arith::CmpFPredicate predicate, float a, float b) {
  // One bit for each of equal, greater, less and unordered. `uno` comes after the predicates that
  // also hold for an order, so that their numbers are one less than the set of bits they mean.
  unsigned relation = std::isnan(a) || std::isnan(b) ? 8 : a == b ? 1 : a > b ? 2 : 4;
  unsigned holds = static_cast<unsigned>(predicate);
  if (predicate == arith::CmpFPredicate::UNO)
    holds = 8;
  else if (predicate >= arith::CmpFPredicate::UEQ && predicate <= arith::CmpFPredicate::UNE)
    ++holds;
  return holds & relation;
}

/// Rounds towards zero; saturates, and NaN becomes zero.
static uint64_t toSigned(float x, unsigned width) {
  float behind = std::ldexp(1.0f, width - 1);
  if (std::isnan(x))
    return 0;
  if (x >= behind)
    return llvm::maxIntN(width);
  return x < -behind ? llvm::minIntN(width) : static_cast<int64_t>(x);
}

static uint64_t toUnsigned(float x, unsigned width) {
  if (!(x > 0)) // NaN, too
    return 0;
  return x >= std::ldexp(1.0f, width) ? llvm::maxUIntN(width) : static_cast<uint64_t>(x);
}

static Datum getConstant(Attribute attribute) {
  if (auto integer = dyn_cast<IntegerAttr>(attribute))
    return Datum{integer.getValue().getZExtValue(), nullptr};
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return Datum{number.getValue().bitcastToAPInt().getZExtValue(), nullptr};
  auto dense = cast<DenseElementsAttr>(attribute);
  Tensor tensor(dense.getType().getShape());
  bool isFloat = isa<FloatType>(dense.getElementType());
  for (int64_t i = 0, n = tensor.elements.size(); i < n; ++i)
    tensor.elements[i] = isFloat ? dense.getValues<APFloat>()[i].bitcastToAPInt().getZExtValue()
                                 : dense.getValues<APInt>()[i].getZExtValue();
  return Datum::array(std::move(tensor));
}

static void addIntegers(Evaluator &e) {
  using U = uint64_t;
  onUnsigned<arith::AddIOp>(e, [](U a, U b) { return a + b; });
  onUnsigned<arith::SubIOp>(e, [](U a, U b) { return a - b; });
  onUnsigned<arith::MulIOp>(e, [](U a, U b) { return a * b; });
  onUnsigned<arith::AndIOp>(e, [](U a, U b) { return a & b; });
  onUnsigned<arith::OrIOp>(e, [](U a, U b) { return a | b; });
  onUnsigned<arith::XOrIOp>(e, [](U a, U b) { return a ^ b; });
  onUnsigned<arith::MinUIOp>(e, [](U a, U b) { return std::min(a, b); });
  onUnsigned<arith::MaxUIOp>(e, [](U a, U b) { return std::max(a, b); });
  onUnsigned<arith::DivUIOp>(e, [](U a, U b) { return b ? a / b : 0; });
  onUnsigned<arith::RemUIOp>(e, [](U a, U b) { return b ? a % b : a; });
  // A shift by the width or more results in zero, or in the sign.
  onUnsigned<arith::ShLIOp>(e, [](U a, U b) { return b < 64 ? a << b : 0; });
  onUnsigned<arith::ShRUIOp>(e, [](U a, U b) { return b < 64 ? a >> b : 0; });
  using S = int64_t;
  onSigned<arith::ShRSIOp>(e, [](S a, S b) { return a >> (b < 0 || b > 63 ? 63 : b); });
  onSigned<arith::MinSIOp>(e, [](S a, S b) { return std::min(a, b); });
  onSigned<arith::MaxSIOp>(e, [](S a, S b) { return std::max(a, b); });
  // Like floor division: total, see LCI/Numerics/Integers.h.
  onSigned<arith::DivSIOp>(e, [](S a, S b) { return b == 0 ? 0 : b == -1 ? -U(a) : U(a / b); });
  onSigned<arith::RemSIOp>(e, [](S a, S b) { return b == 0 ? a : b == -1 ? 0 : a % b; });
  onSigned<arith::FloorDivSIOp>(e, [](S a, S b) { return numerics::floorDiv(a, b); });
  onUnsigned<arith::CeilDivUIOp>(e, [](U a, U b) { return b ? a / b + (a % b != 0) : 0; });
  onSigned<arith::CeilDivSIOp>(e, [](S a, S b) {
    return numerics::floorDiv(a, b) + (numerics::floorMod(a, b) != 0 && b != 0);
  });
  e.on<arith::CmpIOp>([&e](arith::CmpIOp op) {
    unsigned width = getWidth(getElement(op.getLhs()));
    evaluateElementwise(
        e, *op, [&](Bits x) { return compareIntegers(op.getPredicate(), x[0], x[1], width); });
  });
}

static void addConversions(Evaluator &e) {
  using U = uint64_t;
  auto keep = [](U x, unsigned) { return x; };
  auto extend = [](U x, unsigned width) { return static_cast<U>(signExtend(x, width)); };
  onConversion<arith::ExtUIOp>(e, keep);
  onConversion<arith::TruncIOp>(e, keep);
  onConversion<arith::IndexCastUIOp>(e, keep);
  e.on<arith::BitcastOp>([&e](arith::BitcastOp op) { // a NaN has the canonical bits
    bool reads = isa<FloatType>(getElement(op.getIn())) && getElement(op.getOut()).isInteger();
    evaluateElementwise(e, *op, [&](Bits x) { return reads ? canonicalizeFloat(x[0]) : x[0]; });
  });
  onConversion<arith::ExtSIOp>(e, extend);
  onConversion<arith::IndexCastOp>(e, extend);
  onConversion<arith::SIToFPOp>(
      e, [](U x, unsigned width) { return toBits(static_cast<float>(signExtend(x, width))); });
  onConversion<arith::UIToFPOp>(e, [](U x, unsigned) { return toBits(static_cast<float>(x)); });
  onFromFloat<arith::FPToSIOp>(e, toSigned);
  onFromFloat<arith::FPToUIOp>(e, toUnsigned);
}

static void addFloats(Evaluator &e) {
  onFloats<arith::AddFOp>(e, [](float a, float b) { return a + b; });
  onFloats<arith::SubFOp>(e, [](float a, float b) { return a - b; });
  onFloats<arith::MulFOp>(e, [](float a, float b) { return a * b; });
  onFloats<arith::DivFOp>(e, [](float a, float b) { return a / b; });
  onFloats<arith::RemFOp>(e, [](float a, float b) { return std::fmod(a, b); });
  onFloats<arith::MinimumFOp>(e, [](float a, float b) { return numerics::minimum(a, b); });
  onFloats<arith::MaximumFOp>(e, [](float a, float b) { return numerics::maximum(a, b); });
  onFloats<arith::MinNumFOp>(e, [](float a, float b) {
    return std::isnan(a) ? b : std::isnan(b) ? a : numerics::minimum(a, b);
  });
  onFloats<arith::MaxNumFOp>(e, [](float a, float b) {
    return std::isnan(a) ? b : std::isnan(b) ? a : numerics::maximum(a, b);
  });
  e.on<arith::NegFOp>([&e](arith::NegFOp op) {
    evaluateElementwise(e, *op, [](Bits x) { return x[0] ^ 0x80000000u; });
  });
  e.on<arith::CmpFOp>([&e](arith::CmpFOp op) {
    evaluateElementwise(e, *op, [&](Bits x) {
      return compareFloats(op.getPredicate(), toFloat(x[0]), toFloat(x[1]));
    });
  });
}

/// A scalar i1 condition may select between whole tensors.
static void evaluateSelect(Evaluator &e, arith::SelectOp op) {
  if (isa<RankedTensorType, VectorType>(op.getCondition().getType()))
    return evaluateElementwise(e, *op, [](Bits x) { return x[0] ? x[1] : x[2]; });
  bool first = e.get(op.getCondition()).asTruth();
  e.set(op.getResult(), e.get(first ? op.getTrueValue() : op.getFalseValue()));
}

void mlir::lci::addArithHandlers(Evaluator &e) {
  e.on<arith::ConstantOp>([&e](arith::ConstantOp op) {
    if (!isa<IntegerAttr, FloatAttr, DenseElementsAttr>(op.getValue()))
      return e.fail(*op, "expected dense elements");
    e.set(op.getResult(), getConstant(op.getValue()));
  });
  e.on<arith::SelectOp>([&e](arith::SelectOp op) { evaluateSelect(e, op); });
  addIntegers(e);
  addConversions(e);
  addFloats(e);
}

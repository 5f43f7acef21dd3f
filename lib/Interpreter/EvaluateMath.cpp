//===- EvaluateMath.cpp - Evaluate functions of numbers -------------------===//
//
// S-ELEMENTARY: functions are correctly rounded; upstream's spellings of them, which models may
// use, mean the same here.
//
//===----------------------------------------------------------------------===//

#include "LCI/Dialect/LCIOps.h"
#include "LCI/Interpreter/Evaluator.h"
#include "LCI/Numerics/Functions.h"
#include "LCI/Numerics/Integers.h"
#include "LCI/Numerics/Stream.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <cmath>

using namespace mlir;
using namespace mlir::lci;
namespace numerics = ::lci::numerics;
using numerics::Unary;

using Bits = ArrayRef<uint64_t>;

static Unary getUnary(Elementary function) {
  switch (function) {
  case Elementary::Exp:
    return Unary::Exp;
  case Elementary::Exp2:
    return Unary::Exp2;
  case Elementary::Log:
    return Unary::Log;
  case Elementary::Log2:
    return Unary::Log2;
  case Elementary::Sin:
    return Unary::Sin;
  case Elementary::Cos:
    return Unary::Cos;
  case Elementary::Tan:
    return Unary::Tan;
  case Elementary::Tanh:
    return Unary::Tanh;
  case Elementary::Sigmoid:
    return Unary::Sigmoid;
  case Elementary::Erf:
    return Unary::Erf;
  case Elementary::Atan:
    return Unary::Atan;
  case Elementary::Sqrt:
    return Unary::Sqrt;
  case Elementary::Rsqrt:
    return Unary::Rsqrt;
  }
  llvm_unreachable("a function without a definition");
}

template <typename OpT, typename Function>
static void onFloat(Evaluator &e, Function function) {
  e.on<OpT>([&e, function](OpT op) {
    evaluateElementwise(e, *op, [&](Bits x) { return toBits(function(toFloat(x[0]))); });
  });
}

template <typename OpT>
static void onUnary(Evaluator &e, Unary function) {
  onFloat<OpT>(e, [function](float x) { return numerics::evaluate(function, x); });
}

template <typename OpT>
static void onBinary(Evaluator &e, numerics::Binary function) {
  e.on<OpT>([&e, function](OpT op) {
    evaluateElementwise(e, *op, [&](Bits x) {
      return toBits(numerics::evaluate(function, toFloat(x[0]), toFloat(x[1])));
    });
  });
}

static void addUpstreamMath(Evaluator &e) {
  onBinary<math::PowFOp>(e, numerics::Binary::Pow);
  onBinary<math::Atan2Op>(e, numerics::Binary::Atan2);
  onUnary<math::ExpOp>(e, Unary::Exp);
  onUnary<math::Exp2Op>(e, Unary::Exp2);
  onUnary<math::LogOp>(e, Unary::Log);
  onUnary<math::Log2Op>(e, Unary::Log2);
  onUnary<math::SinOp>(e, Unary::Sin);
  onUnary<math::CosOp>(e, Unary::Cos);
  onUnary<math::TanOp>(e, Unary::Tan);
  onUnary<math::TanhOp>(e, Unary::Tanh);
  onUnary<math::ErfOp>(e, Unary::Erf);
  onUnary<math::AtanOp>(e, Unary::Atan);
  onUnary<math::SqrtOp>(e, Unary::Sqrt);
  onUnary<math::RsqrtOp>(e, Unary::Rsqrt);
  onFloat<math::AbsFOp>(e, [](float x) { return std::fabs(x); });
  onFloat<math::FloorOp>(e, [](float x) { return std::floor(x); });
  onFloat<math::CeilOp>(e, [](float x) { return std::ceil(x); });
  onFloat<math::RoundEvenOp>(e, [](float x) { return __builtin_roundevenf(x); });
  onFloat<math::TruncOp>(e, [](float x) { return std::trunc(x); });
  e.on<math::FmaOp>([&e](math::FmaOp op) { // rounded once
    evaluateElementwise(e, *op, [](Bits x) {
      return toBits(std::fmaf(toFloat(x[0]), toFloat(x[1]), toFloat(x[2])));
    });
  });
  e.on<math::AbsIOp>([&e](math::AbsIOp op) {
    unsigned width = getWidth(getElementTypeOrSelf(op.getType()));
    evaluateElementwise(e, *op, [&](Bits x) {
      return truncate(signExtend(x[0], width) < 0 ? -x[0] : x[0], width);
    });
  });
  e.on<math::CtPopOp>([&e](math::CtPopOp op) {
    evaluateElementwise(e, *op, [](Bits x) { return llvm::popcount(x[0]); });
  });
}

static void lookUpBits(Evaluator &e, LookupOp op) {
  unsigned width = getWidth(getElementTypeOrSelf(op.getType()));
  evaluateElementwise(e, *op, [&](Bits x) {
    return truncate(numerics::lookUp(x[0], x[1], x[2], op.getTable()), width);
  });
}

/// S-POWER: a constant natural power is repeated multiplication from the left.
static uint64_t raise(uint64_t base, int64_t exponent, bool isFloat) {
  if (exponent == 0)
    return isFloat ? toBits(1.0f) : 1;
  uint64_t power = base;
  for (int64_t i = 1; i < exponent; ++i)
    power = isFloat ? toBits(toFloat(power) * toFloat(base)) : power * base;
  return power;
}

/// Blocks of random words, separately for each element of tensors and vectors.
static void drawWords(Evaluator &e, PhiloxOp op) {
  const Datum like = e.get(op.getLow());
  SmallVector<std::vector<uint64_t>> drawn(op.getWords().size());
  for (size_t i = 0; i < (like.tensor ? like.tensor->elements.size() : 1); ++i) {
    std::vector<uint64_t> numbers;
    for (Value operand : op->getOperands()) {
      const Datum &datum = e.get(operand);
      numbers.push_back(datum.tensor ? datum.tensor->elements[i] : datum.bits);
    }
    for (auto [words, word] : llvm::zip_equal(drawn, numerics::drawBlocks(numbers)))
      words.push_back(word);
  }
  for (auto [result, bits] : llvm::zip_equal(op.getWords(), drawn)) {
    Tensor words;
    if (like.tensor)
      words.shape = like.tensor->shape;
    words.elements = std::move(bits);
    e.set(result, like.tensor ? Datum::array(std::move(words)) : Datum{words.elements.front(), {}});
  }
}

void mlir::lci::addMathHandlers(Evaluator &e) {
  addUpstreamMath(e);
  e.on<PhiloxOp>([&e](PhiloxOp op) { drawWords(e, op); });
  e.on<LookupOp>([&e](LookupOp op) { lookUpBits(e, op); });
  e.on<ElementaryOp>([&e](ElementaryOp op) {
    evaluateElementwise(e, *op, [&](Bits x) {
      return toBits(numerics::evaluate(getUnary(op.getFunction()), toFloat(x[0])));
    });
  });
  e.on<ElementaryBinaryOp>([&e](ElementaryBinaryOp op) {
    auto function =
        op.getFunction() == ElementaryBinary::Pow ? numerics::Binary::Pow : numerics::Binary::Atan2;
    evaluateElementwise(e, *op, [&](Bits x) {
      return toBits(numerics::evaluate(function, toFloat(x[0]), toFloat(x[1])));
    });
  });
  e.on<ThresholdOp>([&e](ThresholdOp op) { // S-THRESHOLD
    float probability = e.get(op.getProbability()).asNumber();
    e.set(op.getResult(), Datum::integer(static_cast<int64_t>(numerics::threshold(probability))));
  });
  // S-FLOOR: division and modulo of integers round towards negative infinity, and are total.
  e.on<FloorDivOp>([&e](FloorDivOp op) {
    evaluateElementwise(e, *op, [](Bits x) { return numerics::floorDiv(x[0], x[1]); });
  });
  e.on<FloorModOp>([&e](FloorModOp op) {
    evaluateElementwise(e, *op, [](Bits x) { return numerics::floorMod(x[0], x[1]); });
  });
  e.on<PowerOp>([&e](PowerOp op) {
    bool isFloat = isa<FloatType>(getElementTypeOrSelf(op.getBase().getType()));
    evaluateElementwise(e, *op, [&](Bits x) { return raise(x[0], op.getExponent(), isFloat); });
  });
  e.on<LetOp>([&e](LetOp op) { e.set(op.getResult(), e.get(op.getValue())); });
}

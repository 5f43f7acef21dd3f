//===- Overflow.cpp - Witnesses of 64-bit overflow ------------------------===//
//
// Tries all combinations of the ends of the ranges of a few inputs, and evaluates the operation
// exactly in 128 bits. Combinations of indices must be points of the domain.
//
//===----------------------------------------------------------------------===//

#include "LCI/Analysis/Overflow.h"
#include "LCI/Analysis/Demand.h"
#include "LCI/Analysis/IndexDomain.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::lci;
using llvm::APIntOps::RoundingSDiv;

/// The most inputs whose ends are combined.
static constexpr unsigned kMaxNumbers = 8;

/// The ends of a range, and zero if it is inside: a square is least there.
static SmallVector<APInt> getChoices(const ConstantIntRanges &range) {
  SmallVector<APInt> choices{range.smax(), range.smin()};
  if (range.smin().isNegative() && range.smax().isStrictlyPositive())
    choices.push_back(APInt::getZero(RangeAnalysis::kWidth));
  return choices;
}

/// The exact result; nothing for other operations and divisions by zero.
static std::optional<APInt> compute(Operation *op, ArrayRef<APInt> x) {
  if (isa<arith::IndexCastOp, LetOp, UnwrapOp>(op))
    return x[0];
  if (isa<arith::AddIOp>(op))
    return x[0].sadd_sat(x[1]);
  if (isa<arith::SubIOp>(op))
    return x[0].ssub_sat(x[1]);
  if (isa<arith::MulIOp>(op))
    return x[0].smul_sat(x[1]);
  if (isa<arith::MinSIOp>(op))
    return llvm::APIntOps::smin(x[0], x[1]);
  if (isa<arith::MaxSIOp>(op))
    return llvm::APIntOps::smax(x[0], x[1]);
  if (isa<math::AbsIOp>(op))
    return x[0].abs();
  if (auto power = dyn_cast<PowerOp>(op)) {
    APInt result(RangeAnalysis::kWidth, 1);
    for (uint64_t i = 0; i < power.getExponent(); ++i)
      result = result.smul_sat(x[0]);
    return result;
  }
  if (!isa<FloorDivOp, FloorModOp>(op) || x[1].isZero())
    return std::nullopt;
  APInt quotient = RoundingSDiv(x[0], x[1], APInt::Rounding::DOWN);
  return isa<FloorDivOp>(op) ? quotient : x[0] - quotient * x[1];
}

static bool isComputed(Operation *op) {
  return isa<arith::IndexCastOp, LetOp, UnwrapOp, arith::AddIOp, arith::SubIOp, arith::MulIOp,
             arith::MinSIOp, arith::MaxSIOp, math::AbsIOp, PowerOp, FloorDivOp, FloorModOp>(op);
}

namespace {
class OverflowSearch {
public:
  OverflowSearch(Operation *op, const RangeAnalysis &ranges)
      : op(op), ranges(ranges), domain(IndexDomain::around(op)) {}

  std::optional<OverflowWitness> run() {
    if (!isComputed(op))
      return std::nullopt;
    for (Value operand : getOperands(op))
      collect(operand);
    if (numbers.size() > kMaxNumbers)
      return std::nullopt;
    for (Value number : numbers)
      choices.push_back(getChoices(ranges.getRange(number)));
    SmallVector<size_t> choice(numbers.size(), 0);
    do {
      if (choose(choice) && leaves())
        return makeWitness();
    } while (advance(choice));
    return std::nullopt;
  }

private:
  /// Of a claim of presence only the first operand.
  static OperandRange getOperands(Operation *op) {
    return isa<UnwrapOp>(op) ? op->getOperands().take_front(1) : op->getOperands();
  }

  /// Finds the inputs of the computation.
  void collect(Value value) {
    APInt constant;
    Operation *made = value.getDefiningOp();
    if (matchPattern(value, m_ConstantInt(&constant)))
      return;
    if (made && isComputed(made)) {
      for (Value operand : getOperands(made))
        collect(operand);
      return;
    }
    if (llvm::none_of(numbers, [&](Value known) { return isSameNumber(known, value); }))
      numbers.push_back(value);
  }

  /// The next combination; false after the last one.
  bool advance(SmallVector<size_t> &choice) {
    for (auto [chosen, possible] : llvm::zip_equal(choice, choices)) {
      if (++chosen < possible.size())
        return true;
      chosen = 0;
    }
    return false;
  }

  /// Assigns the chosen ends; false if that is not a point of the indices.
  bool choose(ArrayRef<size_t> choice) {
    known.clear();
    for (auto [value, possible, chosen] : llvm::zip_equal(numbers, choices, choice))
      known[value] = possible[chosen];
    if (llvm::none_of(numbers, [&](Value value) { return domain.find(value).has_value(); }))
      return true;
    point.clear();
    for (Value index : domain.getIndices()) {
      auto *chosen = known.find(index);
      const APInt &at = chosen != known.end() ? chosen->second : ranges.getRange(index).smin();
      if (!at.isSignedIntN(64))
        return false;
      point.push_back(at.getSExtValue());
    }
    return domain.getPoints().containsPoint(point);
  }

  /// The value's integer; nothing if it cannot be computed, or overflows 64 bits already.
  std::optional<APInt> evaluate(Value value) {
    APInt constant;
    if (matchPattern(value, m_ConstantInt(&constant)))
      return constant.sext(RangeAnalysis::kWidth);
    for (auto [number, chosen] : known)
      if (isSameNumber(number, value))
        return chosen;
    std::optional<APInt> result = evaluate(value.getDefiningOp());
    return result && result->isSignedIntN(64) ? result : std::nullopt;
  }

  std::optional<APInt> evaluate(Operation *made) {
    operands.clear();
    SmallVector<APInt> inputs;
    for (Value operand : getOperands(made)) {
      std::optional<APInt> input = evaluate(operand);
      if (!input)
        return std::nullopt;
      inputs.push_back(*input);
    }
    operands = inputs;
    return compute(made, inputs);
  }

  bool leaves() {
    std::optional<APInt> result = evaluate(op);
    return result && !result->isSignedIntN(64);
  }

  OverflowWitness makeWitness() {
    OverflowWitness witness;
    if (!point.empty())
      witness.cell.assign(point.begin(), point.begin() + domain.getNumCellIndices());
    for (Value value : numbers)
      if (!domain.find(value))
        witness.numbers.emplace_back(value, known[value].getSExtValue());
    for (const APInt &operand : operands)
      witness.operands.push_back(operand.getSExtValue());
    return witness;
  }

  Operation *op;
  const RangeAnalysis &ranges;
  IndexDomain domain;
  SmallVector<Value> numbers;
  std::vector<SmallVector<APInt>> choices; ///< of each number
  llvm::MapVector<Value, APInt> known;
  SmallVector<int64_t> point;
  SmallVector<APInt> operands; ///< of the operation that was computed last
};
} // namespace

std::optional<OverflowWitness> mlir::lci::findOverflow(Operation *op, const RangeAnalysis &ranges) {
  return OverflowSearch(op, ranges).run();
}

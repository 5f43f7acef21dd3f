//===- ScheduleConstraints.cpp - Constraints between knobs ----------------===//
//
// `transform.smt.constrain_params` holds operations of upstream's SMT dialect. All numbers are
// known once knobs are selected, so that a constraint is computed rather than solved.
//
//===----------------------------------------------------------------------===//

#include "LCI/Errors/ErrorId.h"
#include "LCI/Pipelines/ApplySchedule.h"
#include "mlir/Dialect/SMT/IR/SMTOps.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/SMTExtension/SMTExtensionOps.h"
#include "mlir/Dialect/Transform/TuneExtension/TuneExtensionOps.h"
#include "llvm/ADT/TypeSwitch.h"
#include <limits>

using namespace mlir;
using namespace mlir::lci;
using transform::smt::ConstrainParamsOp;

namespace {
/// Computes one constraint. Truth values are 0 and 1.
class Computation {
public:
  /// Reads the selected numbers; fails with an error if one is not known.
  LogicalResult enter(ConstrainParamsOp constraint);
  /// Computes all operations; fails with an error for one that has no value.
  LogicalResult run(ConstrainParamsOp constraint);

  bool holds() const { return areAllTrue; }
  int64_t operator[](Value value) const { return numbers.lookup(value); }

private:
  std::optional<int64_t> computeInteger(Operation &op) const;
  std::optional<int64_t> computeTruth(Operation &op) const;
  /// Fails with an error for an operation that has no value.
  FailureOr<int64_t> compute(Operation &op) const;
  SmallVector<int64_t> operandsOf(Operation &op) const;

  DenseMap<Value, int64_t> numbers;
  bool areAllTrue = true;
};
} // namespace

/// The number of a parameter: a knob's selected one, or a constant.
static std::optional<int64_t> numberOf(Value param) {
  Attribute value;
  if (auto knob = param.getDefiningOp<transform::tune::KnobOp>())
    value = knob.getSelectedAttr();
  else if (auto constant = param.getDefiningOp<transform::ParamConstantOp>())
    value = constant.getValue();
  if (auto truth = dyn_cast_or_null<BoolAttr>(value))
    return truth.getValue();
  auto number = dyn_cast_or_null<IntegerAttr>(value);
  return number ? std::optional(number.getInt()) : std::nullopt;
}

LogicalResult Computation::enter(ConstrainParamsOp constraint) {
  for (auto [param, inside] :
       llvm::zip_equal(constraint.getParams(), constraint.getBody().getArguments())) {
    std::optional<int64_t> number = numberOf(param);
    if (!number)
      return constraint.emitOpError("expected whole numbers of knobs with a selected value, or "
                                    "constants, but got ")
             << ErrorId::InvalidSchedule << param;
    numbers[inside] = *number;
  }
  return success();
}

SmallVector<int64_t> Computation::operandsOf(Operation &op) const {
  return llvm::map_to_vector(op.getOperands(), [&](Value value) { return numbers.lookup(value); });
}

static bool compare(smt::IntPredicate predicate, int64_t left, int64_t right) {
  switch (predicate) {
  case smt::IntPredicate::lt:
    return left < right;
  case smt::IntPredicate::le:
    return left <= right;
  case smt::IntPredicate::gt:
    return left > right;
  case smt::IntPredicate::ge:
    return left >= right;
  }
  llvm_unreachable("no other predicate");
}

/// Whether all numbers differ from each other.
static bool areDistinct(SmallVector<int64_t> numbers) {
  llvm::sort(numbers);
  return std::adjacent_find(numbers.begin(), numbers.end()) == numbers.end();
}

/// Numbers joined by an operation that says whether it overflows.
static std::optional<int64_t> join(ArrayRef<int64_t> numbers, int64_t first,
                                   bool (*overflows)(int64_t, int64_t, int64_t *)) {
  for (int64_t number : numbers)
    if (overflows(first, number, &first))
      return std::nullopt;
  return first;
}

static bool addOverflows(int64_t a, int64_t b, int64_t *sum) {
  return __builtin_add_overflow(a, b, sum);
}
static bool subtractOverflows(int64_t a, int64_t b, int64_t *difference) {
  return __builtin_sub_overflow(a, b, difference);
}
static bool multiplyOverflows(int64_t a, int64_t b, int64_t *product) {
  return __builtin_mul_overflow(a, b, product);
}

/// As SMT-LIB has it: the remainder is never negative. None for what has no value in 64 bits.
static std::optional<int64_t> divide(int64_t number, int64_t by, bool wantsRemainder) {
  if (by == 0 || (by == -1 && number == std::numeric_limits<int64_t>::min()))
    return std::nullopt;
  int64_t quotient = number / by, rest = number % by;
  if (rest < 0) {
    quotient += by > 0 ? -1 : 1;
    rest += by > 0 ? by : -by;
  }
  return wantsRemainder ? rest : quotient;
}

static bool isSet(int64_t number) { return number != 0; }

/// The value of an operation on integers.
std::optional<int64_t> Computation::computeInteger(Operation &op) const {
  using Number = std::optional<int64_t>;
  SmallVector<int64_t> in = operandsOf(op);
  return llvm::TypeSwitch<Operation *, Number>(&op)
      .Case([](smt::IntConstantOp constant) { return constant.getValue().trySExtValue(); })
      .Case([&](smt::IntAddOp) { return join(in, 0, addOverflows); })
      .Case([&](smt::IntMulOp) { return join(in, 1, multiplyOverflows); })
      .Case([&](smt::IntSubOp) {
        return join(ArrayRef(in).drop_front(), in.front(), subtractOverflows);
      })
      .Case([&](smt::IntDivOp) { return divide(in[0], in[1], /*wantsRemainder=*/false); })
      .Case([&](smt::IntModOp) { return divide(in[0], in[1], /*wantsRemainder=*/true); })
      .Case([&](smt::IntAbsOp) {
        return in[0] >= 0 ? Number(in[0]) : join(in, 0, subtractOverflows);
      })
      .Default([](Operation *) { return Number(); });
}

/// The value of an operation on truths, or one that compares or chooses, which always has one.
std::optional<int64_t> Computation::computeTruth(Operation &op) const {
  using Number = std::optional<int64_t>;
  SmallVector<int64_t> in = operandsOf(op);
  return llvm::TypeSwitch<Operation *, Number>(&op)
      .Case([](smt::BoolConstantOp constant) { return Number(constant.getValue()); })
      .Case([&](smt::IntCmpOp cmp) { return Number(compare(cmp.getPred(), in[0], in[1])); })
      .Case([&](smt::EqOp) { return Number(llvm::all_equal(in)); })
      .Case([&](smt::DistinctOp) { return Number(areDistinct(in)); })
      .Case([&](smt::AndOp) { return Number(llvm::all_of(in, isSet)); })
      .Case([&](smt::OrOp) { return Number(llvm::any_of(in, isSet)); })
      .Case([&](smt::XOrOp) { return Number(llvm::count_if(in, isSet) % 2); })
      .Case([&](smt::NotOp) { return Number(in[0] == 0); })
      .Case([&](smt::ImpliesOp) { return Number(in[0] == 0 || in[1] != 0); })
      .Case([&](smt::IteOp) { return Number(in[0] != 0 ? in[1] : in[2]); })
      .Default([](Operation *) { return Number(); });
}

FailureOr<int64_t> Computation::compute(Operation &op) const {
  std::optional<int64_t> number = computeTruth(op);
  if (!number)
    number = computeInteger(op);
  if (number)
    return *number;
  if (isa<smt::IntConstantOp, smt::IntAddOp, smt::IntMulOp, smt::IntSubOp, smt::IntDivOp,
          smt::IntModOp, smt::IntAbsOp>(op))
    return op.emitOpError("expected a value in 64 bits in a constraint between knobs")
           << ErrorId::InvalidSchedule;
  return op.emitOpError("expected operations on known numbers in a constraint between knobs: "
                        "smt.int.*, eq, distinct, and, or, xor, not, implies, ite, assert")
         << ErrorId::InvalidSchedule;
}

LogicalResult Computation::run(ConstrainParamsOp constraint) {
  for (Operation &op : constraint.getBody().front().without_terminator()) {
    if (auto asserted = dyn_cast<smt::AssertOp>(op)) {
      areAllTrue &= numbers.lookup(asserted.getInput()) != 0;
      continue;
    }
    FailureOr<int64_t> number = compute(op);
    if (failed(number))
      return failure();
    numbers[op.getResult(0)] = *number;
  }
  return success();
}

/// Computes the constraint; none after an error.
static FailureOr<Computation> compute(ConstrainParamsOp constraint) {
  Computation computation;
  if (failed(computation.enter(constraint)) || failed(computation.run(constraint)))
    return failure();
  return computation;
}

/// The knobs of a constraint with their selected values, as text.
static std::string selectionIn(ConstrainParamsOp constraint) {
  std::string text;
  for (Value param : constraint.getParams())
    if (auto knob = param.getDefiningOp<transform::tune::KnobOp>())
      text += (text.empty() ? "" : ", ") + knob.getName().str() + " = " +
              std::to_string(*numberOf(param));
  return text;
}

FailureOr<bool> mlir::lci::admitsSelection(ModuleOp schedule) {
  bool holds = true;
  WalkResult walked = schedule.walk([&](ConstrainParamsOp constraint) {
    FailureOr<Computation> computed = compute(constraint);
    holds &= succeeded(computed) && computed->holds();
    return succeeded(computed) ? WalkResult::advance() : WalkResult::interrupt();
  });
  if (walked.wasInterrupted())
    return failure();
  return holds;
}

/// Replaces the results of a constraint by constants.
static void replace(ConstrainParamsOp constraint, const Computation &computed) {
  OpBuilder builder(constraint);
  Operation *yielded = constraint.getBody().front().getTerminator();
  for (auto [result, value] : llvm::zip_equal(constraint.getResults(), yielded->getOperands())) {
    auto number = builder.getI64IntegerAttr(computed[value]);
    result.replaceAllUsesWith(
        transform::ParamConstantOp::create(builder, constraint.getLoc(), result.getType(), number));
  }
  constraint.erase();
}

LogicalResult mlir::lci::resolveConstraints(ModuleOp schedule) {
  SmallVector<ConstrainParamsOp> constraints;
  schedule.walk([&](ConstrainParamsOp constraint) { constraints.push_back(constraint); });
  for (ConstrainParamsOp constraint : constraints) {
    FailureOr<Computation> computed = compute(constraint);
    if (failed(computed))
      return failure();
    if (!computed->holds())
      return constraint.emitOpError("expected a selection that this constraint admits, but got ")
             << ErrorId::InvalidSchedule << selectionIn(constraint);
    replace(constraint, *computed);
  }
  return success();
}

//===- KnownIntegers.cpp - Integers known at compile time -----------------===//
//
// Integer operations of bodies have the interpreter's semantics here: S-INTEGER, S-FLOOR, S-INDEX.
// A value becomes a list of steps that is evaluated at each point.
//
//===----------------------------------------------------------------------===//

#include "LCI/Analysis/KnownIntegers.h"
#include "LCI/Numerics/Functions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::lci;
namespace numerics = ::lci::numerics;

using Operands = ArrayRef<int64_t>;
using Compute = std::function<int64_t(Operands)>;

static bool compare(arith::CmpIPredicate predicate, int64_t a, int64_t b) {
  APInt left(64, a, /*isSigned=*/true), right(64, b, /*isSigned=*/true);
  return arith::applyCmpPredicate(predicate, left, right);
}

/// S-INDEX: the nearest element where an index is outside.
static Compute computeElement(ParamValueOp op) {
  auto param = SymbolTable::lookupNearestSymbolFrom<ParamOp>(op, op.getParamAttr());
  std::optional<ArrayRef<int64_t>> elements = param.getElements();
  if (!elements || elements->empty() || op.getIndices().size() != param.getRank())
    return nullptr;
  return [known = *elements, extents = *param.getExtents()](Operands indices) {
    int64_t number = 0;
    for (auto [index, extent] : llvm::zip_equal(indices, extents))
      number = number * extent + std::clamp<int64_t>(index, 0, extent - 1);
    return known[number];
  };
}

/// Shifts of the interpreter: by the width or more the result is zero or the sign.
static int64_t shiftLeft(int64_t a, int64_t b) {
  return uint64_t(b) < 64 ? static_cast<int64_t>(uint64_t(a) << b) : 0;
}
static int64_t shiftRight(int64_t a, int64_t b) { return a >> (uint64_t(b) < 64 ? b : 63); }

/// Whether an operation computes the same on 64 bits, with booleans as 0 and 1, as on its
/// types: narrower integers wrap, and a sign-extended boolean is 0 or -1.
static bool isOfLongs(Operation *op) {
  bool isOfTruths = isa<LetOp, UnwrapOp, arith::AndIOp, arith::OrIOp, arith::XOrIOp,
                        arith::SelectOp, arith::ExtUIOp>(op);
  if (auto comparison = dyn_cast<arith::CmpIOp>(op))
    isOfTruths = comparison.getPredicate() <= arith::CmpIPredicate::ne;
  return llvm::all_of(op->getOperandTypes(), [&](Type type) {
    return type.isInteger(64) || type.isIndex() || (isOfTruths && type.isInteger(1));
  });
}

/// The function of an operation, or null if its result is only known in a run.
static Compute getCompute(Operation *op) {
  APInt constant;
  if (matchPattern(op, m_ConstantInt(&constant))) {
    bool isTruth = op->getResult(0).getType().isInteger(1);
    int64_t number = isTruth ? constant.getZExtValue() : constant.getSExtValue();
    return [number](Operands) { return number; };
  }
  if (!isOfLongs(op))
    return nullptr;
  using T = uint64_t; // wraps where the program is rejected
  return llvm::TypeSwitch<Operation *, Compute>(op)
      .Case<ParamValueOp>([](ParamValueOp element) { return computeElement(element); })
      .Case<LetOp, UnwrapOp, arith::IndexCastOp, arith::ExtUIOp>(
          [](auto) -> Compute { return [](Operands x) { return x[0]; }; })
      .Case<arith::AddIOp>(
          [](auto) -> Compute { return [](Operands x) { return T(x[0]) + T(x[1]); }; })
      .Case<arith::SubIOp>(
          [](auto) -> Compute { return [](Operands x) { return T(x[0]) - T(x[1]); }; })
      .Case<arith::MulIOp>(
          [](auto) -> Compute { return [](Operands x) { return T(x[0]) * T(x[1]); }; })
      .Case<arith::AndIOp>([](auto) -> Compute { return [](Operands x) { return x[0] & x[1]; }; })
      .Case<arith::OrIOp>([](auto) -> Compute { return [](Operands x) { return x[0] | x[1]; }; })
      .Case<arith::XOrIOp>([](auto) -> Compute { return [](Operands x) { return x[0] ^ x[1]; }; })
      .Case<arith::ShLIOp>(
          [](auto) -> Compute { return [](Operands x) { return shiftLeft(x[0], x[1]); }; })
      .Case<arith::ShRSIOp>(
          [](auto) -> Compute { return [](Operands x) { return shiftRight(x[0], x[1]); }; })
      .Case<arith::MinSIOp>(
          [](auto) -> Compute { return [](Operands x) { return std::min(x[0], x[1]); }; })
      .Case<arith::MaxSIOp>(
          [](auto) -> Compute { return [](Operands x) { return std::max(x[0], x[1]); }; })
      .Case<FloorDivOp>(
          [](auto) -> Compute { return [](Operands x) { return numerics::floorDiv(x[0], x[1]); }; })
      .Case<FloorModOp>(
          [](auto) -> Compute { return [](Operands x) { return numerics::floorMod(x[0], x[1]); }; })
      .Case<arith::CmpIOp>([](arith::CmpIOp comparison) -> Compute {
        return [predicate = comparison.getPredicate()](Operands x) {
          return compare(predicate, x[0], x[1]);
        };
      })
      .Case<arith::SelectOp>(
          [](auto) -> Compute { return [](Operands x) { return x[0] ? x[1] : x[2]; }; })
      .Default(nullptr);
}

/// The operands that affect the result: only the first of a name or a claim of presence.
static OperandRange getComputing(Operation *op) {
  return isa<UnwrapOp>(op) ? op->getOperands().take_front(1) : op->getOperands();
}

std::optional<unsigned> KnownIntegers::addStep(Value value, Formula &formula,
                                               DenseMap<Value, unsigned> &steps) const {
  if (auto known = steps.find(value); known != steps.end())
    return known->second;
  Step step;
  if (std::optional<unsigned> index = domain.find(value)) {
    step.index = *index;
  } else {
    Operation *op = value.getDefiningOp();
    step.compute = op && value.getType().isIntOrIndex() ? getCompute(op) : nullptr;
    if (!step.compute)
      return std::nullopt;
    for (Value operand : getComputing(op)) {
      std::optional<unsigned> number = addStep(operand, formula, steps);
      if (!number)
        return std::nullopt;
      step.operands.push_back(*number);
    }
  }
  formula.push_back(std::move(step));
  return steps[value] = formula.size() - 1;
}

std::optional<KnownIntegers::Formula> KnownIntegers::makeFormula(Value value) const {
  Formula formula;
  DenseMap<Value, unsigned> steps;
  return addStep(value, formula, steps) ? std::optional(std::move(formula)) : std::nullopt;
}

std::optional<int64_t> KnownIntegers::get(Value value, ArrayRef<int64_t> point) {
  auto [entry, isNew] = formulas.try_emplace(value);
  if (isNew)
    entry->second = makeFormula(value);
  if (!entry->second)
    return std::nullopt;
  SmallVector<int64_t, 8> results;
  SmallVector<int64_t, 3> operands;
  for (const Step &step : *entry->second) {
    if (!step.compute) {
      results.push_back(point[step.index]);
      continue;
    }
    operands.clear();
    for (unsigned operand : step.operands)
      operands.push_back(results[operand]);
    results.push_back(step.compute(operands));
  }
  return results.back();
}

std::optional<IndexRange> KnownIntegers::getLimits(const FreeLimits &limits,
                                                   ArrayRef<int64_t> outer) {
  std::optional<int64_t> low = get(limits.low, outer), high = get(limits.high, outer);
  return low && high ? std::optional(IndexRange{*low, *high}) : std::nullopt;
}

SmallVector<ParamOp> mlir::lci::getGatheringParams(ReadOp read) {
  SmallVector<Value> open(read.getIndices());
  for (Operation *op = read->getParentOp(); op && !isa<ProgramOp>(op); op = op->getParentOp())
    for (const FreeLimits &limit : getLimits(op))
      open.append({limit.low, limit.high});
  llvm::SetVector<Operation *> params;
  DenseSet<Value> seen;
  while (!open.empty()) {
    Value value = open.pop_back_val();
    Operation *op = seen.insert(value).second ? value.getDefiningOp() : nullptr;
    if (!op)
      continue;
    if (auto param = dyn_cast<ParamValueOp>(op))
      params.insert(SymbolTable::lookupNearestSymbolFrom(param, param.getParamAttr()));
    llvm::append_range(open, op->getOperands());
  }
  return llvm::map_to_vector(params, [](Operation *op) { return cast<ParamOp>(op); });
}

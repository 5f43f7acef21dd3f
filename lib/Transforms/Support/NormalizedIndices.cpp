//===- NormalizedIndices.cpp - Compare indices of two parallel loops ------===//
//
// Normalizes indices of `scf.parallel` bodies to (sum of values + constant) /
// divisor. Looks through additions, affine sums, exact divisions, and casts and
// limits without effect for the ranges of the induction variables.
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/Support/NormalizedIndices.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::lci;

/// The sum of two indices; nothing if their divisors differ.
static std::optional<NormalizedIndex> add(NormalizedIndex sum, NormalizedIndex other) {
  if (sum.values.empty())
    std::swap(sum, other);
  if (other.values.empty()) // a constant has no divisor
    other = {{}, other.number * sum.divisor, sum.divisor};
  if (sum.divisor != other.divisor)
    return std::nullopt;
  llvm::append_range(sum.values, other.values);
  llvm::sort(sum.values, [](Value a, Value b) {
    return std::less<>()(a.getAsOpaquePointer(), b.getAsOpaquePointer());
  });
  sum.number += other.number;
  return sum;
}

static unsigned getBits(Type type) { return type.isIndex() ? 64 : type.getIntOrFloatBitWidth(); }

/// A cast between index and i64 loses nothing.
static bool isWide(Operation *cast) {
  return getBits(cast->getOperand(0).getType()) == 64 &&
         getBits(cast->getResult(0).getType()) == 64;
}

static bool isSum(affine::AffineApplyOp apply) {
  bool isSum = true;
  apply.getAffineMap().getResult(0).walk([&](AffineExpr part) {
    isSum &= part.getKind() == AffineExprKind::Add || !isa<AffineBinaryOpExpr>(part);
  });
  return isSum;
}

NormalizedIndex NormalizedIndices::find(Value value) {
  if (std::optional<int64_t> number = getConstantIntValue(value))
    return {{}, *number};
  Operation *op = value.getDefiningOp();
  if (auto apply = dyn_cast_or_null<affine::AffineApplyOp>(op); apply && isSum(apply))
    return findApplied(apply, apply.getAffineMap().getResult(0));
  std::optional<NormalizedIndex> found;
  if (auto sum = dyn_cast_or_null<arith::AddIOp>(op)) {
    found = add(find(sum.getLhs()), find(sum.getRhs()));
  } else if (auto quotient = dyn_cast_or_null<arith::DivUIOp>(op)) {
    if (std::optional<int64_t> divisor = getConstantIntValue(quotient.getRhs()))
      found = divide(find(quotient.getLhs()), *divisor);
    // Casts and limits without effect for the range of the induction variables.
  } else if (isa_and_nonnull<arith::IndexCastOp, arith::IndexCastUIOp>(op)) {
    NormalizedIndex place = find(op->getOperand(0));
    if (isWide(op) || isBelow(place, llvm::maxIntN(getBits(value.getType()))))
      found = place;
  } else if (auto limited = dyn_cast_or_null<arith::MinUIOp>(op)) {
    NormalizedIndex place = find(limited.getLhs());
    std::optional<int64_t> most = getConstantIntValue(limited.getRhs());
    if (most && isBelow(place, *most))
      found = place;
  }
  return found ? *found : NormalizedIndex{{firstVariables.lookupOrDefault(value)}, 0};
}

NormalizedIndex NormalizedIndices::findApplied(affine::AffineApplyOp apply, AffineExpr part) {
  if (auto sum = dyn_cast<AffineBinaryOpExpr>(part)) {
    NormalizedIndex left = findApplied(apply, sum.getLHS()),
                    right = findApplied(apply, sum.getRHS());
    std::optional<NormalizedIndex> both = add(left, right);
    return both ? *both : NormalizedIndex{{apply.getResult()}, 0};
  }
  if (auto number = dyn_cast<AffineConstantExpr>(part))
    return {{}, number.getValue()};
  if (auto dim = dyn_cast<AffineDimExpr>(part))
    return find(apply.getMapOperands()[dim.getPosition()]);
  unsigned numDims = apply.getAffineMap().getNumDims();
  return find(apply.getMapOperands()[numDims + cast<AffineSymbolExpr>(part).getPosition()]);
}

/// An index divided by a constant; nothing if there may be a remainder.
std::optional<NormalizedIndex> NormalizedIndices::divide(const NormalizedIndex &place,
                                                         int64_t divisor) {
  bool isWhole = divisor > 0 && place.divisor == 1 && place.number % divisor == 0 &&
                 isBelow(place, std::numeric_limits<int64_t>::max()) &&
                 llvm::all_of(place.values, [&](Value value) {
                   Steps steps = *getSteps(value);
                   return steps.begin % divisor == 0 && steps.step % divisor == 0;
                 });
  return isWhole ? std::optional(NormalizedIndex{place.values, place.number, divisor})
                 : std::nullopt;
}

std::optional<NormalizedIndices::Steps> NormalizedIndices::getSteps(Value variable) {
  SmallVector<Value> variables = loop.getInductionVars();
  auto *found = llvm::find(variables, variable);
  if (found == variables.end())
    return std::nullopt;
  unsigned axis = found - variables.begin();
  std::optional<int64_t> begin = getConstantIntValue(loop.getLowerBound()[axis]);
  std::optional<int64_t> end = getConstantIntValue(loop.getUpperBound()[axis]);
  std::optional<int64_t> step = getConstantIntValue(loop.getStep()[axis]);
  if (!begin || !end || !step || *begin < 0 || *end <= *begin || *step < 1)
    return std::nullopt;
  return Steps{*begin, *step, *begin + (*end - *begin - 1) / *step * *step};
}

/// Whether a sum of induction variables and a constant is surely from zero up to a limit.
bool NormalizedIndices::isBelow(const NormalizedIndex &place, int64_t limit) {
  int64_t most = place.number;
  for (Value value : place.values) {
    std::optional<Steps> steps = getSteps(value);
    if (!steps)
      return false;
    most += steps->last;
  }
  return place.number >= 0 && most / place.divisor <= limit;
}

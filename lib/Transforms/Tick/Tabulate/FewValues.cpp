//===- FewValues.cpp - Values of a tick's body that few integers determine ===//
//
// Computes for each expression the smallest set of integers (deciders) with
// known ranges that determines it, bottom-up over operands, preferring an
// integer to its operands if it has fewer values.
//
//===----------------------------------------------------------------------===//

#include "FewValues.h"
#include "LCI/Dialect/TickBuilders.h"
#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::lci;

int64_t mlir::lci::countValues(ArrayRef<FewInteger> deciders) {
  int64_t product = 1;
  for (const FewInteger &decider : deciders)
    if (llvm::MulOverflow(product, decider.count, product))
      return std::numeric_limits<int64_t>::max();
  return product;
}

bool FewValues::isExpression(Operation *op) {
  if (op->getNumRegions() != 0 || op->getNumResults() != 1 || !isPure(op) ||
      !op->getResult(0).getType().isIntOrIndexOrFloat())
    return false;
  return isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) ||
         isa<tensor::ExtractOp, ElementaryOp, ElementaryBinaryOp, FloorDivOp, FloorModOp, PowerOp,
             ThresholdOp>(op);
}

/// Whether a tensor is never written in the function, so that its contents before a tick are those
/// in it.
static bool isFixed(Value tensor) {
  if (matchPattern(tensor, m_Constant()))
    return true;
  auto argument = dyn_cast<BlockArgument>(tensor);
  if (!argument || !isa<func::FuncOp>(argument.getOwner()->getParentOp()))
    return false;
  return llvm::all_of(argument.getUses(), [](OpOperand &use) {
    auto reader = dyn_cast<TickOp>(use.getOwner());
    if (!reader)
      return isa<tensor::ExtractOp>(use.getOwner());
    return use.get() != reader.getTarget() && use.get() != reader.getCounts() &&
           use.get() != reader.getScores();
  });
}

/// Arguments of the body that are no indices, the epoch, the phase, the seed and inputs, are.
bool FewValues::isSameForAllCells(Value value) {
  if (matchPattern(value, m_Constant()))
    return true;
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != &tick.getBody().front() ||
      argument.getArgNumber() < tick.getRank())
    return false;
  if (!isa<TensorType>(argument.getType()))
    return true;
  return isFixed(tick.getInputs()[argument.getArgNumber() - tick.getRank() - 3]);
}

/// The least value of a range and its span, signed or unsigned, whichever is smaller.
static std::optional<std::pair<int64_t, uint64_t>> spanOf(const ConstantIntRanges &range) {
  if (range.smin().getBitWidth() > 64)
    return std::nullopt;
  uint64_t plain = (range.umax() - range.umin()).getZExtValue();
  uint64_t withSign = (range.smax() - range.smin()).getZExtValue();
  if (plain <= withSign && range.umax().isIntN(63))
    return std::pair<int64_t, uint64_t>(range.umin().getZExtValue(), plain);
  return std::pair<int64_t, uint64_t>(range.smin().getSExtValue(), withSign);
}

/// The integer itself, if its range is small.
std::optional<FewInteger> FewValues::asInteger(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value);
      argument && argument.getOwner() == &tick.getBody().front()) {
    if (argument.getArgNumber() >= tick.getRank())
      return std::nullopt;
    IndexRange range = getIndexRanges(tick)[argument.getArgNumber()];
    bool isFew = !range.isEmpty() && range.size() <= maxValues;
    return isFew ? std::optional(FewInteger{value, range.lower, range.size()}) : std::nullopt;
  }
  auto *lattice = solver.lookupState<dataflow::IntegerValueRangeLattice>(value);
  if (!value.getType().isIntOrIndex() || !lattice || lattice->getValue().isUninitialized())
    return std::nullopt;
  auto span = spanOf(lattice->getValue().getValue());
  if (!span || span->second >= static_cast<uint64_t>(maxValues))
    return std::nullopt;
  return FewInteger{value, span->first, static_cast<int64_t>(span->second) + 1};
}

static bool contains(ArrayRef<FewInteger> deciders, Value value) {
  return llvm::any_of(deciders, [&](const FewInteger &mine) { return mine.value == value; });
}

std::optional<Deciders> FewValues::findBehind(Operation *op) {
  if (auto entry = knownBehind.find(op); entry != knownBehind.end())
    return entry->second;
  std::optional<Deciders> behind = isExpression(op) ? collectBehind(op) : std::nullopt;
  return knownBehind[op] = behind;
}

std::optional<Deciders> FewValues::collectBehind(Operation *op) {
  Deciders all;
  for (Value operand : op->getOperands()) {
    std::optional<Deciders> mine = find(operand);
    if (!mine)
      return std::nullopt;
    for (const FewInteger &decider : *mine)
      if (!contains(all, decider.value))
        all.push_back(decider);
  }
  shrink(all);
  return countValues(all) <= maxValues ? std::optional(all) : std::nullopt;
}

/// Replaces deciders by their operands if that is fewer combinations: two scores with nine values
/// each that the same two integers determine have ten values together, not 81.
void FewValues::shrink(Deciders &all) {
  dropDecided(all);
  for (size_t i = 0; i < all.size(); ++i) {
    Operation *op = all[i].value.getDefiningOp();
    std::optional<Deciders> behind = op ? findBehind(op) : std::nullopt;
    if (!behind)
      continue;
    Deciders other(all);
    for (const FewInteger &decider : *behind)
      if (!contains(other, decider.value))
        other.push_back(decider);
    dropDecided(other);
    if (countValues(other) >= countValues(all))
      continue;
    all = other;
    i = -1; // restart; the count decreases each time
  }
}

/// Drops deciders that are determined by the others, such as comparisons of integers that index the
/// table.
void FewValues::dropDecided(Deciders &all) {
  for (size_t i = all.size(); i-- > 0;) {
    Operation *op = all[i].value.getDefiningOp();
    std::optional<Deciders> behind = op ? findBehind(op) : std::nullopt;
    if (behind && llvm::all_of(*behind, [&](const FewInteger &decider) {
          return contains(all, decider.value);
        }))
      all.erase(all.begin() + i);
  }
}

/// An integer is preferred to the deciders of its operands if it has fewer values.
std::optional<Deciders> FewValues::find(Value value) {
  if (isSameForAllCells(value))
    return Deciders{};
  if (auto entry = known.find(value); entry != known.end())
    return entry->second;
  std::optional<FewInteger> integer = asInteger(value);
  Operation *op = value.getDefiningOp();
  std::optional<Deciders> behind = op ? findBehind(op) : std::nullopt;
  if (integer && (!behind || integer->count < countValues(*behind) ||
                  (integer->count == countValues(*behind) && behind->size() > 1)))
    behind = Deciders{*integer};
  return known[value] = behind;
}

//===- BindSizes.cpp - Replace sizes by constants -------------------------===//
//
// Substitutes the symbols of all maps, sets and shapes of a program by the
// bound sizes, after checks that divisions are exact and that extents and
// indices fit 64 bits.
//
//===----------------------------------------------------------------------===//

#include "BindSteps.h"
#include "LCI/Analysis/AffineSystem.h"
#include "LCI/Analysis/Notation.h"
#include "LCI/Dialect/DeclarationIndex.h"
#include "LCI/Dialect/Declarations.h"
#include "LCI/Dialect/IndexRange.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace mlir::lci;

/// The number of each size in the program's order; one error names all that are missing.
static FailureOr<SmallVector<int64_t>> getNumbers(ProgramOp program, const BindOptions &options) {
  SmallVector<int64_t> numbers;
  SmallVector<StringRef> missing;
  for (StringRef name : program.getSizes().getAsValueRange<StringAttr>()) {
    auto found = options.sizes.find(name);
    if (found == options.sizes.end()) {
      missing.push_back(name);
      continue;
    }
    if (found->second < 0)
      return emitError(program.getLoc(), "expected a size of at least 0, but ")
             << ErrorId::UnfitSize << name << " is " << found->second;
    numbers.push_back(found->second);
  }
  if (missing.empty())
    return numbers;
  InFlightDiagnostic error = emitError(program.getLoc(), "these sizes have no number: ")
                             << ErrorId::UnboundSize << llvm::join(missing, ", ");
  error.attachNote() << "give all of them to the pass, as in --lci-bind='sizes=" << missing.front()
                     << "=8'";
  return failure();
}

//===----------------------------------------------------------------------===//
// Division in shapes
//===----------------------------------------------------------------------===//

/// A sum or a product of sizes, or nothing after an error: shapes are 64-bit numbers.
static std::optional<int64_t> combine(AffineBinaryOpExpr binary, int64_t left, int64_t right,
                                      ArrayRef<StringRef> names, Operation *op) {
  std::optional<int64_t> number = binary.getKind() == AffineExprKind::Add
                                      ? llvm::checkedAdd(left, right)
                                      : llvm::checkedMul(left, right);
  if (!number)
    emitError(op->getLoc(), "the shape of ")
        << ErrorId::UnfitSize << describe(op) << " has " << print(binary, {}, names)
        << ", which 64 bits do not hold";
  return number;
}

/// The value of an expression over the sizes, or nothing after an error: divisions in a shape must
/// be exact.
static std::optional<int64_t> divideExactly(AffineExpr expression, ArrayRef<int64_t> numbers,
                                            ArrayRef<StringRef> names, Operation *op) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expression))
    return constant.getValue();
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expression))
    return numbers[symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expression);
  std::optional<int64_t> left = divideExactly(binary.getLHS(), numbers, names, op);
  std::optional<int64_t> right = divideExactly(binary.getRHS(), numbers, names, op);
  if (!left || !right)
    return std::nullopt;
  if (binary.getKind() == AffineExprKind::Add || binary.getKind() == AffineExprKind::Mul)
    return combine(binary, *left, *right, names, op);
  if (*right <= 0) {
    emitError(op->getLoc(), "the shape of ")
        << ErrorId::UnfitSize << describe(op) << " divides by " << print(binary.getRHS(), {}, names)
        << " = " << *right;
    return std::nullopt;
  }
  int64_t remainder = *left - llvm::divideFloorSigned(*left, *right) * *right;
  if (binary.getKind() == AffineExprKind::Mod)
    return remainder;
  if (remainder == 0)
    return *left / *right;
  emitError(op->getLoc(), "the shape of ")
      << ErrorId::UnfitSize << describe(op) << " divides " << print(binary.getLHS(), {}, names)
      << " = " << *left << " by " << *right << ", which leaves " << remainder;
  return std::nullopt;
}

static LogicalResult checkSizeMap(std::optional<AffineMap> map, ArrayRef<int64_t> numbers,
                                  ArrayRef<StringRef> names, Operation *op, StringRef noun) {
  if (!map)
    return success();
  std::optional<int64_t> all = 1;
  SmallVector<int64_t> extents;
  for (AffineExpr result : map->getResults()) {
    std::optional<int64_t> number = divideExactly(result, numbers, names, op);
    if (!number)
      return failure();
    if (*number < 1)
      return emitError(op->getLoc(), "expected ")
             << ErrorId::UnfitSize << noun << " of at least 1 for " << describe(op) << ", but "
             << print(result, {}, names) << " is " << *number;
    extents.push_back(*number);
    all = all ? llvm::checkedMul(*all, *number) : std::nullopt;
  }
  if (all && *all < kNumberLimit)
    return success();
  InFlightDiagnostic error = emitError(op->getLoc(), "expected less than 2^60 numbers of ")
                             << ErrorId::UnfitSize << describe(op) << ", but got ";
  llvm::interleave(extents, error, " x ");
  return error;
}

static LogicalResult checkShapes(ProgramOp program, ArrayRef<int64_t> numbers,
                                 ArrayRef<StringRef> names) {
  LogicalResult result = success();
  for (Operation &op : program.getBody().front()) {
    if (auto value = dyn_cast<ValueOp>(op))
      if (failed(checkSizeMap(value.getShape(), numbers, names, value, "an extent")) ||
          failed(checkSizeMap(value.getVocabulary(), numbers, names, value, "a vocabulary")))
        result = failure();
    if (auto param = dyn_cast<ParamOp>(op))
      if (failed(checkSizeMap(param.getShape(), numbers, names, param, "an extent")))
        result = failure();
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Substitution
//===----------------------------------------------------------------------===//

namespace {
/// Replaces the symbols of maps and sets by constants and simplifies the results.
class Substitution {
public:
  Substitution(MLIRContext *context, ArrayRef<int64_t> numbers) {
    for (int64_t number : numbers)
      symbols.push_back(getAffineConstantExpr(number, context));
    replacer.addReplacement([this](AffineMapAttr map) -> std::optional<Attribute> {
      return AffineMapAttr::get(apply(map.getValue()));
    });
    replacer.addReplacement([this](IntegerSetAttr set) -> std::optional<Attribute> {
      return IntegerSetAttr::get(apply(set.getValue()));
    });
  }

  LogicalResult run(Operation *op) {
    replacer.replaceElementsIn(op);
    if (tooLarge)
      return emitError(op->getLoc(), "the index ")
             << ErrorId::UnfitSize << print(tooLarge) << " leaves 64 bits";
    if (!badDivision)
      return success();
    return emitError(op->getLoc(), "divides by ")
           << ErrorId::UnfitSize << print(cast<AffineBinaryOpExpr>(badDivision).getRHS())
           << " in an index, which must be a positive number";
  }

private:
  AffineExpr apply(AffineExpr expression, unsigned numDims) {
    AffineExpr bound = expression.replaceSymbols(symbols);
    if (AffineExpr bad = findBadDivision(bound))
      badDivision = bad;
    if (badDivision)
      return bound;
    if (!fitsIndices(bound, numDims))
      tooLarge = bound;
    return simplifyAffineExpr(bound, numDims, 0);
  }

  AffineMap apply(AffineMap map) {
    SmallVector<AffineExpr> results;
    for (AffineExpr result : map.getResults())
      results.push_back(apply(result, map.getNumDims()));
    return AffineMap::get(map.getNumDims(), 0, results, map.getContext());
  }

  IntegerSet apply(IntegerSet set) {
    SmallVector<AffineExpr> constraints;
    SmallVector<bool> equalities;
    for (auto [constraint, isEquality] : llvm::zip(set.getConstraints(), set.getEqFlags())) {
      AffineExpr form = apply(constraint, set.getNumDims());
      auto constant = dyn_cast<AffineConstantExpr>(form);
      if (constant && (isEquality ? constant.getValue() == 0 : constant.getValue() >= 0))
        continue; // holds everywhere
      if (constant)
        return IntegerSet::getEmptySet(set.getNumDims(), 0, form.getContext());
      constraints.push_back(form);
      equalities.push_back(isEquality);
    }
    if (constraints.empty()) {
      constraints.push_back(getAffineConstantExpr(0, set.getContext()));
      equalities.push_back(true);
    }
    return IntegerSet::get(set.getNumDims(), 0, constraints, equalities);
  }

  SmallVector<AffineExpr> symbols;
  AffineExpr badDivision, tooLarge;
  AttrTypeReplacer replacer;
};
} // namespace

/// Removes the sets of a union that turned out to be empty.
static void dropEmptySets(Operation *op) {
  auto where = op->getAttrOfType<ArrayAttr>("where");
  if (!where)
    return;
  SmallVector<Attribute> kept = llvm::filter_to_vector(where, [](Attribute set) {
    return !cast<IntegerSetAttr>(set).getValue().isEmptyIntegerSet();
  });
  if (kept.size() != where.size())
    op->setAttr("where", ArrayAttr::get(op->getContext(), kept));
}

static void foldSize(SizeOp size, ArrayRef<StringRef> names, ArrayRef<int64_t> numbers) {
  OpBuilder builder(size);
  int64_t number = numbers[llvm::find(names, size.getName()) - names.begin()];
  size.replaceAllUsesWith(
      arith::ConstantIntOp::create(builder, size.getLoc(), number, 64).getResult());
  size.erase();
}

/// `any in lo..hi` stays inside the vocabulary.
static LogicalResult checkRange(EmitOp emit) {
  if (!emit.getRange())
    return success();
  auto rule = cast<RuleOp>(emit->getParentOp());
  ValueOp value = rule->getParentOfType<ProgramOp>().lookupValue(rule.getValue());
  int64_t size = *value.getVocabularySize();
  int64_t first = cast<AffineConstantExpr>(emit.getRange()->getResult(0)).getValue();
  int64_t last = cast<AffineConstantExpr>(emit.getRange()->getResult(1)).getValue();
  if (0 <= first && first <= last && last < size)
    return success();
  return emitError(emit.getLoc(), "expected candidates within 0..")
         << ErrorId::OutsideVocabulary << size - 1 << ", the vocabulary of '" << rule.getValue()
         << "', but got " << first << ".." << last;
}

LogicalResult mlir::lci::bindSizes(ProgramOp program, const BindOptions &options) {
  if (program.isBound())
    return success();
  FailureOr<SmallVector<int64_t>> numbers = getNumbers(program, options);
  if (failed(numbers))
    return failure();
  DeclarationIndex index(program);
  SmallVector<StringRef> names(program.getSizes().getAsValueRange<StringAttr>());
  if (failed(checkShapes(program, *numbers, names)))
    return failure();
  Substitution substitution(program.getContext(), *numbers);
  WalkResult result = program.walk([&](Operation *op) {
    return op == program || succeeded(substitution.run(op)) ? WalkResult::advance()
                                                            : WalkResult::interrupt();
  });
  if (result.wasInterrupted())
    return failure();
  program.walk(dropEmptySets);
  program.walk([&](SizeOp size) { foldSize(size, names, *numbers); });
  program.setExtents(*numbers);
  result = program.walk([&](EmitOp emit) {
    return failed(checkRange(emit)) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

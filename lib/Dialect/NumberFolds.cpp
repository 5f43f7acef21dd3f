//===- NumberFolds.cpp - Fold functions of constants ----------------------===//
//
// Uses the interpreter's evaluation, so that a folded program has the bits of one that is not.
//
//===----------------------------------------------------------------------===//

#include "LCI/Dialect/LCIOps.h"
#include "LCI/Numerics/Functions.h"
#include "LCI/Numerics/Stream.h"
#include "mlir/Dialect/CommonFolders.h"

using namespace mlir;
using namespace mlir::lci;
namespace numerics = ::lci::numerics;

// The dialect's enumerations and those of the numerics are one list.
static_assert(static_cast<int>(Elementary::Exp) == static_cast<int>(numerics::Unary::Exp) &&
              static_cast<int>(Elementary::Tan) == static_cast<int>(numerics::Unary::Tan) &&
              static_cast<int>(Elementary::Atan) == static_cast<int>(numerics::Unary::Atan) &&
              static_cast<int>(Elementary::Rsqrt) == static_cast<int>(numerics::Unary::Rsqrt) &&
              static_cast<int>(ElementaryBinary::Atan2) ==
                  static_cast<int>(numerics::Binary::Atan2));

OpFoldResult ElementaryOp::fold(FoldAdaptor adaptor) {
  auto function = static_cast<numerics::Unary>(getFunction());
  return constFoldUnaryOp<FloatAttr, APFloat, void>(adaptor.getOperands(), [&](const APFloat &x) {
    return APFloat(numerics::evaluate(function, x.convertToFloat()));
  });
}

OpFoldResult ElementaryBinaryOp::fold(FoldAdaptor adaptor) {
  auto function = static_cast<numerics::Binary>(getFunction());
  return constFoldBinaryOp<FloatAttr, APFloat, void>(
      adaptor.getOperands(), [&](const APFloat &x, const APFloat &y) {
        return APFloat(numerics::evaluate(function, x.convertToFloat(), y.convertToFloat()));
      });
}

OpFoldResult ThresholdOp::fold(FoldAdaptor adaptor) {
  auto probability = dyn_cast_or_null<FloatAttr>(adaptor.getProbability());
  if (!probability)
    return {};
  return IntegerAttr::get(getType(), numerics::threshold(probability.getValue().convertToFloat()));
}

void ThresholdOp::inferResultRanges(ArrayRef<ConstantIntRanges>, SetIntRangeFn setRange) {
  setRange(getResult(),
           ConstantIntRanges::fromUnsigned(APInt(64, 0), APInt(64, numerics::kAlways)));
}

LogicalResult PhiloxOp::inferReturnTypes(MLIRContext *, std::optional<Location>, Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  types.assign(adaptor.getCounters().size(), adaptor.getLow().getType());
  return success();
}

LogicalResult PhiloxOp::verify() {
  size_t numWords = getCounters().size();
  if (numWords == 0 || numWords % 4 != 0)
    return emitOpError("expected four words of each counter, but got ")
           << ErrorId::InvalidTypes << numWords;
  if (getNumResults() != numWords)
    return emitOpError("expected ")
           << ErrorId::InvalidTypes << numWords << " results, but got " << getNumResults();
  return success();
}

/// Folds each element, if all operands are constants.
LogicalResult PhiloxOp::fold(FoldAdaptor adaptor, SmallVectorImpl<OpFoldResult> &results) {
  SmallVector<SmallVector<uint64_t>> operands;
  for (Attribute operand : adaptor.getOperands()) {
    auto numbers = dyn_cast_or_null<DenseIntElementsAttr>(operand);
    if (auto number = dyn_cast_or_null<IntegerAttr>(operand))
      operands.push_back({number.getValue().getZExtValue()});
    else if (numbers)
      operands.push_back(llvm::to_vector(numbers.getValues<uint64_t>()));
    else
      return failure();
  }
  SmallVector<SmallVector<uint64_t>> words(getNumResults());
  for (size_t i = 0; i < operands.front().size(); ++i) {
    std::vector<uint64_t> numbers;
    for (ArrayRef<uint64_t> operand : operands)
      numbers.push_back(operand[i]);
    for (auto [word, drawn] : llvm::zip_equal(words, numerics::drawBlocks(numbers)))
      word.push_back(drawn);
  }
  Type type = getLow().getType();
  for (ArrayRef<uint64_t> drawn : words) {
    if (auto shaped = dyn_cast<ShapedType>(type))
      results.push_back(DenseElementsAttr::get(shaped, drawn));
    else
      results.push_back(IntegerAttr::get(type, static_cast<int64_t>(drawn.front())));
  }
  return success();
}

void PhiloxOp::inferResultRanges(ArrayRef<ConstantIntRanges>, SetIntRangeFn setRange) {
  APInt most(64, numerics::kLow32);
  for (Value word : getWords())
    setRange(word, ConstantIntRanges::fromUnsigned(APInt(64, 0), most));
}

//===- NumberFolds.cpp - Functions of constants -----------------------------===//
//
// The interpreter's own evaluation, so that a folded program has the bits of one that is not.
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

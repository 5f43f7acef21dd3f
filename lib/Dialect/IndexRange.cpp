//===- IndexRange.cpp - Bounds of affine expressions over boxes -----------===//

#include "LCI/Dialect/IndexRange.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::lci;

/// The remainders of a range by a positive divisor.
static IndexRange getRemainders(IndexRange range, int64_t divisor) {
  if (llvm::divideFloorSigned(range.lower, divisor) !=
      llvm::divideFloorSigned(range.upper, divisor))
    return {0, divisor - 1};
  return {llvm::mod(range.lower, divisor), llvm::mod(range.upper, divisor)};
}

/// Bounds a quotient or a remainder by a constant. Upstream's `getBoundForAffineExpr` gives a wrong
/// lower bound for remainders: it takes both ends of the dividend for the lower one.
static std::optional<IndexRange> divide(AffineExprKind kind, IndexRange range, AffineExpr by) {
  auto divisor = dyn_cast<AffineConstantExpr>(by);
  if (!divisor || divisor.getValue() < 1)
    return std::nullopt;
  int64_t number = divisor.getValue();
  if (kind == AffineExprKind::Mod)
    return getRemainders(range, number);
  auto quotient = kind == AffineExprKind::FloorDiv ? llvm::divideFloorSigned<int64_t, int64_t>
                                                   : llvm::divideCeilSigned<int64_t, int64_t>;
  return IndexRange{quotient(range.lower, number), quotient(range.upper, number)};
}

/// From the least end to the largest, if none of them overflowed.
static std::optional<IndexRange> makeRange(ArrayRef<std::optional<int64_t>> ends) {
  if (llvm::is_contained(ends, std::nullopt))
    return std::nullopt;
  return IndexRange{**llvm::min_element(ends), **llvm::max_element(ends)};
}

std::optional<IndexRange> mlir::lci::computeRange(AffineExpr expr, ArrayRef<IndexRange> dims) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return IndexRange{constant.getValue(), constant.getValue()};
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    IndexRange range = dims[dim.getPosition()];
    return range.isEmpty() ? std::nullopt : std::optional(range);
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return std::nullopt; // a symbol
  std::optional<IndexRange> left = computeRange(binary.getLHS(), dims);
  std::optional<IndexRange> right = computeRange(binary.getRHS(), dims);
  if (!left || !right)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Add)
    return makeRange(
        {llvm::checkedAdd(left->lower, right->lower), llvm::checkedAdd(left->upper, right->upper)});
  if (expr.getKind() != AffineExprKind::Mul)
    return divide(expr.getKind(), *left, binary.getRHS());
  // One factor is a constant.
  return makeRange(
      {llvm::checkedMul(left->lower, right->lower), llvm::checkedMul(left->lower, right->upper),
       llvm::checkedMul(left->upper, right->lower), llvm::checkedMul(left->upper, right->upper)});
}

bool mlir::lci::fitsIndices(AffineExpr form, unsigned numDims) {
  constexpr int64_t limit = int64_t(1) << 31;
  return computeRange(form, SmallVector<IndexRange>(numDims, {-limit, limit})).has_value();
}

void mlir::lci::forEachPoint(ArrayRef<IndexRange> box,
                             function_ref<void(ArrayRef<int64_t>)> visit) {
  SmallVector<int64_t> point;
  for (IndexRange side : box) {
    if (side.size() == 0)
      return;
    point.push_back(side.lower);
  }
  while (true) {
    visit(point);
    size_t axis = box.size();
    while (axis > 0 && ++point[axis - 1] > box[axis - 1].upper) {
      point[axis - 1] = box[axis - 1].lower;
      --axis;
    }
    if (axis == 0)
      return;
  }
}

void mlir::lci::forEachPoint(ArrayRef<int64_t> extents,
                             function_ref<void(ArrayRef<int64_t>)> visit) {
  forEachPoint(
      llvm::map_to_vector(extents, [](int64_t extent) { return IndexRange{0, extent - 1}; }),
      visit);
}

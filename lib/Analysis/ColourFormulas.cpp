//===- ColourFormulas.cpp - Colours given by a formula --------------------===//
//
// A remainder of a sum of multiples of the indices, or a remainder on each axis, is a set for each
// colour, which becomes strided boxes. A list of colours is compared with both.
//
//===----------------------------------------------------------------------===//

#include "ColourFormulas.h"
#include "LCI/Analysis/AffineSystem.h"

using namespace mlir;
using namespace mlir::lci;

ColourFormula mlir::lci::getSumFormula(ArrayRef<int64_t> steps, int64_t count,
                                       MLIRContext *context) {
  AffineExpr sum = getAffineConstantExpr(0, context), colour = getAffineSymbolExpr(0, context);
  for (auto [axis, step] : llvm::enumerate(steps))
    sum = sum + getAffineDimExpr(axis, context) * step;
  return {sum % count, IntegerSet::get(steps.size(), 1, (sum - colour) % count, true)};
}

ColourFormula mlir::lci::getDigitFormula(ArrayRef<int64_t> steps, ArrayRef<int64_t> periods,
                                         MLIRContext *context) {
  AffineExpr sum = getAffineConstantExpr(0, context), colour = getAffineSymbolExpr(0, context);
  SmallVector<AffineExpr> zeros;
  for (auto [axis, step] : llvm::enumerate(steps)) {
    if (step == 0)
      continue;
    AffineExpr index = getAffineDimExpr(axis, context);
    sum = sum + (index % periods[axis]) * step;
    zeros.push_back((index - colour.floorDiv(step)) % periods[axis]);
  }
  SmallVector<bool> equalities(zeros.size(), true);
  return {sum, IntegerSet::get(steps.size(), 1, zeros, equalities)};
}

namespace {
/// Tries formulas on all cells of a list of colours.
class ColourReader {
public:
  ColourReader(const Colouring &colouring, ValueOp value)
      : colouring(colouring), extents(*value.getExtents()), context(value.getContext()),
        strides(extents.size(), 1) {
    for (size_t axis = extents.size(); axis-- > 1;)
      strides[axis - 1] = strides[axis] * extents[axis];
    for (size_t axis = 0; axis < extents.size(); ++axis)
      steps.push_back(extents[axis] > 1 ? colouring.colours[strides[axis]] : 0);
  }

  std::optional<IntegerSet> readSum() {
    ColourFormula formula = getSumFormula(steps, colouring.count, context);
    return holdsEverywhere(formula.colour) ? std::optional(formula.cells) : std::nullopt;
  }

  /// Each axis gives a digit of the colour.
  std::optional<IntegerSet> readDigits() {
    SmallVector<int64_t> periods;
    int64_t numColours = 1;
    for (unsigned axis = 0; axis < extents.size(); ++axis) {
      periods.push_back(steps[axis] == 0 ? 1 : getPeriod(axis));
      numColours *= periods.back();
    }
    if (llvm::all_of(steps, [](int64_t step) { return step == 0; }) ||
        numColours != colouring.count)
      return std::nullopt;
    ColourFormula formula = getDigitFormula(steps, periods, context);
    return holdsEverywhere(formula.colour) ? std::optional(formula.cells) : std::nullopt;
  }

private:
  int64_t getPeriod(unsigned axis) {
    int64_t period = 1;
    while (period < extents[axis] && colouring.colours[period * strides[axis]] != 0)
      ++period;
    return period;
  }

  bool holdsEverywhere(AffineExpr formula) {
    SmallVector<int64_t> cell(extents.size(), 0);
    for (int64_t colour : colouring.colours) {
      if (evaluateAt(formula, cell) != colour)
        return false;
      for (size_t axis = cell.size(); axis-- > 0 && ++cell[axis] == extents[axis];)
        cell[axis] = 0;
    }
    return true;
  }

  const Colouring &colouring;
  SmallVector<int64_t> extents;
  MLIRContext *context;
  SmallVector<int64_t> strides, steps;
};
} // namespace

std::optional<IntegerSet> mlir::lci::getColourSet(const Colouring &colouring, ValueOp value) {
  if (colouring.formula)
    return colouring.formula->cells;
  ColourReader reader(colouring, value);
  if (std::optional<IntegerSet> sum = reader.readSum())
    return sum;
  return reader.readDigits();
}

//===- BindReferences.cpp - Check cells that constraints refer to ---------===//
//
// A constraint without `on` names its cells by a reference, `Vid[t, x1..x2,
// 0]`. Once sizes are constants, each range must be nonempty and within its
// axis, because nobody refers to missing cells on purpose.
//
//===----------------------------------------------------------------------===//

#include "BindSteps.h"
#include "LCI/Analysis/AffineSystem.h"
#include "LCI/Analysis/Notation.h"
#include "LCI/Dialect/IndexRange.h"
#include "mlir/IR/IntegerSet.h"

using namespace mlir;
using namespace mlir::lci;

/// Whether the axis has a name in the text: then `on` names the cells, and its condition may exceed
/// the extents.
static bool isNamed(ConstraintOp constraint, unsigned axis) {
  auto names = constraint->getAttrOfType<ArrayAttr>("lci.names");
  return names && axis < names.size() && !cast<StringAttr>(names[axis]).getValue().empty();
}

/// The range of an axis alone in a set, by `index - low >= 0` and `high - index >= 0`; nothing if
/// it is not bounded on both sides.
static std::optional<IndexRange> getRange(IntegerSet set, unsigned axis) {
  std::optional<int64_t> low, high;
  SmallVector<int64_t> origin(set.getNumDims(), 0), next(origin);
  next[axis] = 1;
  for (auto [form, isEquality] : llvm::zip(set.getConstraints(), set.getEqFlags())) {
    if (!form.isPureAffine() || !form.isFunctionOfDim(axis))
      continue;
    int64_t offset = evaluateAt(form, origin), factor = evaluateAt(form, next) - offset;
    if (factor == 1)
      low = -offset;
    if (factor == -1)
      high = offset;
    if (isEquality)
      low = high = factor == 1 ? -offset : offset;
  }
  return low && high ? std::optional(IndexRange{*low, *high}) : std::nullopt;
}

static LogicalResult checkReference(ConstraintOp constraint, ValueOp value, IntegerSet set,
                                    unsigned axis) {
  std::optional<IndexRange> range = getRange(set, axis);
  int64_t last = (*value.getExtents())[axis] - 1;
  if (!range || (!range->isEmpty() && range->lower >= 0 && range->upper <= last))
    return success();
  Location loc = constraint.getBody().front().getTerminator()->getLoc();
  InFlightDiagnostic error = emitError(loc) << ErrorId::OutsideValue << describe(constraint)
                                            << " is about the indices " << range->lower << ".."
                                            << range->upper << " of axis " << axis;
  return range->isEmpty()
             ? error << ", which are none"
             : error << ", but '" << value.getName() << "' has 0.." << last << " there";
}

LogicalResult mlir::lci::checkReferences(ProgramOp program) {
  LogicalResult result = success();
  for (auto constraint : program.getOps<ConstraintOp>()) {
    std::optional<ArrayAttr> where = constraint.getWhere();
    if (!where || where->size() != 1)
      continue;
    ValueOp value = program.lookupValue(constraint.getValue());
    IntegerSet set = cast<IntegerSetAttr>((*where)[0]).getValue();
    for (unsigned axis = 0; axis < value.getRank(); ++axis)
      if (!isNamed(constraint, axis) && failed(checkReference(constraint, value, set, axis)))
        result = failure();
  }
  return result;
}

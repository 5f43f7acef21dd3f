//===- Families.cpp - The extent of a family of free indices ----------------===//

#include "LCI/Analysis/Families.h"
#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Analysis/Presburger/Simplex.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/IntegerSet.h"

using namespace mlir;
using namespace mlir::lci;

/// The range of one dimension over the integer points of a polyhedron; nothing if it is unbounded.
static std::optional<IndexRange> getDimRange(const presburger::IntegerPolyhedron &points,
                                             unsigned dim) {
  presburger::Simplex simplex(points);
  if (simplex.isEmpty())
    return IndexRange();
  SmallVector<llvm::DynamicAPInt> direction(points.getNumVars() + 1);
  direction[dim] = 1;
  auto [lower, upper] = simplex.computeIntegerBounds(direction);
  if (lower.isUnbounded() || upper.isUnbounded())
    return std::nullopt;
  if (lower.isEmpty() || upper.isEmpty())
    return IndexRange();
  return IndexRange{llvm::int64fromDynamicAPInt(*lower), llvm::int64fromDynamicAPInt(*upper)};
}

std::optional<SmallVector<IndexRange>>
lci::computeFreeBox(ArrayAttr where, ArrayRef<IndexRange> outer, unsigned numFree) {
  SmallVector<IndexRange> box(numFree);
  for (auto set : where.getAsValueRange<IntegerSetAttr>()) {
    FlatLinearValueConstraints points(set);
    for (auto [position, range] : llvm::enumerate(outer)) {
      points.addBound(presburger::BoundType::LB, position, range.lower);
      points.addBound(presburger::BoundType::UB, position, range.upper);
    }
    for (unsigned free = 0; free < numFree; ++free) {
      std::optional<IndexRange> range = getDimRange(points, outer.size() + free);
      if (!range)
        return std::nullopt;
      if (range->isEmpty())
        break; // this set has no member at all
      bool first = box[free].isEmpty();
      box[free].lower = first ? range->lower : std::min(box[free].lower, range->lower);
      box[free].upper = first ? range->upper : std::max(box[free].upper, range->upper);
    }
  }
  return box;
}

std::optional<IndexRange> lci::computeRange(AffineExpr expr, ArrayRef<IndexRange> dims) {
  SmallVector<std::optional<int64_t>> lowers, uppers;
  for (IndexRange range : dims) {
    lowers.push_back(range.lower);
    uppers.push_back(range.upper);
  }
  auto bound = [&](bool isUpper) {
    return getBoundForAffineExpr(expr, dims.size(), 0, lowers, uppers, isUpper);
  };
  std::optional<int64_t> lower = bound(false), upper = bound(true);
  if (!lower || !upper)
    return std::nullopt;
  return IndexRange{*lower, *upper};
}

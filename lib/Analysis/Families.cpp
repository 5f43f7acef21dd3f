//===- Families.cpp - The extent of a family of free indices --------------===//

#include "LCI/Analysis/Families.h"
#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Analysis/Presburger/Simplex.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/IntegerSet.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::presburger;

/// The range of one variable over a polyhedron that is not empty; nothing if it is unbounded, an
/// empty range if it contains no integer.
static std::optional<IndexRange> getRange(Simplex &simplex, unsigned variable) {
  SmallVector<DynamicAPInt> direction(simplex.getNumVariables() + 1);
  direction[variable] = 1;
  auto [lower, upper] = simplex.computeIntegerBounds(direction);
  if (lower.isUnbounded() || upper.isUnbounded())
    return std::nullopt;
  if (lower.isEmpty() || upper.isEmpty())
    return IndexRange();
  const int64_t far = int64_t(1) << 62; // so that the size does not overflow
  if (*lower < -far || *upper >= far)
    return std::nullopt;
  return IndexRange{int64fromDynamicAPInt(*lower), int64fromDynamicAPInt(*upper)};
}

static void widen(IndexRange &all, IndexRange range) {
  bool isFirst = all.isEmpty();
  all.lower = isFirst ? range.lower : std::min(all.lower, range.lower);
  all.upper = isFirst ? range.upper : std::max(all.upper, range.upper);
}

std::optional<SmallVector<IndexRange>> mlir::lci::computeBox(const PresburgerRelation &relation) {
  SmallVector<IndexRange> box(relation.getNumDomainVars() + relation.getNumRangeVars());
  for (const IntegerRelation &disjunct : relation.getAllDisjuncts()) {
    Simplex simplex(disjunct);
    if (simplex.isEmpty())
      continue;
    SmallVector<IndexRange> mine;
    for (unsigned variable = 0; variable < box.size(); ++variable) {
      std::optional<IndexRange> range = getRange(simplex, variable);
      if (!range)
        return std::nullopt;
      mine.push_back(*range);
    }
    if (llvm::any_of(mine, [](IndexRange range) { return range.isEmpty(); }))
      continue; // no integer between its bounds
    for (auto [all, range] : llvm::zip(box, mine))
      widen(all, range);
  }
  return box;
}

std::optional<SmallVector<IndexRange>>
mlir::lci::computeFreeBox(ArrayAttr where, ArrayRef<IndexRange> outer, unsigned numFree) {
  unsigned numDims = outer.size() + numFree;
  PresburgerRelation members = PresburgerRelation::getEmpty(PresburgerSpace::getSetSpace(numDims));
  for (auto set : where.getAsValueRange<IntegerSetAttr>()) {
    FlatLinearValueConstraints points(set);
    for (auto [position, range] : llvm::enumerate(outer)) {
      points.addBound(BoundType::LB, position, range.lower);
      points.addBound(BoundType::UB, position, range.upper);
    }
    members.unionInPlace(IntegerPolyhedron(points));
  }
  std::optional<SmallVector<IndexRange>> box = computeBox(members);
  if (!box)
    return std::nullopt;
  box->erase(box->begin(), box->begin() + outer.size());
  uint64_t tuples = 1;
  for (IndexRange range : *box)
    tuples = llvm::SaturatingMultiply<uint64_t>(tuples, range.size());
  return tuples <= static_cast<uint64_t>(kMaxMembers) ? box : std::nullopt;
}

//===- Relations.cpp - Reads and capabilities as relations ----------------===//
//
// Builds relations from cells to the cells that reads and capabilities refer to: the map's results
// over an index domain, then the boundary of each axis as a case distinction or a remainder.
//
//===----------------------------------------------------------------------===//

#include "LCI/Analysis/Relations.h"
#include "LCI/Analysis/CellGraph.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::presburger;

SmallVector<Axis> mlir::lci::getAxes(ValueOp value) {
  SmallVector<Axis> axes;
  for (auto [axis, extent] : llvm::enumerate(*value.getExtents()))
    axes.push_back({extent, value.getBoundaryOf(axis)});
  return axes;
}

void mlir::lci::forEachTarget(const AffineSystem &system, ArrayRef<Linear> indices,
                              ArrayRef<Axis> axes, unsigned position,
                              function_ref<void(const AffineSystem &)> visit) {
  if (axes.empty())
    return visit(system);
  int64_t extent = axes.front().extent;
  Boundary boundary = axes.front().boundary;
  const Linear &index = indices.front();
  Linear target = system.range(position);
  auto go = [&](function_ref<void(AffineSystem &)> restrict) {
    AffineSystem next = system;
    restrict(next);
    if (boundary == Boundary::Clamp && next.isEmptyOverRationals())
      return; // three cases for each axis make many systems, most of them empty
    forEachTarget(next, indices.drop_front(), axes.drop_front(), position + 1, visit);
  };
  if (boundary == Boundary::Wrap)
    return go([&](AffineSystem &next) { next.addEqual(target, next.modulo(index, extent)); });
  go([&](AffineSystem &next) {
    next.addEqual(target, index);
    next.addWithin(target, extent);
  });
  if (boundary == Boundary::Open)
    return;
  go([&](AffineSystem &next) { // before the first cell
    next.addZero(target);
    next.addNonNegative(index * -1 - Linear(1));
  });
  go([&](AffineSystem &next) { // behind the last one
    next.addEqual(target, Linear(extent - 1));
    next.addNonNegative(index - Linear(extent));
  });
}

/// Adds a map's results for some indices, before or after the boundary.
static void addAccess(const AffineSystem &system, AffineMap map, ArrayRef<Linear> dims,
                      ArrayRef<Axis> axes, Target target, PresburgerRelation &relation,
                      const llvm::SmallBitVector &isAnywhere = {}) {
  AffineSystem access = system;
  SmallVector<Linear> indices;
  SmallVector<Axis> kept(axes);
  for (auto [position, result] : llvm::enumerate(map.getResults())) {
    bool anywhere = !isAnywhere.empty() && isAnywhere.test(position);
    // Any cell of the axis: the cell is the index, and none is beyond the border.
    indices.push_back(anywhere ? access.range(position) : access.evaluate(result, dims));
    if (anywhere)
      kept[position].boundary = Boundary::Open;
  }
  axes = kept;
  if (target == Target::Cell)
    return forEachTarget(access, indices, axes, 0, [&](const AffineSystem &conjunction) {
      if (!conjunction.get().isObviouslyEmpty())
        relation.unionInPlace(conjunction.get());
    });
  for (auto [position, index] : llvm::enumerate(indices)) {
    access.addEqual(access.range(position), index);
    if (axes[position].boundary == Boundary::Open) // nothing is read beyond it
      access.addWithin(access.range(position), axes[position].extent);
  }
  relation.unionInPlace(access.get());
}

std::optional<llvm::SmallBitVector> mlir::lci::findComputed(ReadOp read,
                                                            const IndexDomain &domain) {
  llvm::SmallBitVector axes(read.getMap().getNumResults());
  for (auto [axis, result] : llvm::enumerate(read.getMap().getResults()))
    for (auto [position, index] : llvm::enumerate(read.getIndices())) {
      if (domain.find(index) || !result.isFunctionOfDim(position))
        continue;
      if (!isa<AffineDimExpr>(result)) // partly known
        return std::nullopt;
      axes.set(axis);
    }
  return axes;
}

std::optional<PresburgerRelation> mlir::lci::getReadRelation(ReadOp read, Target target) {
  IndexDomain domain = IndexDomain::around(read);
  std::optional<llvm::SmallBitVector> isAnywhere = findComputed(read, domain);
  if (!isAnywhere)
    return std::nullopt;
  SmallVector<Axis> axes = getAxes(read->getParentOfType<ProgramOp>().lookupValue(read.getValue()));
  auto relation = PresburgerRelation::getEmpty(
      PresburgerSpace::getRelationSpace(domain.getNumCellIndices(), axes.size()));
  domain.forEachSystem(axes.size(), [&](AffineSystem &system, ArrayRef<Linear> forms) {
    SmallVector<Linear> dims = llvm::map_to_vector(read.getIndices(), [&](Value index) {
      std::optional<unsigned> position = domain.find(index);
      return position ? forms[*position] : Linear(0);
    });
    addAccess(system, read.getMap(), dims, axes, target, relation, *isAnywhere);
  });
  return relation;
}

/// The axes on which a capability gathers, possibly any cell.
static llvm::SmallBitVector findGathered(VisibleOp visible) {
  llvm::SmallBitVector axes(visible.getMap().getNumResults());
  for (auto [axis, result] : llvm::enumerate(visible.getMap().getResults()))
    for (unsigned i = visible.getNumIndices(); i < visible.getMap().getNumDims(); ++i)
      if (result.isFunctionOfDim(i))
        axes.set(axis);
  return axes;
}

PresburgerRelation mlir::lci::getVisibleRelation(VisibleOp visible, Target target) {
  IndexDomain domain = IndexDomain::ofVisible(visible);
  SmallVector<Axis> axes =
      getAxes(visible->getParentOfType<ProgramOp>().lookupValue(visible.getSource()));
  auto relation = PresburgerRelation::getEmpty(
      PresburgerSpace::getRelationSpace(domain.getNumCellIndices(), axes.size()));
  llvm::SmallBitVector isGathered = findGathered(visible);
  domain.forEachSystem(axes.size(), [&](AffineSystem &system, ArrayRef<Linear> forms) {
    addAccess(system, visible.getMap(), forms, axes, target, relation, isGathered);
  });
  return relation;
}

bool mlir::lci::visitVisible(VisibleOp visible, ArrayRef<int64_t> cell,
                             function_ref<bool(ArrayRef<int64_t>)> visit) {
  llvm::SmallBitVector isGathered = findGathered(visible);
  SmallVector<Axis> axes =
      getAxes(visible->getParentOfType<ProgramOp>().lookupValue(visible.getSource()));
  return IndexDomain::ofVisible(visible).visitFree(cell, [&](ArrayRef<int64_t> point) {
    SmallVector<int64_t> target;
    for (auto [axis, result] : llvm::enumerate(visible.getMap().getResults())) {
      std::optional<int64_t> index =
          isGathered.test(axis)
              ? kAnyCell
              : applyBoundary(evaluateAt(result, point), axes[axis].extent, axes[axis].boundary);
      if (!index) // beyond an open border
        return true;
      target.push_back(*index);
    }
    return visit(target);
  });
}

std::optional<SmallVector<int64_t>> mlir::lci::findOutside(const PresburgerRelation &inner,
                                                           const PresburgerRelation &outer) {
  // Subtraction needs the quotients of `outer` explicitly; free indices are not quotients.
  PresburgerRelation explicitOuter =
      outer.hasOnlyDivLocals() ? outer : outer.computeReprWithOnlyDivLocals();
  return findFirstPoint(subtract(inner, explicitOuter));
}

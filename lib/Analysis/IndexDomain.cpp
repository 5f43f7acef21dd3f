//===- IndexDomain.cpp - Domain of the indices in a body ------------------===//
//
// Collects the restrictions around an operation: extents of the cell, sets of rules, constraints
// and capabilities, and families of free indices. Each choice of one set per restriction is an
// affine system; points can also be enumerated in lexicographic order.
//
//===----------------------------------------------------------------------===//

#include "LCI/Analysis/IndexDomain.h"
#include "LCI/Analysis/Families.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::presburger;

static SmallVector<IntegerSet> getSets(ArrayAttr where) {
  SmallVector<IntegerSet> sets;
  for (auto set : where.getAsRange<IntegerSetAttr>())
    sets.push_back(set.getValue());
  return sets;
}

std::optional<unsigned> IndexDomain::find(Value index) const {
  if (auto same = positionsOfSame.find(index); same != positionsOfSame.end())
    return same->second;
  const auto *found = llvm::find(indices, index);
  if (found == indices.end())
    return std::nullopt;
  return found - indices.begin();
}

void IndexDomain::addCells(ValueOp value, std::optional<ArrayAttr> where,
                           Block::BlockArgListType arguments) {
  numCellIndices = value.getRank();
  extents = value.getExtents().value_or(SmallVector<int64_t>());
  Restriction restriction;
  for (unsigned axis = 0; axis < numCellIndices; ++axis) {
    indices.push_back(arguments.empty() ? Value() : arguments[axis]);
    restriction.positions.push_back(axis);
  }
  if (!where)
    return;
  restriction.where = *where;
  restriction.sets = getSets(*where);
  restrictions.push_back(restriction);
}

void IndexDomain::addFamily(Operation *family, ArrayAttr where, OperandRange outer) {
  Restriction restriction{where, getSets(where), {}, mlir::lci::getLimits(family)};
  for (Value operand : outer) {
    std::optional<unsigned> position = find(operand);
    restriction.positions.push_back(position ? static_cast<int>(*position) : -1);
  }
  Block &body = family->getRegion(0).front();
  for (BlockArgument free : body.getArguments().drop_back()) { // the last one is the rank
    restriction.positions.push_back(indices.size());
    indices.push_back(free);
  }
  restrictions.push_back(restriction);
}

IndexDomain IndexDomain::ofVisible(VisibleOp visible) {
  auto program = visible->getParentOfType<ProgramOp>();
  IndexDomain domain = ofCells(program.lookupValue(visible.getValue()), std::nullopt);
  Restriction restriction{visible.getWhere(), getSets(visible.getWhere()), {}, {}};
  domain.indices.resize(visible.getNumIndices());
  for (unsigned i = 0; i < visible.getNumIndices(); ++i) {
    restriction.positions.push_back(i);
    if (visible.getGather())
      domain.indices[i] = visible.getBody().getArgument(i);
  }
  domain.restrictions.push_back(restriction);
  return domain;
}

IndexDomain IndexDomain::ofCells(ValueOp value, std::optional<ArrayAttr> where) {
  IndexDomain domain;
  domain.addCells(value, where, {});
  return domain;
}

IndexDomain IndexDomain::ofVotes(ConstraintOp constraint) {
  ValueOp value = constraint->getParentOfType<ProgramOp>().lookupValue(constraint.getValue());
  IndexDomain domain;
  domain.addCells(value, constraint.getWhere(), constraint.getBody().getArguments());
  domain.indices.push_back(constraint.getBody().getArguments().back());
  domain.extents.push_back(*value.getVocabularySize());
  ++domain.numCellIndices;
  return domain;
}

IndexDomain IndexDomain::around(Operation *op) {
  SmallVector<Operation *> parents;
  for (Operation *parent = op->getParentOp(); parent && !isa<ProgramOp>(parent);
       parent = parent->getParentOp())
    parents.push_back(parent);
  IndexDomain domain;
  for (Operation *parent : llvm::reverse(parents)) {
    if (auto visible = dyn_cast<VisibleOp>(parent)) {
      domain = ofVisible(visible);
    } else if (auto rule = dyn_cast<RuleOp>(parent)) {
      ValueOp value = rule->getParentOfType<ProgramOp>().lookupValue(rule.getValue());
      domain.addCells(value, rule.getWhere(), rule.getBody().getArguments());
    } else if (auto constraint = dyn_cast<ConstraintOp>(parent)) {
      ValueOp value = constraint->getParentOfType<ProgramOp>().lookupValue(constraint.getValue());
      domain.addCells(value, constraint.getWhere(), constraint.getBody().getArguments());
    } else if (auto value = dyn_cast<ValueOp>(parent)) {
      domain.addCells(value, std::nullopt, value.getInit().getArguments());
    } else if (auto reduce = dyn_cast<ReduceOp>(parent)) {
      domain.addFamily(reduce, reduce.getWhere(), reduce.getOuter());
    } else if (auto collect = dyn_cast<CollectOp>(parent)) {
      domain.addFamily(collect, collect.getWhere(), collect.getOuter());
    } else if (auto declared = dyn_cast<DeclareReadOp>(parent)) {
      domain.addFamily(declared, declared.getWhere(), declared.getOuter());
    }
  }
  return domain;
}

AffineSystem IndexDomain::getSystem(ArrayRef<unsigned> choice, unsigned numRange, bool keepFree,
                                    SmallVector<Linear> &forms) const {
  // Dimensions that are computed from data are unbounded: one more existential variable each.
  unsigned numComputed = 0;
  for (const Restriction &restriction : restrictions)
    numComputed += llvm::count(restriction.positions, -1);
  unsigned numDomain = keepFree ? indices.size() : numCellIndices;
  unsigned nextLocal = indices.size() - numDomain;
  AffineSystem system(numDomain, numRange, nextLocal + numComputed);
  for (unsigned i = 0; i < indices.size(); ++i)
    forms.push_back(i < numDomain ? system.domain(i) : system.local(i - numDomain));
  for (auto [form, extent] : llvm::zip(ArrayRef(forms).take_front(numCellIndices), extents))
    system.addWithin(form, extent);
  for (auto [restriction, chosen] : llvm::zip(restrictions, choice)) {
    SmallVector<Linear> dims;
    for (int position : restriction.positions)
      dims.push_back(position >= 0 ? forms[position] : system.local(nextLocal++));
    system.addSet(restriction.sets[chosen], dims);
  }
  return system;
}

void IndexDomain::forEachSystem(unsigned numRange,
                                function_ref<void(AffineSystem &, ArrayRef<Linear>)> visit,
                                bool keepFree) const {
  if (llvm::any_of(restrictions, [](const Restriction &r) { return r.sets.empty(); }))
    return;
  SmallVector<unsigned> choice(restrictions.size(), 0);
  while (true) {
    SmallVector<Linear> forms;
    AffineSystem system = getSystem(choice, numRange, keepFree, forms);
    visit(system, forms);
    unsigned digit = 0;
    while (digit < choice.size() && ++choice[digit] == restrictions[digit].sets.size())
      choice[digit++] = 0;
    if (digit == choice.size())
      return;
  }
}

PresburgerRelation IndexDomain::getCells() const {
  auto cells = PresburgerRelation::getEmpty(PresburgerSpace::getRelationSpace(numCellIndices, 0));
  forEachSystem(0,
                [&](AffineSystem &system, ArrayRef<Linear>) { cells.unionInPlace(system.get()); });
  return cells;
}

PresburgerRelation IndexDomain::getPoints() const {
  auto points = PresburgerRelation::getEmpty(PresburgerSpace::getRelationSpace(indices.size(), 0));
  forEachSystem(
      0, [&](AffineSystem &system, ArrayRef<Linear>) { points.unionInPlace(system.get()); },
      /*keepFree=*/true);
  return points;
}

//===----------------------------------------------------------------------===//
// Enumeration of points
//===----------------------------------------------------------------------===//

/// Visits the points of a box, each appended to `point`.
static bool visitBox(ArrayRef<IndexRange> box, SmallVector<int64_t> &point,
                     function_ref<bool()> visit) {
  if (box.empty())
    return visit();
  for (int64_t index = box[0].lower; index <= box[0].upper; ++index) {
    point.push_back(index);
    bool goesOn = visitBox(box.drop_front(), point, visit);
    point.pop_back();
    if (!goesOn)
      return false;
  }
  return true;
}

/// Whether a set's members depend on its first dimensions.
static bool dependsOnFirst(IntegerSet set, unsigned numFirst) {
  return llvm::any_of(set.getConstraints(), [&](AffineExpr constraint) {
    return llvm::any_of(llvm::seq(numFirst),
                        [&](unsigned dim) { return constraint.isFunctionOfDim(dim); });
  });
}

std::optional<SmallVector<IndexRange>>
IndexDomain::getFreeBox(const Restriction &family, ArrayRef<int64_t> outer, Boxes &boxes) {
  unsigned numFree = family.positions.size() - outer.size();
  if (numFree == 0)
    return SmallVector<IndexRange>();
  if (auto known = boxes.find(&family); known != boxes.end())
    return known->second;
  auto fixed = llvm::map_to_vector(outer, [](int64_t index) { return IndexRange{index, index}; });
  std::optional<SmallVector<IndexRange>> box = computeFreeBox(family.where, fixed, numFree);
  if (llvm::none_of(family.sets, [&](IntegerSet set) { return dependsOnFirst(set, outer.size()); }))
    boxes.try_emplace(&family, box);
  return box;
}

bool IndexDomain::visitFamilies(ArrayRef<Restriction> rest, SmallVector<int64_t> &point,
                                Boxes &boxes, LimitReader limits,
                                function_ref<bool(ArrayRef<int64_t>)> visit) const {
  if (rest.empty())
    return visit(point);
  const Restriction &family = rest.front();
  SmallVector<int64_t> dims;
  for (int position : family.positions) {
    if (position < 0)
      return false;
    if (position < static_cast<int>(point.size()))
      dims.push_back(point[position]);
  }
  std::optional<SmallVector<IndexRange>> box = getFreeBox(family, dims, boxes);
  if (!box)
    return false;
  for (const FreeLimits &limit : family.limits) {
    std::optional<IndexRange> known = limits ? limits(limit, point) : std::nullopt;
    if (!known)
      continue;
    IndexRange &range = (*box)[limit.free];
    range = {std::max(range.lower, known->lower), std::min(range.upper, known->upper)};
  }
  unsigned numKnown = point.size();
  return visitBox(*box, point, [&] {
    SmallVector<int64_t> member(dims);
    member.append(point.begin() + numKnown, point.end());
    bool isMember =
        llvm::any_of(family.sets, [&](IntegerSet set) { return containsPoint(set, member); });
    return !isMember || visitFamilies(rest.drop_front(), point, boxes, limits, visit);
  });
}

bool IndexDomain::visitPoints(function_ref<bool(ArrayRef<int64_t>)> visit,
                              LimitReader limits) const {
  SmallVector<IndexRange> cells;
  for (int64_t extent : extents)
    cells.push_back({0, extent - 1});
  SmallVector<int64_t> point;
  Boxes boxes;
  return visitBox(cells, point,
                  [&] { return visitFamilies(restrictions, point, boxes, limits, visit); });
}

bool IndexDomain::visitFree(ArrayRef<int64_t> cell,
                            function_ref<bool(ArrayRef<int64_t>)> visit) const {
  SmallVector<int64_t> point(cell);
  Boxes boxes;
  return visitFamilies(restrictions, point, boxes, /*limits=*/nullptr, visit);
}

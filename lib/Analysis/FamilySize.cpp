//===- FamilySize.cpp - Size of the largest member set --------------------===//
//
// A model's argument has as many elements as the family has members at most. The number is exact:
// by an integer optimum for an interval, by counting otherwise.
//
//===----------------------------------------------------------------------===//

#include "LCI/Analysis/Families.h"
#include "LCI/Analysis/IndexDomain.h"
#include <map>

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::presburger;

/// The most points to visit for counting.
static constexpr uint64_t kMaxPoints = uint64_t(1) << 22;

namespace {
/// A family: sets over the outer indices, then the free ones.
struct Family {
  SmallVector<IntegerSet> sets;
  SmallVector<Value> outer;
  unsigned numFree;
  IndexDomain domain;

  unsigned numOuter() const { return outer.size(); }
  bool dependsOnOuter() const;
  /// One free index between linear bounds: its members at a cell have no gaps.
  bool isInterval() const;
  SmallVector<Linear> getOuterForms(ArrayRef<Linear> indices) const;
};
} // namespace

SmallVector<Linear> Family::getOuterForms(ArrayRef<Linear> indices) const {
  return llvm::map_to_vector(outer, [&](Value index) { return indices[*domain.find(index)]; });
}

bool Family::dependsOnOuter() const {
  return llvm::any_of(sets, [&](IntegerSet set) {
    return llvm::any_of(set.getConstraints(), [&](AffineExpr constraint) {
      for (unsigned dim = 0; dim < numOuter(); ++dim)
        if (constraint.isFunctionOfDim(dim))
          return true;
      return false;
    });
  });
}

static bool divides(AffineExpr expression) {
  bool found = false;
  expression.walk([&](AffineExpr part) {
    found |= part.getKind() == AffineExprKind::Mod || part.getKind() == AffineExprKind::FloorDiv ||
             part.getKind() == AffineExprKind::CeilDiv;
  });
  return found;
}

bool Family::isInterval() const {
  return sets.size() == 1 && numFree == 1 && llvm::none_of(sets[0].getConstraints(), divides);
}

/// The largest length of an interval: the optimum of `last - first + 1` over two members.
static std::optional<int64_t> getLongestInterval(const Family &family) {
  std::optional<int64_t> longest = 0;
  family.domain.forEachSystem(3, [&](AffineSystem &system, ArrayRef<Linear> forms) {
    for (unsigned end : {1, 2}) {
      SmallVector<Linear> point = family.getOuterForms(forms);
      point.push_back(system.range(end));
      system.addSet(family.sets.front(), point);
    }
    // The first variable is the negated length, so that the lexicographic minimum is the optimum.
    system.addEqual(system.range(0), system.range(1) - system.range(2));
    IntegerRelation relation = system.get();
    relation.convertVarKind(VarKind::Domain, 0, relation.getNumDomainVars(), VarKind::Local);
    MaybeOptimum<SmallVector<DynamicAPInt, 8>> optimum = relation.findIntegerLexMin();
    if (optimum.isUnbounded())
      longest = std::nullopt;
    else if (longest && optimum.isBounded())
      longest = std::max(*longest, 1 - int64fromDynamicAPInt((*optimum)[0]));
  });
  return longest;
}

/// All members: outer indices as domain, free ones as range.
static PresburgerRelation getMembers(const Family &family) {
  unsigned numOuter = family.numOuter();
  PresburgerRelation members =
      PresburgerRelation::getEmpty(PresburgerSpace::getRelationSpace(numOuter, family.numFree));
  auto add = [&](const AffineSystem &system, ArrayRef<Linear> forms, IntegerSet set) {
    AffineSystem conjunction = system;
    SmallVector<Linear> dims;
    for (unsigned i = 0; i < numOuter + family.numFree; ++i)
      dims.push_back(conjunction.range(i));
    for (auto [dim, form] : llvm::zip(dims, family.getOuterForms(forms)))
      conjunction.addEqual(dim, form);
    conjunction.addSet(set, dims);
    IntegerRelation relation = conjunction.get();
    relation.convertVarKind(VarKind::Domain, 0, relation.getNumDomainVars(), VarKind::Local);
    relation.convertVarKind(VarKind::Range, 0, numOuter, VarKind::Domain);
    members.unionInPlace(relation);
  };
  family.domain.forEachSystem(numOuter + family.numFree,
                              [&](AffineSystem &system, ArrayRef<Linear> forms) {
                                for (IntegerSet set : family.sets)
                                  add(system, forms, set);
                              });
  return members;
}

/// Whether a cell with these outer indices exists and has a member.
static bool hasMembers(const PresburgerRelation &members, ArrayRef<int64_t> outer) {
  return llvm::any_of(members.getAllDisjuncts(), [&](IntegerRelation disjunct) {
    disjunct.setAndEliminate(0, outer);
    return !disjunct.isIntegerEmpty();
  });
}

static int64_t countMembers(const Family &family, ArrayRef<int64_t> outer,
                            ArrayRef<IndexRange> box) {
  int64_t number = 0;
  SmallVector<int64_t> point(outer);
  point.resize(outer.size() + box.size());
  forEachPoint(box, [&](ArrayRef<int64_t> free) {
    llvm::copy(free, point.begin() + outer.size());
    number += llvm::any_of(family.sets, [&](IntegerSet set) { return containsPoint(set, point); });
  });
  return number;
}

static uint64_t countPoints(ArrayRef<IndexRange> box) {
  uint64_t number = 1;
  for (IndexRange side : box)
    number = llvm::SaturatingMultiply<uint64_t>(number, side.size());
  return number;
}

/// Whether a union is one set whose constraints bound one index each: a whole box.
static bool isBox(ArrayRef<IntegerSet> sets) {
  return sets.size() == 1 && llvm::all_of(sets.front().getConstraints(), [&](AffineExpr expr) {
           unsigned numDims = 0;
           for (unsigned dim = 0; dim < sets.front().getNumDims(); ++dim)
             numDims += expr.isFunctionOfDim(dim);
           return numDims <= 1 && expr.isPureAffine() &&
                  !expr.walk([](AffineExpr part) {
                         bool isLinear = part.getKind() != AffineExprKind::Mod &&
                                         part.getKind() != AffineExprKind::FloorDiv &&
                                         part.getKind() != AffineExprKind::CeilDiv;
                         return isLinear ? WalkResult::advance() : WalkResult::interrupt();
                       })
                       .wasInterrupted();
         });
}

/// The members of a family that is the same for all cells, given the first cell that has it.
static std::optional<int64_t> countSame(const Family &family, ArrayRef<int64_t> outer,
                                        ArrayRef<IndexRange> box) {
  uint64_t numPoints = countPoints(box);
  if (isBox(family.sets)) // too large to be counted one by one, as whole values may be
    return numPoints <= uint64_t(INT64_MAX) ? std::optional<int64_t>(numPoints) : std::nullopt;
  return numPoints <= kMaxPoints ? std::optional(countMembers(family, outer, box)) : std::nullopt;
}

/// The outer indices that some set depends on.
static std::vector<int64_t> getRelevant(const Family &family, ArrayRef<int64_t> outer) {
  std::vector<int64_t> relevant;
  for (unsigned dim = 0; dim < outer.size(); ++dim) {
    auto depends = [&](IntegerSet set) {
      return llvm::any_of(set.getConstraints(),
                          [&](AffineExpr constraint) { return constraint.isFunctionOfDim(dim); });
    };
    if (llvm::any_of(family.sets, depends))
      relevant.push_back(outer[dim]);
  }
  return relevant;
}

static std::optional<int64_t> getLargestByCounting(const Family &family) {
  PresburgerRelation members = getMembers(family);
  std::optional<SmallVector<IndexRange>> box = computeBox(members);
  if (!box)
    return std::nullopt;
  MutableArrayRef<IndexRange> outerBox = MutableArrayRef(*box).take_front(family.numOuter());
  ArrayRef<IndexRange> freeBox = ArrayRef(*box).drop_front(family.numOuter());
  if (!family.dependsOnOuter()) {
    std::optional<SmallVector<int64_t>> first = findFirstPoint(members);
    return first ? countSame(family, ArrayRef(*first).take_front(family.numOuter()), freeBox) : 0;
  }
  if (countPoints(*box) > kMaxPoints)
    return std::nullopt;
  int64_t largest = 0;
  // Most cells that differ only in indices that no set depends on have the same number of members.
  std::map<std::vector<int64_t>, int64_t> counts;
  forEachPoint(outerBox, [&](ArrayRef<int64_t> outer) {
    auto [known, isNew] = counts.try_emplace(getRelevant(family, outer), 0);
    if (isNew)
      known->second = countMembers(family, outer, freeBox);
    int64_t number = known->second;
    if (number > largest && hasMembers(members, outer)) // the box may be larger than the domain
      largest = number;
  });
  return largest;
}

template <typename FamilyOp>
static std::optional<int64_t> getLargest(FamilyOp op) {
  Family family{{}, SmallVector<Value>(op.getOuter()), op.getNumFree(), IndexDomain::around(op)};
  for (auto set : op.getWhere().template getAsRange<IntegerSetAttr>())
    family.sets.push_back(set.getValue());
  if (!llvm::all_of(family.outer, [&](Value index) { return family.domain.find(index); }))
    return std::nullopt;
  return family.isInterval() ? getLongestInterval(family) : getLargestByCounting(family);
}

std::optional<int64_t> mlir::lci::getLargestFamily(CollectOp collect) {
  return getLargest(collect);
}
std::optional<int64_t> mlir::lci::getLargestFamily(ReduceOp reduce) { return getLargest(reduce); }

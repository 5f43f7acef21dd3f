//===- Families.cpp - Enumerate the members of families -------------------===//
//
// Enumerates integer sets: a bounding box of each set from linear programming (Simplex), then a
// test of every tuple in it. Results are cached by the set and the outer indices on which it
// depends.
//
//===----------------------------------------------------------------------===//

#include "LCI/Interpreter/Families.h"
#include "LCI/Analysis/Families.h"
#include "LCI/Interpreter/Datum.h"
#include "LCI/Numerics/Functions.h"
#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Analysis/Presburger/Simplex.h"
#include <set>

using namespace mlir;
using namespace mlir::lci;
namespace numerics = ::lci::numerics;

int64_t mlir::lci::evaluateAffine(AffineExpr expr, ArrayRef<int64_t> dims,
                                  ArrayRef<int64_t> symbols) {
  AffineExprKind kind = expr.getKind();
  if (kind == AffineExprKind::Constant)
    return cast<AffineConstantExpr>(expr).getValue();
  if (kind == AffineExprKind::DimId)
    return dims[cast<AffineDimExpr>(expr).getPosition()];
  if (kind == AffineExprKind::SymbolId)
    return symbols[cast<AffineSymbolExpr>(expr).getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  int64_t lhs = evaluateAffine(binary.getLHS(), dims, symbols);
  int64_t rhs = evaluateAffine(binary.getRHS(), dims, symbols);
  switch (kind) {
  case AffineExprKind::Add:
    return lhs + rhs;
  case AffineExprKind::Mul:
    return lhs * rhs;
  case AffineExprKind::Mod:
    return numerics::floorMod(lhs, rhs);
  case AffineExprKind::FloorDiv:
    return numerics::floorDiv(lhs, rhs);
  case AffineExprKind::CeilDiv:
    return -numerics::floorDiv(-lhs, rhs);
  default:
    llvm_unreachable("a binary expression without a meaning");
  }
}

SmallVector<int64_t> mlir::lci::evaluateMap(AffineMap map, ArrayRef<int64_t> dims) {
  return llvm::map_to_vector(map.getResults(),
                             [&](AffineExpr expr) { return evaluateAffine(expr, dims); });
}

bool mlir::lci::isInSet(IntegerSet set, ArrayRef<int64_t> dims, ArrayRef<int64_t> symbols) {
  for (auto [expr, isEquality] : llvm::zip(set.getConstraints(), set.getEqFlags())) {
    int64_t value = evaluateAffine(expr, dims, symbols);
    if (isEquality ? value != 0 : value < 0)
      return false;
  }
  return true;
}

bool mlir::lci::isInUnion(ArrayAttr sets, ArrayRef<int64_t> dims) {
  return llvm::any_of(sets.getAsValueRange<IntegerSetAttr>(),
                      [&](IntegerSet set) { return isInSet(set, dims); });
}

//===----------------------------------------------------------------------===//
// Enumeration
//===----------------------------------------------------------------------===//

namespace {
/// The integers between two bounds, for each free index.
struct Box {
  SmallVector<int64_t> lower, extents;
};
enum class Bounds { Empty, Finite, Infinite };
} // namespace

/// A box that holds all solutions of a set, from the rational relaxation. More than `kMaxMembers`
/// tuples count as infinitely many.
static Bounds enclose(IntegerSet set, ArrayRef<int64_t> outer, unsigned numFree, Box &box) {
  FlatLinearValueConstraints relation(set);
  SmallVector<llvm::DynamicAPInt> fixed(outer.begin(), outer.end());
  if (!fixed.empty())
    relation.setAndEliminate(0, fixed);
  presburger::Simplex simplex(relation);
  if (simplex.isEmpty())
    return Bounds::Empty;
  llvm::DynamicAPInt tuples(1);
  for (unsigned i = 0; i < numFree; ++i) {
    SmallVector<llvm::DynamicAPInt> direction(relation.getNumCols(), llvm::DynamicAPInt(0));
    direction[i] = 1;
    auto upper = simplex.computeOptimum(presburger::Simplex::Direction::Up, direction);
    auto lower = simplex.computeOptimum(presburger::Simplex::Direction::Down, direction);
    if (upper.isUnbounded() || lower.isUnbounded())
      return Bounds::Infinite;
    if (upper.isEmpty() || lower.isEmpty())
      return Bounds::Empty;
    llvm::DynamicAPInt first = presburger::ceil(lower.getBoundedOptimum());
    llvm::DynamicAPInt last = presburger::floor(upper.getBoundedOptimum());
    if (first > last)
      return Bounds::Empty;
    tuples *= last - first + 1;
    if (tuples > kMaxMembers || first < INT64_MIN || last > INT64_MAX)
      return Bounds::Infinite;
    box.lower.push_back(int64_t(first));
    box.extents.push_back(int64_t(last - first + 1));
  }
  return Bounds::Finite;
}

bool mlir::lci::isWithin(ArrayRef<int64_t> member, ArrayRef<MemberLimit> limits) {
  return llvm::all_of(limits, [&](const MemberLimit &limit) {
    return member[limit.free] >= limit.low && member[limit.free] <= limit.high;
  });
}

std::pair<int64_t, int64_t> Members::getWithin(ArrayRef<MemberLimit> limits) const {
  auto find = [&](int64_t first, int64_t last, int64_t least) {
    while (first < last) {
      int64_t middle = first + (last - first) / 2;
      if ((*this)[middle][0] < least)
        first = middle + 1;
      else
        last = middle;
    }
    return first;
  };
  int64_t first = 0, last = count;
  for (const MemberLimit &limit : limits) {
    if (limit.free != 0)
      continue;
    first = find(first, last, limit.low);
    last = limit.high == INT64_MAX ? last : find(first, last, limit.high + 1);
  }
  return {first, last};
}

const std::vector<bool> &Families::getUsedOuter(ArrayAttr where, unsigned numOuter, Union key) {
  std::vector<bool> &dims = used[key];
  if (!dims.empty() || numOuter == 0)
    return dims;
  dims.resize(numOuter);
  for (IntegerSet set : where.getAsValueRange<IntegerSetAttr>())
    for (AffineExpr expr : set.getConstraints())
      for (unsigned dim = 0; dim < numOuter; ++dim)
        dims[dim] = dims[dim] || expr.isFunctionOfDim(dim);
  return dims;
}

const Members *Families::find(ArrayAttr where, ArrayRef<int64_t> outer, unsigned numFree) {
  Union sets{where.getAsOpaquePointer(), numFree};
  const std::vector<bool> &isUsed = getUsedOuter(where, outer.size(), sets);
  std::pair<Union, std::vector<int64_t>> key{sets, {}};
  for (auto [index, isUsedHere] : llvm::zip(outer, isUsed))
    if (isUsedHere)
      key.second.push_back(index);
  auto [entry, isNew] = known.try_emplace(key);
  if (!isNew)
    return &entry->second;
  std::set<std::vector<int64_t>> tuples; // ordered row-major, each once
  for (IntegerSet set : where.getAsValueRange<IntegerSetAttr>()) {
    Box box;
    Bounds bounds = enclose(set, outer, numFree, box);
    if (bounds == Bounds::Infinite)
      return known.erase(entry), nullptr;
    SmallVector<int64_t> at(numFree, 0);
    bool more = bounds == Bounds::Finite;
    while (more) {
      std::vector<int64_t> point(outer.begin(), outer.end());
      for (auto [moved, lower] : llvm::zip(at, box.lower))
        point.push_back(moved + lower);
      if (isInSet(set, point))
        tuples.insert(std::vector<int64_t>(point.begin() + outer.size(), point.end()));
      more = advance(at, box.extents);
    }
  }
  Members &members = entry->second;
  members.numFree = numFree;
  members.count = tuples.size();
  for (const std::vector<int64_t> &tuple : tuples)
    members.flat.insert(members.flat.end(), tuple.begin(), tuple.end());
  return &members;
}

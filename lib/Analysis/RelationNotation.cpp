//===- RelationNotation.cpp - Print reads and capabilities ----------------===//
//
// Prints affine maps and sets of reads and `visible` lines in the language's notation: conditions
// as comparisons or named neighbourhoods, distances instead of absolute indices, computed indices
// by the parameters they come from, and only conditions on indices that the line mentions.
//
//===----------------------------------------------------------------------===//

#include "LCI/Analysis/AffineSystem.h"
#include "LCI/Analysis/IndexDomain.h"
#include "LCI/Analysis/Notation.h"
#include "LCI/Dialect/DeclarationIndex.h"
#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::lci;

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

/// The summands of an expression, split by their sign.
static void splitSides(AffineExpr expression, SmallVector<AffineExpr> &positive,
                       SmallVector<AffineExpr> &negative) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expression);
  if (binary && binary.getKind() == AffineExprKind::Add) {
    splitSides(binary.getLHS(), positive, negative);
    splitSides(binary.getRHS(), positive, negative);
    return;
  }
  auto factor = binary && binary.getKind() == AffineExprKind::Mul
                    ? dyn_cast<AffineConstantExpr>(binary.getRHS())
                    : dyn_cast<AffineConstantExpr>(expression);
  if (factor && factor.getValue() < 0)
    negative.push_back(expression * -1);
  else if (!factor || factor.getValue() != 0)
    positive.push_back(expression);
}

static std::string printSide(ArrayRef<AffineExpr> summands, ArrayRef<StringRef> names) {
  if (summands.empty())
    return "0";
  return llvm::join(llvm::map_range(summands, [&](AffineExpr e) { return print(e, names); }), "+");
}

static std::string printSet(IntegerSet set, ArrayRef<StringRef> names) {
  SmallVector<std::string> parts;
  for (auto [constraint, isEquality] : llvm::zip(set.getConstraints(), set.getEqFlags())) {
    if (isa<AffineConstantExpr>(constraint))
      continue; // true: binding removes sets with false ones
    SmallVector<AffineExpr> positive, negative;
    splitSides(constraint, positive, negative);
    parts.push_back(printSide(positive, names) + (isEquality ? " == " : " >= ") +
                    printSide(negative, names));
  }
  return llvm::join(parts, " and ");
}

/// Whether a set reaches further than some distance from the cell on an axis.
static bool isBeyond(IntegerSet set, unsigned firstFree, int64_t distance) {
  for (unsigned dim = firstFree; dim < set.getNumDims(); ++dim)
    for (bool isAbove : {false, true}) {
      FlatLinearValueConstraints beyond(set);
      beyond.addBound(isAbove ? presburger::BoundType::LB : presburger::BoundType::UB, dim,
                      isAbove ? distance + 1 : -distance - 1);
      if (!beyond.isIntegerEmpty())
        return true;
    }
  return false;
}

/// The distances in a cube around the cell that are in one of the sets, as (largest, sum) of their
/// absolute values, sorted.
static SmallVector<std::pair<int64_t, int64_t>> collectDistances(ArrayRef<IntegerSet> sets,
                                                                 unsigned numCell, int64_t reach) {
  unsigned numFree = sets.front().getNumDims() - numCell;
  int64_t side = 2 * reach + 1, count = 1;
  for (unsigned i = 0; i < numFree; ++i)
    count *= side;
  SmallVector<std::pair<int64_t, int64_t>> found;
  SmallVector<int64_t> point(numCell + numFree, 0);
  for (int64_t number = 0; number < count; ++number) {
    std::pair<int64_t, int64_t> size(0, 0);
    for (int64_t i = 0, rest = number; i < numFree; ++i, rest /= side) {
      int64_t distance = point[numCell + i] = rest % side - reach;
      size.first = std::max(size.first, std::abs(distance));
      size.second += std::abs(distance);
    }
    if (llvm::any_of(sets, [&](IntegerSet set) { return containsPoint(set, point); }))
      found.push_back(size);
  }
  llvm::sort(found);
  return found;
}

/// The name of a neighbourhood if the sets are one in the last dimensions, independent of the
/// others.
static std::string findNeighbourhood(ArrayRef<IntegerSet> sets, unsigned numCell) {
  // The largest radius by the number of axes, so that a cube is enumerated in no time.
  static constexpr int64_t kReach[] = {0, 0, 8, 5, 3};
  unsigned numDims = sets.empty() ? 0 : sets.front().getNumDims();
  unsigned numFree = numDims - std::min(numDims, numCell);
  if (numFree < 2 || numFree >= std::size(kReach))
    return "";
  int64_t reach = kReach[numFree];
  for (IntegerSet set : sets) {
    for (AffineExpr constraint : set.getConstraints())
      for (unsigned dim = 0; dim < numCell; ++dim)
        if (constraint.isFunctionOfDim(dim))
          return "";
    if (isBeyond(set, numCell, reach))
      return "";
  }
  auto found = collectDistances(sets, numCell, reach);
  if (found.empty())
    return "";
  auto cube =
      IntegerSet::get(numDims, 0, getAffineConstantExpr(0, sets.front().getContext()), true);
  auto matches = [&](function_ref<bool(int64_t, int64_t)> isMember) {
    auto expected = collectDistances(cube, numCell, reach);
    llvm::erase_if(expected, [&](auto size) { return !isMember(size.first, size.second); });
    return expected == found;
  };
  // The multisets of sizes are equal only if the sets of points are.
  int64_t radius = found.back().first;
  std::string argument = "(" + std::to_string(radius) + ")";
  if (matches([&](int64_t, int64_t sum) { return 0 < sum && sum <= radius; }))
    return numFree == 2 && radius == 1 ? "N4" : "VonNeumann" + argument;
  if (matches([&](int64_t largest, int64_t) { return 0 < largest && largest <= radius; }))
    return numFree == 2 && radius == 1 ? "N8" : "Moore" + argument;
  if (numFree == 2 &&
      matches([](int64_t largest, int64_t sum) { return largest == 1 && sum == 2; }))
    return "Diagonal";
  return "";
}

std::string mlir::lci::printCondition(ArrayRef<IntegerSet> sets, ArrayRef<std::string> names,
                                      unsigned numCell) {
  SmallVector<StringRef> refs(names.begin(), names.end());
  std::string neighbourhood = findNeighbourhood(sets, numCell);
  if (!neighbourhood.empty())
    return "(" + llvm::join(ArrayRef(refs).drop_front(numCell), ",") + ") in " + neighbourhood;
  SmallVector<std::string> parts;
  for (IntegerSet set : sets)
    parts.push_back(printSet(set, refs));
  if (llvm::any_of(parts, [](const std::string &part) { return part.empty(); }))
    return ""; // one of them holds everywhere
  return llvm::join(parts, " or ");
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

std::string mlir::lci::printAccess(StringRef value, AffineMap map, ArrayRef<std::string> names) {
  if (map.getNumResults() == 0) // a scalar has no brackets
    return value.str();
  SmallVector<StringRef> refs(names.begin(), names.end());
  auto indices = llvm::map_range(map.getResults(), [&](AffineExpr e) { return print(e, refs); });
  return (value + "[" + llvm::join(indices, ",") + "]").str();
}

/// A computed index: elements of parameters, sums and products; else `*`, for any.
static std::string printComputed(Value value, function_ref<std::string(Value)> nameOf) {
  std::string name = nameOf(value);
  Operation *op = value.getDefiningOp();
  if (!name.empty() || !op)
    return name.empty() ? "*" : name;
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return std::to_string(constant.getSExtValue());
  auto operand = [&](unsigned i) { return printComputed(op->getOperand(i), nameOf); };
  if (isa<arith::IndexCastOp, LetOp, UnwrapOp>(op))
    return operand(0);
  auto param = dyn_cast<ParamValueOp>(op);
  StringRef sign = isa<arith::AddIOp>(op)   ? "+"
                   : isa<arith::SubIOp>(op) ? "-"
                   : isa<arith::MulIOp>(op) ? "*"
                                            : "";
  if (!param && sign.empty())
    return "*";
  SmallVector<std::string> parts;
  for (unsigned i = 0; i < op->getNumOperands(); ++i)
    parts.push_back(operand(i));
  if (llvm::is_contained(parts, "*"))
    return "*";
  if (!param)
    return parts[0] + sign.str() + parts[1];
  return param.getParam().str() + (parts.empty() ? "" : "[" + llvm::join(parts, ",") + "]");
}

std::string mlir::lci::printVisible(VisibleOp visible) {
  auto program = visible->getParentOfType<ProgramOp>();
  unsigned numCell = program.lookupValue(visible.getValue()).getRank();
  SmallVector<std::string> names =
      getIndexNames(visible, numCell, visible.getNumIndices() - numCell);
  AffineMap cell = AffineMap::getMultiDimIdentityMap(numCell, visible.getContext());
  SmallVector<IntegerSet> sets;
  for (auto set : visible.getWhere().getAsRange<IntegerSetAttr>())
    sets.push_back(set.getValue());
  std::string condition = printCondition(sets, names, numCell);
  auto nameOf = [&](Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    return argument ? names[argument.getArgNumber()] : "";
  };
  GatherOp gather = visible.getGather();
  for (const FreeLimits &limit : getLimits(gather))
    condition += (condition.empty() ? "" : " and ") + names[numCell + limit.free] + " in " +
                 printComputed(limit.low, nameOf) + ".." + printComputed(limit.high, nameOf);
  SmallVector<std::string> all(names);
  if (gather)
    for (Value index : gather.getIndices())
      all.push_back(printComputed(index, nameOf));
  std::string line = "visible " + printAccess(visible.getValue(), cell, names) + " <- " +
                     printAccess(visible.getSource(), visible.getMap(), all);
  return condition.empty() ? line : line + " when " + condition;
}

/// Whether the sets of a family bound a dimension by itself, not only by others.
static bool isBounded(ArrayAttr sets, unsigned dim) {
  return llvm::any_of(sets.getAsRange<IntegerSetAttr>(), [&](IntegerSetAttr set) {
    return llvm::any_of(set.getValue().getConstraints(), [&](AffineExpr constraint) {
      if (!constraint.isFunctionOfDim(dim))
        return false;
      for (unsigned other = 0; other < set.getValue().getNumDims(); ++other)
        if (other != dim && constraint.isFunctionOfDim(other))
          return false;
      return true;
    });
  });
}

/// A free index that is alone in a result ranges over exactly its axis. One that is bounded by the
/// cell's index, as in `x-1..x+1`, goes beyond the border: it is written as a distance.
template <typename FamilyOp>
static void findDistances(FamilyOp family, const IndexDomain &domain, AffineMap map,
                          MutableArrayRef<AffineExpr> places) {
  unsigned first = family.getOuter().size();
  for (auto [free, argument] : llvm::enumerate(family.getBody().getArguments().drop_back())) {
    std::optional<unsigned> position = domain.find(argument);
    if (!position || isBounded(family.getWhere(), first + free))
      continue;
    AffineExpr dim = getAffineDimExpr(*position, map.getContext());
    unsigned axis = llvm::find(map.getResults(), dim) - map.getResults().begin();
    if (axis < std::min(map.getNumResults(), domain.getNumCellIndices()))
      places[*position] = getAffineDimExpr(axis, map.getContext()) + dim;
  }
}

/// The set on other dimensions, with simplified constraints.
static IntegerSet replaceDims(IntegerSet set, ArrayRef<AffineExpr> dims, unsigned numDims) {
  SmallVector<AffineExpr> constraints;
  for (AffineExpr constraint : set.getConstraints())
    constraints.push_back(simplifyAffineExpr(constraint.replaceDims(dims), numDims, 0));
  return IntegerSet::get(numDims, 0, constraints, set.getEqFlags());
}

/// Omits constraints that an index which is alone in a result lies on its axis: they are implied.
static IntegerSet withoutAxisRanges(IntegerSet set, AffineMap map, ArrayRef<int64_t> extents) {
  auto isKnown = [&](AffineExpr constraint) {
    for (auto [result, extent] : llvm::zip_equal(map.getResults(), extents))
      if (isa<AffineDimExpr>(result) && (constraint == result || constraint == extent - 1 - result))
        return true;
    return false;
  };
  SmallVector<AffineExpr> constraints;
  SmallVector<bool> equalities;
  for (auto [constraint, isEquality] : llvm::zip(set.getConstraints(), set.getEqFlags()))
    if (isEquality || !isKnown(constraint)) {
      constraints.push_back(constraint);
      equalities.push_back(isEquality);
    }
  if (constraints.empty())
    return IntegerSet::get(set.getNumDims(), 0, getAffineConstantExpr(0, set.getContext()), true);
  return IntegerSet::get(set.getNumDims(), 0, constraints, equalities);
}

/// Whether a set constrains one of the dimensions.
static bool mentions(IntegerSet set, const llvm::SmallBitVector &dims) {
  return llvm::any_of(dims.set_bits(), [&](unsigned dim) {
    return llvm::any_of(set.getConstraints(),
                        [&](AffineExpr constraint) { return constraint.isFunctionOfDim(dim); });
  });
}

/// The projection of a set to some dimensions, or a superset of it, without the other dimensions.
static IntegerSet projectOnto(IntegerSet set, const llvm::SmallBitVector &mentioned) {
  llvm::SmallBitVector others(mentioned);
  others.flip();
  if (!mentions(set, others))
    return set;
  FlatLinearValueConstraints constraints(set);
  SmallVector<AffineExpr> kept;
  for (unsigned dim = mentioned.size(); dim-- > 0;)
    if (!mentioned.test(dim))
      constraints.projectOut(dim);
  for (unsigned dim : mentioned.set_bits())
    kept.push_back(getAffineDimExpr(dim, set.getContext()));
  constraints.removeRedundantConstraints();
  // No set where quotients of removed dimensions remain.
  IntegerSet projected = constraints.getAsIntegerSet(set.getContext());
  if (!projected)
    return IntegerSet::get(mentioned.size(), 0, getAffineConstantExpr(0, set.getContext()), true);
  return replaceDims(projected, kept, mentioned.size());
}

/// The sets of an enclosing family of a read, on the domain's dimensions, projected to the indices
/// that the line mentions.
template <typename FamilyOp>
static void appendCondition(FamilyOp family, const IndexDomain &domain, ArrayRef<std::string> names,
                            ArrayRef<AffineExpr> places, AffineMap map, ArrayRef<int64_t> extents,
                            const llvm::SmallBitVector &mentioned,
                            SmallVector<std::string> &conditions) {
  SmallVector<AffineExpr> dims;
  SmallVector<Value> values(family.getOuter());
  llvm::append_range(values, family.getBody().getArguments().drop_back());
  for (Value value : values)
    dims.push_back(places[domain.find(value).value_or(0)]);
  SmallVector<IntegerSet> sets;
  for (auto attribute : family.getWhere().template getAsRange<IntegerSetAttr>())
    sets.push_back(withoutAxisRanges(
        replaceDims(attribute.getValue(), dims, domain.getNumIndices()), map, extents));
  // An enclosing family on which neither the cell nor the access depends is omitted.
  if (getLimits(family).empty() &&
      llvm::none_of(sets, [&](IntegerSet set) { return mentions(set, mentioned); }))
    return;
  for (IntegerSet &set : sets)
    set = projectOnto(set, mentioned);
  std::string condition = printCondition(sets, names, domain.getNumCellIndices());
  auto nameOf = [&](Value value) -> std::string {
    std::optional<unsigned> position = domain.find(value);
    return position && mentioned.test(*position) ? names[*position] : "";
  };
  for (const FreeLimits &limit : getLimits(family)) {
    std::string low = printComputed(limit.low, nameOf), high = printComputed(limit.high, nameOf);
    Value free = family.getBody().getArgument(limit.free);
    if (low != "*" && high != "*" && !nameOf(free).empty())
      conditions.push_back(nameOf(free) + " in " + low + ".." + high);
  }
  if (!condition.empty())
    conditions.push_back(sets.size() > 1 && !StringRef(condition).contains(" in ")
                             ? "(" + condition + ")"
                             : condition);
}

namespace {
/// A read in the language's notation, by the names of the indices around it.
struct NamedRead {
  unsigned numCell;               ///< the first names, which are the cell's indices
  SmallVector<std::string> names; ///< of the cell's indices, the families' and those computed
  AffineMap map;
  SmallVector<std::string> conditions; ///< of the enclosing families
};
} // namespace

static NamedRead nameRead(ReadOp read) {
  IndexDomain domain = IndexDomain::around(read);
  unsigned numCell = domain.getNumCellIndices();
  SmallVector<std::string> names = getIndexNames(read, numCell, domain.getNumIndices() - numCell);
  SmallVector<AffineExpr> dims;
  llvm::SmallBitVector mentioned(domain.getNumIndices());
  mentioned.set(0, numCell);
  auto nameOf = [&](Value value) -> std::string {
    std::optional<unsigned> position = domain.find(value);
    if (position)
      mentioned.set(*position);
    return position ? names[*position] : "";
  };
  SmallVector<std::string> computed;
  for (auto [dim, index] : llvm::enumerate(read.getIndices())) {
    std::optional<unsigned> known = domain.find(index);
    if (known && read.getMap().isFunctionOfDim(dim))
      mentioned.set(*known);
    dims.push_back(
        getAffineDimExpr(known.value_or(names.size() + computed.size()), read.getContext()));
    if (!known)
      computed.push_back(printComputed(index, nameOf));
  }
  AffineMap map = read.getMap().replaceDimsAndSymbols(dims, {}, names.size() + computed.size(), 0);
  NamedRead named{numCell, names, map, {}};
  llvm::append_range(named.names, computed);
  SmallVector<Operation *> families;
  for (Operation *parent = read->getParentOp(); !isa<ProgramOp>(parent);
       parent = parent->getParentOp())
    families.push_back(parent);
  SmallVector<AffineExpr> places;
  for (unsigned i = 0; i < named.names.size(); ++i)
    places.push_back(getAffineDimExpr(i, read.getContext()));
  auto program = read->getParentOfType<ProgramOp>();
  SmallVector<int64_t> extents = *program.lookupValue(read.getValue()).getExtents();
  for (Operation *family : llvm::reverse(families))
    TypeSwitch<Operation *>(family).Case<ReduceOp, CollectOp, DeclareReadOp>([&](auto around) {
      findDistances(around, domain, map, places);
      AffineMap placed = map.replaceDimsAndSymbols(places, {}, named.names.size(), 0);
      appendCondition(around, domain, names, places, placed, extents, mentioned, named.conditions);
    });
  named.map = map.replaceDimsAndSymbols(places, {}, named.names.size(), 0);
  return named;
}

std::string mlir::lci::printRead(ReadOp read) {
  NamedRead named = nameRead(read);
  return printAccess(read.getValue(), named.map, named.names);
}

std::string mlir::lci::printMissingVisible(ReadOp read) {
  NamedRead named = nameRead(read);
  AffineMap cell = AffineMap::getMultiDimIdentityMap(named.numCell, read.getContext());
  StringRef value = getValueOf(getDeclaration(read));
  std::string line = "visible " + printAccess(value, cell, named.names) + " <- " +
                     printAccess(read.getValue(), named.map, named.names);
  if (named.conditions.empty())
    return line;
  return line + " when " + llvm::join(named.conditions, " and ");
}

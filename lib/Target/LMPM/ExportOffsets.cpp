//===- ExportOffsets.cpp - Export of sets of offsets: N8, Moore(2) --------===//
//
// The condition of a set of offsets is a list of cases, in the order in which they were written,
// without duplicates. So the names in it are recovered greedily from the front: a name fits if the
// cases it would add are the next ones.
//
//===----------------------------------------------------------------------===//

#include "Exporter.h"

using namespace mlir;
using namespace mlir::lci;
using namespace lmpm;

/// Whether an expression depends on a component of an offset.
static bool isAboutOffset(AffineExpr expr, ArrayRef<AffineExpr> offset) {
  return llvm::any_of(offset, [&](AffineExpr component) {
    return expr.isFunctionOfDim(cast<AffineDimExpr>(component).getPosition());
  });
}

/// The candidate radii: one, and the bounds of the components in the next case. If a name with a
/// radius comes next, its radius is among them.
static llvm::SetVector<AffineExpr> findRadii(const Condition::Case &next,
                                             ArrayRef<AffineExpr> offset) {
  llvm::SetVector<AffineExpr> radii;
  radii.insert(getAffineConstantExpr(1, offset.front().getContext()));
  for (const IndexConstraint &constraint : next)
    for (AffineExpr component : offset)
      for (AffineExpr rest : {constraint.expr - component, constraint.expr + component}) {
        AffineExpr radius = normalizeExpr(rest);
        auto number = dyn_cast<AffineConstantExpr>(radius);
        if (!isAboutOffset(radius, offset) && (!number || number.getValue() > 0))
          radii.insert(radius);
      }
  return radii;
}

/// The sets that have names, those with a radius for each candidate.
SmallVector<Exporter::NamedOffsets> Exporter::getNamedOffsets(const Condition::Case &next,
                                                              ArrayRef<AffineExpr> offset,
                                                              ArrayRef<std::string> dims) {
  SmallVector<NamedOffsets> sets;
  auto add = [&](std::optional<Condition> condition, const Twine &name) {
    if (condition)
      sets.push_back({condition->normalize(), name.str()});
  };
  AffineExpr one = getAffineConstantExpr(1, program.getContext());
  if (offset.size() == 2) {
    add(isVonNeumannNeighbor(offset, one), "N4");
    add(isMooreNeighbor(offset, one), "N8");
    add(isDiagonalNeighbor(offset), "Diagonal");
  }
  for (AffineExpr radius : findRadii(next, offset)) {
    if (needsRange({radius, /*isEquality=*/false}))
      continue;
    std::string argument = "(" + compact(print(radius, dims).text) + ")";
    add(isMooreNeighbor(offset, radius), "Moore" + argument);
    add(isVonNeumannNeighbor(offset, radius), "VonNeumann" + argument);
  }
  return sets;
}

/// The name that covers most of the cases after the first `done`, and the number of cases covered
/// then.
std::optional<std::pair<std::string, size_t>> Exporter::nextName(const Condition &where,
                                                                 size_t done,
                                                                 ArrayRef<AffineExpr> offset,
                                                                 ArrayRef<std::string> dims) {
  std::optional<std::pair<std::string, size_t>> best;
  ArrayRef<Condition::Case> cases = where.getCases();
  for (const NamedOffsets &set : getNamedOffsets(cases[done], offset, dims)) {
    Condition said = where.first(done).disjoin(set.condition).normalize();
    size_t count = said.getCases().size();
    bool isNext = count <= cases.size() && said == where.first(count);
    if (isNext && count > std::max(done, best ? best->second : 0))
      best = {set.name, count};
  }
  return best;
}

std::optional<std::string> Exporter::offsetsName(const Condition &where,
                                                 ArrayRef<AffineExpr> offset,
                                                 ArrayRef<std::string> dims) {
  if (where.getCases().empty())
    return std::nullopt;
  auto name = nextName(where, 0, offset, dims);
  return name && name->second == where.getCases().size() ? std::optional(name->first)
                                                         : std::nullopt;
}

/// `(0,1)`, if the case fixes each component, and no more.
std::optional<std::string> Exporter::printOffset(const Condition::Case &list,
                                                 ArrayRef<AffineExpr> offset,
                                                 ArrayRef<std::string> dims) {
  if (list.size() != offset.size())
    return std::nullopt;
  SmallVector<std::string> values;
  for (AffineExpr component : offset)
    for (const IndexConstraint &constraint : list)
      for (AffineExpr rest : {component - constraint.expr, component + constraint.expr}) {
        AffineExpr value = normalizeExpr(rest);
        if (constraint.isEquality && !needsRange(constraint) && !isAboutOffset(value, offset))
          values.push_back(compact(print(value, dims).text));
      }
  if (values.size() != offset.size())
    return std::nullopt;
  std::string text = llvm::join(values, ",");
  return values.size() == 1 ? text : "(" + text + ")";
}

/// Names and lists, if they cover all cases: `N4 | {(2,0), (0,2)}`.
std::optional<std::string> Exporter::printOffsets(const Condition &where,
                                                  ArrayRef<AffineExpr> offset,
                                                  ArrayRef<std::string> dims) {
  SmallVector<std::string> sets, listed;
  auto closeList = [&] {
    if (!listed.empty())
      sets.push_back("{" + llvm::join(listed, ", ") + "}");
    listed.clear();
  };
  for (size_t done = 0; done < where.getCases().size();) {
    if (auto name = nextName(where, done, offset, dims)) {
      closeList();
      sets.push_back(name->first);
      done = name->second;
      continue;
    }
    std::optional<std::string> one = printOffset(where.getCases()[done], offset, dims);
    if (!one)
      return std::nullopt;
    listed.push_back(*one);
    ++done;
  }
  closeList();
  return sets.empty() ? std::nullopt : std::optional(llvm::join(sets, " | "));
}

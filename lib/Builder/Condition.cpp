//===- Condition.cpp - Affine conditions on indices -----------------------===//
//
// Boolean algebra on unions of conjunctions, and their normal form: constraints become linear
// forms, which are compared pairwise when they have the same terms, merged, and sorted.
//
//===----------------------------------------------------------------------===//
#include "LCI/Builder/Condition.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace mlir::lci;

Condition Condition::isBetween(AffineExpr low, AffineExpr expr, AffineExpr high) {
  return Condition({Case{{expr - low, false}, {high - expr, false}}});
}

Condition Condition::fromSets(ArrayAttr sets) {
  SmallVector<Case> cases;
  for (auto set : sets.getAsRange<IntegerSetAttr>()) {
    Case &list = cases.emplace_back();
    for (unsigned i = 0; i < set.getValue().getNumConstraints(); ++i)
      list.push_back({set.getValue().getConstraint(i), set.getValue().isEq(i)});
  }
  return Condition(std::move(cases)).normalize();
}

std::optional<Condition> Condition::conjoin(const Condition &other) const {
  if (cases.size() * other.cases.size() > caseLimit)
    return std::nullopt;
  SmallVector<Case> product;
  for (const Case &left : cases)
    for (const Case &right : other.cases)
      product.emplace_back(left).append(right);
  Condition result(std::move(product));
  // Most cases of a long conjunction are contradictory; few remain if they are removed early.
  constexpr size_t fewCases = 16;
  return result.cases.size() > fewCases ? result.normalize() : result;
}

Condition Condition::disjoin(const Condition &other) const {
  SmallVector<Case> sum(cases);
  sum.append(other.cases);
  return Condition(std::move(sum));
}

/// The complement of a constraint.
static SmallVector<Condition::Case> negateConstraint(const IndexConstraint &constraint) {
  SmallVector<Condition::Case> cases{{{-constraint.expr - 1, false}}};
  if (constraint.isEquality)
    cases.push_back({{constraint.expr - 1, false}});
  return cases;
}

std::optional<Condition> Condition::negate() const {
  std::optional<Condition> result = always();
  // Contradictory cases are removed in each step, or there would be far too many.
  for (const Case &list : normalize().cases) {
    SmallVector<Case> negated;
    for (const IndexConstraint &constraint : list)
      llvm::append_range(negated, negateConstraint(constraint));
    result = result->conjoin(Condition(std::move(negated)));
    if (!result)
      return std::nullopt;
    result = result->normalize();
  }
  return result;
}

Condition Condition::replace(ArrayRef<AffineExpr> dims, ArrayRef<AffineExpr> symbols) const {
  Condition result = *this;
  for (Case &list : result.cases)
    for (IndexConstraint &constraint : list)
      constraint.expr = constraint.expr.replaceDimsAndSymbols(dims, symbols);
  return result;
}

Condition Condition::without(ArrayRef<IndexConstraint> constraints) const {
  Condition result = *this;
  for (Case &list : result.cases)
    llvm::erase_if(list,
                   [&](const IndexConstraint &c) { return llvm::is_contained(constraints, c); });
  return result;
}

/// Divides by the common factor; the constant of an inequality is rounded down, since only integers
/// satisfy it.
static LinearForm divideByCommonFactor(LinearForm form, bool isEquality) {
  int64_t factor = 0;
  for (auto [atom, coefficient] : form.terms)
    factor = std::gcd(factor, coefficient);
  if (isEquality && !form.terms.empty() && form.terms.front().second < 0)
    factor = -factor;
  bool divides = factor != 0 && form.constant % factor == 0;
  if (factor == 0 || (isEquality && !divides))
    return form;
  for (auto &[atom, coefficient] : form.terms)
    coefficient /= factor;
  form.constant = llvm::divideFloorSigned(form.constant, factor);
  return form;
}

namespace {
/// A constraint as a linear form, which can be compared and ordered.
struct Normalized {
  LinearForm form;
  bool isEquality;

  bool isTrivial() const { return form.terms.empty(); }
  bool holds() const { return isEquality ? form.constant == 0 : form.constant >= 0; }
  bool operator==(const Normalized &other) const {
    return isEquality == other.isEquality && form.terms == other.form.terms &&
           form.constant == other.form.constant;
  }
  /// 1 if both forms have the same terms, -1 if one has the other's negated, else 0.
  int getDirection(const Normalized &other) const {
    if (form.terms.size() != other.form.terms.size())
      return 0;
    int direction = form.terms.front().second == other.form.terms.front().second ? 1 : -1;
    for (auto [mine, theirs] : llvm::zip(form.terms, other.form.terms))
      if (mine.first != theirs.first || mine.second != direction * theirs.second)
        return 0;
    return direction;
  }
};

/// The effect of a constraint on those already kept.
enum class Effect { keep, drop, replace, join, contradict };
} // namespace

/// Compares two constraints on the same sum. With the sum s, the known one is s + a >= 0 or == 0,
/// the next one s + b or -s + b.
static Effect compareParallel(const Normalized &known, const Normalized &next, int direction) {
  int64_t a = known.form.constant, b = next.form.constant;
  // The slack of `next` where `known` is tight, s = -a.
  int64_t slack = direction > 0 ? b - a : a + b;
  if (known.isEquality)
    return next.isEquality ? (slack == 0 ? Effect::drop : Effect::contradict)
                           : (slack >= 0 ? Effect::drop : Effect::contradict);
  if (next.isEquality) {
    int64_t knownSlack = direction > 0 ? a - b : a + b;
    return knownSlack >= 0 ? Effect::replace : Effect::contradict;
  }
  if (direction > 0)
    return slack >= 0 ? Effect::drop : Effect::replace;
  return slack < 0 ? Effect::contradict : slack == 0 ? Effect::join : Effect::keep;
}

/// By the first dimension that occurs, lower bounds before upper ones, then by text.
static std::tuple<unsigned, bool, std::string> getSortKey(const Normalized &constraint,
                                                          MLIRContext *context) {
  unsigned first = ~0u;
  if (auto dim = dyn_cast<AffineDimExpr>(constraint.form.terms.front().first))
    first = dim.getPosition();
  std::string text;
  llvm::raw_string_ostream(text) << constraint.form.toExpr(context);
  return {first, constraint.form.terms.front().second < 0, text};
}

/// Adds a constraint to a case; false if the case then never holds.
static bool addConstraint(SmallVectorImpl<Normalized> &kept, Normalized next) {
  if (next.isTrivial())
    return next.holds();
  for (size_t i = 0; i < kept.size(); ++i) {
    int direction = kept[i].getDirection(next);
    if (direction == 0)
      continue;
    switch (compareParallel(kept[i], next, direction)) {
    case Effect::keep:
      break;
    case Effect::drop:
      return true;
    case Effect::contradict:
      return false;
    case Effect::replace:
      kept.erase(kept.begin() + i--);
      break;
    case Effect::join:
      kept.erase(kept.begin() + i);
      return addConstraint(kept, {divideByCommonFactor(next.form, true), true});
    }
  }
  kept.push_back(std::move(next));
  return true;
}

/// The case in normal form; nothing if it never holds.
static std::optional<Condition::Case> normalizeCase(const Condition::Case &list) {
  SmallVector<Normalized> kept;
  MLIRContext *context = list.empty() ? nullptr : list.front().expr.getContext();
  for (const IndexConstraint &constraint : list) {
    LinearForm form = divideByCommonFactor(LinearForm::of(constraint.expr), constraint.isEquality);
    if (!addConstraint(kept, {std::move(form), constraint.isEquality}))
      return std::nullopt;
  }
  llvm::sort(kept, [&](const Normalized &a, const Normalized &b) {
    return getSortKey(a, context) < getSortKey(b, context);
  });
  Condition::Case result;
  for (const Normalized &constraint : kept)
    result.push_back({constraint.form.toExpr(context), constraint.isEquality});
  return result;
}

Condition Condition::normalize() const {
  SmallVector<Case> result;
  for (const Case &list : cases) {
    std::optional<Case> normal = normalizeCase(list);
    if (normal && normal->empty())
      return always();
    if (normal && !llvm::is_contained(result, *normal))
      result.push_back(std::move(*normal));
  }
  return Condition(std::move(result));
}

ArrayAttr Condition::toSets(MLIRContext *context, unsigned numDims, unsigned numSymbols) const {
  SmallVector<Attribute> sets;
  for (const Case &list : cases) {
    SmallVector<AffineExpr> exprs;
    SmallVector<bool> equalities;
    for (const IndexConstraint &constraint : list) {
      exprs.push_back(constraint.expr);
      equalities.push_back(constraint.isEquality);
    }
    if (list.empty()) {
      // A set needs a constraint; this one always holds.
      exprs.push_back(getAffineConstantExpr(0, context));
      equalities.push_back(true);
    }
    sets.push_back(IntegerSetAttr::get(IntegerSet::get(numDims, numSymbols, exprs, equalities)));
  }
  return ArrayAttr::get(context, sets);
}

/// The box of that radius without its centre, cut along the first component that is not zero.
Condition mlir::lci::isMooreNeighbor(ArrayRef<AffineExpr> offset, AffineExpr radius) {
  Condition box = Condition::always();
  for (AffineExpr component : offset)
    box = *box.conjoin(Condition::isBetween(-radius, component, radius));
  Condition result = Condition::never(), zeroSoFar = Condition::always();
  for (AffineExpr component : offset) {
    Condition nonZero =
        Condition::isNonNegative(-component - 1).disjoin(Condition::isNonNegative(component - 1));
    result = result.disjoin(*zeroSoFar.conjoin(nonZero)->conjoin(box));
    zeroSoFar = *zeroSoFar.conjoin(Condition::isZero(component));
  }
  return result;
}

/// One component of size one, the others zero.
static Condition isAxisNeighbor(ArrayRef<AffineExpr> offset) {
  Condition result = Condition::never();
  for (size_t axis = 0; axis < offset.size(); ++axis)
    for (int64_t step : {-1, 1}) {
      Condition neighbor = Condition::always();
      for (auto [other, component] : llvm::enumerate(offset))
        neighbor =
            *neighbor.conjoin(Condition::isZero(other == axis ? component - step : component));
      result = result.disjoin(neighbor);
    }
  return result;
}

std::optional<Condition> mlir::lci::isVonNeumannNeighbor(ArrayRef<AffineExpr> offset,
                                                         AffineExpr radius) {
  if (offset.size() > 8)
    return std::nullopt;
  if (radius == 1)
    return isAxisNeighbor(offset);
  // |a| + |b| + … <= radius is one inequality for each choice of signs.
  std::optional<Condition> result = isMooreNeighbor(offset, radius);
  for (unsigned signs = 0; signs < (1u << offset.size()) && result; ++signs) {
    AffineExpr sum = radius;
    for (auto [axis, component] : llvm::enumerate(offset))
      sum = (signs >> axis) & 1 ? sum + component : sum - component;
    result = result->conjoin(Condition::isNonNegative(sum));
  }
  return result;
}

Condition mlir::lci::isDiagonalNeighbor(ArrayRef<AffineExpr> offset) {
  Condition result = Condition::always();
  for (AffineExpr component : offset)
    result =
        *result.conjoin(Condition::isZero(component + 1).disjoin(Condition::isZero(component - 1)));
  return result;
}

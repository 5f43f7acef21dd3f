//===- AffineSystem.cpp - Affine forms as Presburger sets -----------------===//
//
// Linear forms, systems of constraints with quotients as existential variables, and two operations
// in place of upstream's: the first point of a set, whose search there may not end, and the
// difference of sets, which there is inexact.
//
//===----------------------------------------------------------------------===//

#include "LCI/Analysis/AffineSystem.h"
#include "mlir/Analysis/Presburger/Simplex.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::presburger;

//===----------------------------------------------------------------------===//
// Linear
//===----------------------------------------------------------------------===//

Linear Linear::variable(unsigned position) {
  Linear result;
  result.coefficients.resize(position + 1);
  result.coefficients[position] = DynamicAPInt(1);
  return result;
}

Linear Linear::operator+(const Linear &other) const {
  Linear result = *this;
  result.constant += other.constant;
  if (result.coefficients.size() < other.coefficients.size())
    result.coefficients.resize(other.coefficients.size());
  for (auto [i, coefficient] : llvm::enumerate(other.coefficients))
    result.coefficients[i] += coefficient;
  return result;
}

Linear Linear::operator*(const DynamicAPInt &factor) const {
  Linear result = *this;
  result.constant *= factor;
  for (DynamicAPInt &coefficient : result.coefficients)
    coefficient *= factor;
  return result;
}

bool Linear::isConstant() const {
  return llvm::all_of(coefficients,
                      [](const DynamicAPInt &coefficient) { return coefficient == 0; });
}

//===----------------------------------------------------------------------===//
// AffineSystem
//===----------------------------------------------------------------------===//

AffineSystem::AffineSystem(unsigned numDomain, unsigned numRange, unsigned numLocals)
    : relation(PresburgerSpace::getRelationSpace(numDomain, numRange, 0, numLocals)) {}

Linear AffineSystem::range(unsigned position) const {
  return Linear::variable(relation.getNumDomainVars() + position);
}

Linear AffineSystem::local(unsigned position) const {
  return Linear::variable(relation.getNumDomainVars() + relation.getNumRangeVars() + position);
}

Linear AffineSystem::addLocal() { return Linear::variable(relation.appendVar(VarKind::Local)); }

SmallVector<DynamicAPInt> AffineSystem::getRow(const Linear &form) const {
  SmallVector<DynamicAPInt> row(form.coefficients);
  assert(row.size() <= relation.getNumVars() && "a form over variables of another system");
  row.resize(relation.getNumVars());
  row.push_back(form.constant);
  return row;
}

Linear AffineSystem::floorDiv(const Linear &dividend, const DynamicAPInt &divisor) {
  assert(divisor > 0 && "binding refuses other divisors");
  if (divisor == 1)
    return dividend;
  if (dividend.isConstant())
    return Linear(llvm::floorDiv(dividend.constant, divisor));
  relation.addLocalFloorDiv(getRow(dividend), divisor);
  return Linear::variable(relation.getNumVars() - 1); // quotients come last
}

Linear AffineSystem::modulo(const Linear &dividend, const DynamicAPInt &divisor) {
  return dividend - floorDiv(dividend, divisor) * divisor;
}

Linear AffineSystem::evaluate(AffineExpr expression, ArrayRef<Linear> dims,
                              ArrayRef<Linear> symbols) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expression))
    return Linear(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expression))
    return dims[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expression))
    return symbols[symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expression);
  Linear left = evaluate(binary.getLHS(), dims, symbols);
  Linear right = evaluate(binary.getRHS(), dims, symbols);
  if (binary.getKind() == AffineExprKind::Add)
    return left + right;
  if (binary.getKind() == AffineExprKind::Mul)
    return right.isConstant() ? left * right.constant : right * left.constant;
  assert(right.isConstant() && "bound expressions are affine");
  switch (binary.getKind()) {
  case AffineExprKind::FloorDiv:
    return floorDiv(left, right.constant);
  case AffineExprKind::CeilDiv:
    return floorDiv(left + right - Linear(1), right.constant);
  case AffineExprKind::Mod:
    return modulo(left, right.constant);
  default:
    llvm_unreachable("a binary affine expression");
  }
}

void AffineSystem::addZero(const Linear &form) { relation.addEquality(getRow(form)); }

void AffineSystem::addNonNegative(const Linear &form) { relation.addInequality(getRow(form)); }

void AffineSystem::addWithin(const Linear &form, int64_t extent) {
  addNonNegative(form);
  addNonNegative(Linear(extent) - Linear(1) - form);
}

bool AffineSystem::isEmptyOverRationals() const {
  return relation.isObviouslyEmpty() || Simplex(relation).isEmpty();
}

void AffineSystem::addSet(IntegerSet set, ArrayRef<Linear> dims, ArrayRef<Linear> symbols) {
  for (auto [constraint, isEquality] : llvm::zip(set.getConstraints(), set.getEqFlags())) {
    Linear form = evaluate(constraint, dims, symbols);
    isEquality ? addZero(form) : addNonNegative(form);
  }
}

//===----------------------------------------------------------------------===//
// Points and expressions
//===----------------------------------------------------------------------===//

using Point = SmallVector<DynamicAPInt, 8>;

/// The minimum of a variable over the rationals, rounded up; nothing if it is unbounded.
static std::optional<DynamicAPInt> boundBelow(const IntegerRelation &relation, unsigned var) {
  SmallVector<DynamicAPInt> form(relation.getNumCols());
  form[var] = 1;
  MaybeOptimum<Fraction> least = Simplex(relation).computeOptimum(Simplex::Direction::Down, form);
  return least.isBounded() ? std::optional(ceil(*least)) : std::nullopt;
}

/// Moves a point to the minimum of a variable: at once to its bound over the rationals, else in
/// steps that double.
static void sink(const IntegerRelation &relation, unsigned var, Point &point) {
  std::optional<DynamicAPInt> least = boundBelow(relation, var);
  if (least && point[var] == *least)
    return;
  auto moveBelow = [&](BoundType type, const DynamicAPInt &bound) {
    IntegerRelation below = relation;
    below.addBound(type, var, bound);
    std::optional<Point> smaller = below.findIntegerSample();
    if (smaller)
      point = *smaller;
    return smaller.has_value();
  };
  if (least && moveBelow(BoundType::EQ, *least))
    return;
  const DynamicAPInt kEndless(int64_t(1) << 62); // no first without a bound
  for (DynamicAPInt step(1); step != 0 && step <= kEndless;) {
    if (moveBelow(BoundType::UB, point[var] - step))
      step *= 2;
    else
      step = step == 1 ? 0 : 1;
  }
}

/// The first integer point, if it comes before a given one: minimizes the coordinates of some point
/// one after the other. Upstream's search by cuts need not terminate, even in a box of a few
/// hundred points.
static std::optional<Point> findPoint(IntegerRelation relation, ArrayRef<int64_t> before) {
  std::optional<Point> point = relation.findIntegerSample();
  bool isEqual = !before.empty(); // so far
  for (unsigned var = 0; point && var < relation.getNumDimVars(); ++var) {
    sink(relation, var, *point);
    relation.addBound(BoundType::EQ, var, (*point)[var]);
    if (isEqual && (*point)[var] > before[var])
      return std::nullopt;
    isEqual = isEqual && (*point)[var] == before[var];
  }
  return isEqual ? std::nullopt : point;
}

/// The coordinates of domain and range.
static SmallVector<int64_t> getCoordinates(const Point &point, const IntegerRelation &relation) {
  unsigned numVars = relation.getNumDomainVars() + relation.getNumRangeVars();
  return llvm::map_to_vector(ArrayRef(point).take_front(numVars),
                             [](const DynamicAPInt &each) { return int64fromDynamicAPInt(each); });
}

namespace {
/// Opens an elimination that upstream has for its own use. `simplify`, which is public, loses
/// constraints: FirstPointTest and IndependenceTest show points outside of the relation.
struct Elimination : IntegerRelation {
  explicit Elimination(const IntegerRelation &relation) : IntegerRelation(relation) {}
  using IntegerRelation::gaussianEliminateVars;
};
} // namespace

/// Whether a relation has no point although the variables that equalities determine may be
/// fractions: with half of the variables gone this is quick, and shows for example that two cells
/// of one colour are no neighbours.
static bool isEmptyByElimination(const IntegerRelation &relation) {
  Elimination rest(relation);
  for (unsigned var = 0; var < rest.getNumVars(); ++var) {
    rest.gaussianEliminateVars(var, rest.getNumVars());
    if (rest.isObviouslyEmpty())
      return true;
  }
  return rest.isIntegerEmpty();
}

std::optional<SmallVector<int64_t>> mlir::lci::findAnyPoint(const IntegerRelation &relation) {
  std::optional<Point> sample =
      isEmptyByElimination(relation) ? std::nullopt : relation.findIntegerSample();
  return sample ? std::optional(getCoordinates(*sample, relation)) : std::nullopt;
}

std::optional<SmallVector<int64_t>> mlir::lci::findFirstPoint(const PresburgerRelation &relation,
                                                              ArrayRef<int64_t> before) {
  std::optional<SmallVector<int64_t>> first;
  for (const IntegerRelation &disjunct : relation.getAllDisjuncts()) {
    if (isEmptyByElimination(disjunct))
      continue;
    if (std::optional<Point> found =
            findPoint(disjunct, first ? ArrayRef<int64_t>(*first) : before))
      first = getCoordinates(*found, disjunct);
  }
  return first;
}

/// The same relation, in which the first two inequalities on each quotient define it and state
/// nothing else.
static IntegerRelation defineQuotients(const IntegerRelation &relation) {
  DivisionRepr quotients = relation.getLocalReprs();
  IntegerRelation defined(relation.getSpace());
  for (unsigned i = 0; i < quotients.getNumDivs(); ++i) {
    if (!quotients.hasRepr(i))
      continue;
    // 0 <= dividend - divisor * quotient <= divisor - 1
    DynamicAPInt divisor = quotients.getDenom(i);
    SmallVector<DynamicAPInt> row(quotients.getDividend(i));
    row[quotients.getDivOffset() + i] -= divisor;
    defined.addInequality(row);
    for (DynamicAPInt &coefficient : row)
      coefficient = -coefficient;
    row.back() += divisor - 1;
    defined.addInequality(row);
  }
  for (unsigned i = 0; i < relation.getNumEqualities(); ++i)
    defined.addEquality(relation.getEquality(i));
  for (unsigned i = 0; i < relation.getNumInequalities(); ++i)
    defined.addInequality(relation.getInequality(i));
  return defined;
}

PresburgerRelation mlir::lci::subtract(const PresburgerRelation &left,
                                       const PresburgerRelation &right) {
  PresburgerRelation difference = left;
  for (const IntegerRelation &disjunct : right.getAllDisjuncts()) {
    PresburgerRelation pieces = difference.subtract(PresburgerRelation(defineQuotients(disjunct)));
    // Each step cuts every piece into several, most of them empty: they must not be cut again.
    difference = PresburgerRelation::getEmpty(left.getSpace());
    for (const IntegerRelation &piece : pieces.getAllDisjuncts())
      if (!piece.isIntegerEmpty())
        difference.unionInPlace(piece);
  }
  return difference;
}

int64_t mlir::lci::evaluateAt(AffineExpr expression, ArrayRef<int64_t> point) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expression))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expression))
    return point[dim.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expression);
  int64_t left = evaluateAt(binary.getLHS(), point), right = evaluateAt(binary.getRHS(), point);
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    return left + right;
  case AffineExprKind::Mul:
    return left * right;
  case AffineExprKind::FloorDiv:
    return llvm::divideFloorSigned(left, right);
  case AffineExprKind::CeilDiv:
    return llvm::divideCeilSigned(left, right);
  default:
    return left - llvm::divideFloorSigned(left, right) * right;
  }
}

bool mlir::lci::containsPoint(IntegerSet set, ArrayRef<int64_t> point) {
  return llvm::all_of(llvm::zip(set.getConstraints(), set.getEqFlags()), [&](auto constraint) {
    int64_t form = evaluateAt(std::get<0>(constraint), point);
    return std::get<1>(constraint) ? form == 0 : form >= 0;
  });
}

AffineExpr mlir::lci::findBadDivision(AffineExpr expression) {
  AffineExpr found;
  expression.walk([&](AffineExpr part) {
    bool divides = llvm::is_contained(
        {AffineExprKind::Mod, AffineExprKind::FloorDiv, AffineExprKind::CeilDiv}, part.getKind());
    if (!divides)
      return;
    auto divisor = dyn_cast<AffineConstantExpr>(cast<AffineBinaryOpExpr>(part).getRHS());
    if (!divisor || divisor.getValue() <= 0)
      found = part;
  });
  return found;
}

//===- AffineSystem.h - Affine forms as Presburger sets ---------*- C++ -*-===//
//
// One conjunction of integer constraints under construction. Affine expressions with floor
// division and modulo by constants become linear over the system's variables and the necessary
// quotients, exactly. All proofs of the analyses are based on such systems.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_ANALYSIS_AFFINESYSTEM_H
#define LCI_ANALYSIS_AFFINESYSTEM_H

#include "mlir/Analysis/Presburger/IntegerRelation.h"
#include "mlir/Analysis/Presburger/PresburgerRelation.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/IntegerSet.h"

namespace mlir::lci {

/// A linear form over the variables of a system; variables past the last coefficient have none.
/// Its numbers are unbounded: bounds of i64 are multiplied by arbitrary coefficients of maps.
struct Linear {
  SmallVector<DynamicAPInt> coefficients;
  DynamicAPInt constant;

  Linear() = default;
  /*implicit*/ Linear(int64_t number) : constant(number) {}
  explicit Linear(DynamicAPInt number) : constant(std::move(number)) {}
  static Linear variable(unsigned position);

  Linear operator+(const Linear &other) const;
  Linear operator-(const Linear &other) const { return *this + other * -1; }
  Linear operator*(const DynamicAPInt &factor) const;
  Linear operator*(int64_t factor) const { return *this * DynamicAPInt(factor); }
  bool isConstant() const;
};

/// A conjunction of constraints over domain, range and existential variables.
class AffineSystem {
public:
  AffineSystem(unsigned numDomain, unsigned numRange, unsigned numLocals = 0);
  /// Continues from a relation.
  explicit AffineSystem(const presburger::IntegerRelation &relation) : relation(relation) {}

  Linear domain(unsigned position) const { return Linear::variable(position); }
  Linear range(unsigned position) const;
  Linear local(unsigned position) const;
  /// A new existential variable.
  Linear addLocal();

  /// The value of an expression for the given dimensions. Adds the necessary quotients.
  Linear evaluate(AffineExpr expression, ArrayRef<Linear> dims, ArrayRef<Linear> symbols = {});
  /// The largest integer not above `dividend / divisor`; the divisor is positive.
  Linear floorDiv(const Linear &dividend, const DynamicAPInt &divisor);
  Linear floorDiv(const Linear &dividend, int64_t divisor) {
    return floorDiv(dividend, DynamicAPInt(divisor));
  }
  Linear modulo(const Linear &dividend, const DynamicAPInt &divisor);
  Linear modulo(const Linear &dividend, int64_t divisor) {
    return modulo(dividend, DynamicAPInt(divisor));
  }

  void addZero(const Linear &form);
  void addNonNegative(const Linear &form);
  void addEqual(const Linear &left, const Linear &right) { addZero(left - right); }
  /// 0 <= form < extent.
  void addWithin(const Linear &form, int64_t extent);
  void addSet(IntegerSet set, ArrayRef<Linear> dims, ArrayRef<Linear> symbols = {});

  const presburger::IntegerRelation &get() const { return relation; }

  /// Whether not even fractions satisfy the constraints: one run of the simplex, where
  /// `IntegerRelation::isEmpty` eliminates variable by variable.
  bool isEmptyOverRationals() const;

private:
  SmallVector<DynamicAPInt> getRow(const Linear &form) const;

  presburger::IntegerRelation relation;
};

/// The first point of a bounded relation in lexicographic order of domain and range; nothing if
/// there is none, or none before `before`, if that is given.
std::optional<SmallVector<int64_t>> findFirstPoint(const presburger::PresburgerRelation &relation,
                                                   ArrayRef<int64_t> before = {});

/// Some point of a bounded relation, which takes a tenth of the time of the first one.
std::optional<SmallVector<int64_t>> findAnyPoint(const presburger::IntegerRelation &relation);

/// The exact set difference of `left` and `right`. `right` must have quotients only as existential
/// variables (`hasOnlyDivLocals`). Upstream's `subtract` takes any two inequalities that determine
/// a quotient for its definition and loses whatever else they state.
presburger::PresburgerRelation subtract(const presburger::PresburgerRelation &left,
                                        const presburger::PresburgerRelation &right);

/// The value of an expression without symbols at a point.
int64_t evaluateAt(AffineExpr expression, ArrayRef<int64_t> point);
/// Whether a point satisfies a set without symbols.
bool containsPoint(IntegerSet set, ArrayRef<int64_t> point);

/// A division by anything but a positive constant inside an expression, or null.
AffineExpr findBadDivision(AffineExpr expression);

} // namespace mlir::lci

#endif // LCI_ANALYSIS_AFFINESYSTEM_H

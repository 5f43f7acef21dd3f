//===- Condition.h - Affine conditions on indices ---------------*- C++ -*-===//
//
// A condition on a cell's indices in disjunctive form: the cases of a union of integer sets. Built
// from comparisons by and, or and not; stored in IR as the array of sets of a relation. The normal
// form is the same for all spellings of equal inequalities, so that text and IR are images of each
// other.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_BUILDER_CONDITION_H
#define LCI_BUILDER_CONDITION_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/IntegerSet.h"

namespace mlir::lci {

/// `expr == 0` or `expr >= 0`.
struct IndexConstraint {
  AffineExpr expr;
  bool isEquality;

  bool operator==(const IndexConstraint &other) const {
    return expr == other.expr && isEquality == other.isEquality;
  }
};

/// A union of conjunctions of affine constraints on dimensions and sizes.
class Condition {
public:
  using Case = SmallVector<IndexConstraint, 4>;

  /// More cases than a written condition has; beyond that, operations fail.
  static constexpr size_t caseLimit = 512;

  static Condition always() { return Condition({Case()}); }
  static Condition never() { return Condition({}); }
  static Condition isZero(AffineExpr expr) { return Condition({Case{{expr, true}}}); }
  static Condition isNonNegative(AffineExpr expr) { return Condition({Case{{expr, false}}}); }
  /// `low <= expr <= high`.
  static Condition isBetween(AffineExpr low, AffineExpr expr, AffineExpr high);
  /// The condition of an array of integer sets.
  static Condition fromSets(ArrayAttr sets);

  /// Conjunction; nothing if there are too many cases.
  std::optional<Condition> conjoin(const Condition &other) const;
  /// Disjunction.
  Condition disjoin(const Condition &other) const;
  /// Negation; nothing if there are too many cases.
  std::optional<Condition> negate() const;

  /// The normal form: terms in order, constraints divided by common factors and sorted, opposite
  /// inequalities merged, trivial ones and repeated cases removed.
  Condition normalize() const;

  /// Each constraint with its dimensions and symbols replaced.
  Condition replace(ArrayRef<AffineExpr> dims, ArrayRef<AffineExpr> symbols) const;

  /// The first `count` cases.
  Condition first(size_t count) const {
    return Condition(SmallVector<Case>(getCases().take_front(count)));
  }

  /// Each case without those constraints.
  Condition without(ArrayRef<IndexConstraint> constraints) const;

  /// As the attribute of a relation.
  ArrayAttr toSets(MLIRContext *context, unsigned numDims, unsigned numSymbols) const;

  ArrayRef<Case> getCases() const { return cases; }
  bool isAlways() const { return cases.size() == 1 && cases.front().empty(); }
  bool operator==(const Condition &other) const { return cases == other.cases; }

private:
  explicit Condition(SmallVector<Case> cases) : cases(std::move(cases)) {}

  SmallVector<Case> cases;
};

/// A linear form: atoms (dimensions, symbols, quotients, remainders, products) with their factors,
/// in order, and a constant.
struct LinearForm {
  SmallVector<std::pair<AffineExpr, int64_t>> terms;
  int64_t constant = 0;

  /// Decomposes an expression.
  static LinearForm of(AffineExpr expr);
  /// Builds the expression, in the canonical order.
  AffineExpr toExpr(MLIRContext *context) const;
};

/// The expression with its terms in the canonical order, also inside of quotients and remainders.
AffineExpr normalizeExpr(AffineExpr expr);

/// The named sets of offsets, as conditions on the components of `offset`; none contains the zero
/// offset.
Condition isMooreNeighbor(ArrayRef<AffineExpr> offset, AffineExpr radius);
std::optional<Condition> isVonNeumannNeighbor(ArrayRef<AffineExpr> offset, AffineExpr radius);
/// All components of size one.
Condition isDiagonalNeighbor(ArrayRef<AffineExpr> offset);

} // namespace mlir::lci

#endif // LCI_BUILDER_CONDITION_H

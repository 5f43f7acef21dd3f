//===- Condition.h - Affine conditions on indices ----------------*- C++ -*===//
//
// A condition on a cell's indices in disjunctive form: the cases of a union of integer sets. Made
// from comparisons by and, or and not; written into IR as the array of sets that relations carry.
// The normal form is one for each way of writing the same inequalities, which is what makes text
// and IR the image of each other.
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

  /// More cases than a written condition has; beyond, operations give nothing.
  static constexpr size_t caseLimit = 512;

  static Condition always() { return Condition({Case()}); }
  static Condition never() { return Condition({}); }
  static Condition isZero(AffineExpr expr) { return Condition({Case{{expr, true}}}); }
  static Condition isNonNegative(AffineExpr expr) { return Condition({Case{{expr, false}}}); }
  /// `low <= expr <= high`.
  static Condition isBetween(AffineExpr low, AffineExpr expr, AffineExpr high);
  /// The condition that an array of integer sets states.
  static Condition fromSets(ArrayAttr sets);

  /// Both; nothing if there are too many cases.
  std::optional<Condition> conjoin(const Condition &other) const;
  /// Either.
  Condition disjoin(const Condition &other) const;
  /// Not; nothing if there are too many cases.
  std::optional<Condition> negate() const;

  /// The normal form: terms in order, constraints divided by common factors and sorted, opposite
  /// inequalities joined, trivial ones and repeated cases removed.
  Condition normalize() const;

  /// Each constraint with its dimensions and symbols replaced.
  Condition replace(ArrayRef<AffineExpr> dims, ArrayRef<AffineExpr> symbols) const;

  /// So many cases, from the first on.
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

  /// Takes an expression apart.
  static LinearForm of(AffineExpr expr);
  /// Puts it together again, in the one order.
  AffineExpr toExpr(MLIRContext *context) const;
};

/// The expression with its terms in the one order, inside quotients and remainders too.
AffineExpr normalizeExpr(AffineExpr expr);

/// The sets of offsets that have names, as conditions on the components of `offset`; none contains
/// the zero offset.
Condition isMooreNeighbor(ArrayRef<AffineExpr> offset, AffineExpr radius);
std::optional<Condition> isVonNeumannNeighbor(ArrayRef<AffineExpr> offset, AffineExpr radius);
/// All components of size one.
Condition isDiagonalNeighbor(ArrayRef<AffineExpr> offset);

} // namespace mlir::lci

#endif // LCI_BUILDER_CONDITION_H

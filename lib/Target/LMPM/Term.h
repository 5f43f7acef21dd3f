//===- Term.h - What an expression has become -------------------*- C++ -*-===//
#ifndef LIB_TARGET_LMPM_TERM_H
#define LIB_TARGET_LMPM_TERM_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Value.h"

namespace mlir::lci {

/// The types of expressions.
enum class Sort { truth, integer, number, answer, event, vector, truths };

/// What an expression has become: a value, and whether there is one (null: always).
struct Term {
  Value value;
  Value present;
  Sort sort = Sort::integer;
  /// How many components a vector has.
  AffineExpr length = {};

  explicit operator bool() const { return value != nullptr; }
  /// Has components: numbers, or the truth values of a comparison.
  bool isVector() const { return sort == Sort::vector || sort == Sort::truths; }
};

} // namespace mlir::lci

#endif // LIB_TARGET_LMPM_TERM_H

//===- Term.h - Imported expressions ----------------------------*- C++ -*-===//
//
// The result of importing an expression: an SSA value with its presence and its type in the
// language.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_TARGET_LMPM_TERM_H
#define LIB_TARGET_LMPM_TERM_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Value.h"

namespace mlir::lci {

/// The types of expressions.
enum class Sort { truth, integer, number, answer, event, vector, truths };

/// An imported expression: a value, and its presence (null: always present).
struct Term {
  Value value;
  Value present;
  Sort sort = Sort::integer;
  /// The number of components of a vector.
  AffineExpr length = {};

  explicit operator bool() const { return value != nullptr; }
  /// Has components: numbers, or the booleans of a comparison.
  bool isVector() const { return sort == Sort::vector || sort == Sort::truths; }
};

} // namespace mlir::lci

#endif // LIB_TARGET_LMPM_TERM_H

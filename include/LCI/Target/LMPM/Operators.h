//===- Operators.h - Operators and their precedences ------------*- C++ -*-===//
//
// The one table of precedences, for the parser, which reads it, and for the exporter, which must
// set exactly the parentheses that the parser needs.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_TARGET_LMPM_OPERATORS_H
#define LCI_TARGET_LMPM_OPERATORS_H

#include "LCI/Target/LMPM/Lexer.h"
#include <optional>

namespace lmpm {

enum class UnaryOp { negate, complement, logicalNot };

enum class BinaryOp {
  coalesce,
  power,
  multiply,
  divide,
  modulo,
  matmul,
  add,
  subtract,
  shiftLeft,
  shiftRight,
  bitAnd,
  bitOr,
  bitXor,
  range,
  logicalAnd,
  logicalOr,
};

enum class CompareOp { less, lessEqual, greater, greaterEqual, equal, notEqual, in };

/// The precedence of an expression; the higher, the tighter it binds.
enum class Precedence : int {
  conditional,
  logicalOr,
  logicalAnd,
  logicalNot,
  compare,
  range,
  bitOr,
  bitAnd,
  shift,
  sum,
  product,
  unary,
  power,
  coalesce,
  postfix,
};

/// The next tighter level.
inline Precedence tighter(Precedence level) {
  return static_cast<Precedence>(static_cast<int>(level) + 1);
}

llvm::StringRef getSpelling(UnaryOp op);
llvm::StringRef getSpelling(BinaryOp op);
llvm::StringRef getSpelling(CompareOp op);

Precedence getPrecedence(BinaryOp op);

/// The operators from `..` to `*`, which are parsed by precedence climbing.
std::optional<BinaryOp> getArithmeticOp(TokenKind kind);
std::optional<CompareOp> getCompareOp(TokenKind kind);

} // namespace lmpm

#endif // LCI_TARGET_LMPM_OPERATORS_H

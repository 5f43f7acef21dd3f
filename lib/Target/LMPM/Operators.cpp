//===- Operators.cpp - Operators and their precedences --------------------===//
//
// The tables behind Operators.h.
//
//===----------------------------------------------------------------------===//

#include "LCI/Target/LMPM/Operators.h"

using namespace lmpm;

namespace {
struct BinaryInfo {
  BinaryOp op;
  TokenKind token;
  llvm::StringRef spelling;
  Precedence precedence;
};
struct CompareInfo {
  CompareOp op;
  TokenKind token;
  llvm::StringRef spelling;
};
} // namespace

// In the order of the enumeration, which indexes it.
static constexpr BinaryInfo binaryOps[] = {
    {BinaryOp::coalesce, TokenKind::coalesce, "??", Precedence::coalesce},
    {BinaryOp::power, TokenKind::caret, "^", Precedence::power},
    {BinaryOp::multiply, TokenKind::star, "*", Precedence::product},
    {BinaryOp::divide, TokenKind::slash, "/", Precedence::product},
    {BinaryOp::modulo, TokenKind::percent, "%", Precedence::product},
    {BinaryOp::matmul, TokenKind::at, "@", Precedence::product},
    {BinaryOp::add, TokenKind::plus, "+", Precedence::sum},
    {BinaryOp::subtract, TokenKind::minus, "-", Precedence::sum},
    {BinaryOp::shiftLeft, TokenKind::shiftLeft, "<<", Precedence::shift},
    {BinaryOp::shiftRight, TokenKind::shiftRight, ">>", Precedence::shift},
    {BinaryOp::bitAnd, TokenKind::ampersand, "&", Precedence::bitAnd},
    {BinaryOp::bitOr, TokenKind::bar, "|", Precedence::bitOr},
    {BinaryOp::bitXor, TokenKind::kw_xor, "xor", Precedence::bitOr},
    {BinaryOp::range, TokenKind::range, "..", Precedence::range},
    {BinaryOp::logicalAnd, TokenKind::kw_and, "and", Precedence::logicalAnd},
    {BinaryOp::logicalOr, TokenKind::kw_or, "or", Precedence::logicalOr},
};

static constexpr CompareInfo compareOps[] = {
    {CompareOp::less, TokenKind::less, "<"},
    {CompareOp::lessEqual, TokenKind::lessEqual, "<="},
    {CompareOp::greater, TokenKind::greater, ">"},
    {CompareOp::greaterEqual, TokenKind::greaterEqual, ">="},
    {CompareOp::equal, TokenKind::equalEqual, "=="},
    {CompareOp::notEqual, TokenKind::notEqual, "!="},
    {CompareOp::in, TokenKind::kw_in, "in"},
};

llvm::StringRef lmpm::getSpelling(UnaryOp op) {
  switch (op) {
  case UnaryOp::negate:
    return "-";
  case UnaryOp::complement:
    return "~";
  case UnaryOp::logicalNot:
    return "not";
  }
  return "";
}

llvm::StringRef lmpm::getSpelling(BinaryOp op) { return binaryOps[static_cast<int>(op)].spelling; }

llvm::StringRef lmpm::getSpelling(CompareOp op) {
  return compareOps[static_cast<int>(op)].spelling;
}

Precedence lmpm::getPrecedence(BinaryOp op) { return binaryOps[static_cast<int>(op)].precedence; }

std::optional<BinaryOp> lmpm::getArithmeticOp(TokenKind kind) {
  for (const BinaryInfo &info : binaryOps)
    if (info.token == kind && info.precedence >= Precedence::range &&
        info.precedence <= Precedence::product)
      return info.op;
  return std::nullopt;
}

std::optional<CompareOp> lmpm::getCompareOp(TokenKind kind) {
  for (const CompareInfo &info : compareOps)
    if (info.token == kind)
      return info.op;
  return std::nullopt;
}

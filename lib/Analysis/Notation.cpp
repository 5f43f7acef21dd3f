//===- Notation.cpp - Print IR in the language's notation -----------------===//

#include "LCI/Analysis/Notation.h"

using namespace mlir;
using namespace mlir::lci;

namespace {
/// Prints with as few parentheses as the language's precedence allows.
class ExpressionPrinter {
public:
  ExpressionPrinter(ArrayRef<StringRef> dims, ArrayRef<StringRef> symbols)
      : dims(dims), symbols(symbols) {}

  /// `isFactor`: the expression is an operand of `*`, `/` or `%`.
  std::string print(AffineExpr expression, bool isFactor = false) const {
    if (auto constant = dyn_cast<AffineConstantExpr>(expression))
      return std::to_string(constant.getValue());
    if (auto dim = dyn_cast<AffineDimExpr>(expression))
      return getName(dim.getPosition(), dims, 'd');
    if (auto symbol = dyn_cast<AffineSymbolExpr>(expression))
      return getName(symbol.getPosition(), symbols, 's');
    auto binary = cast<AffineBinaryOpExpr>(expression);
    if (binary.getKind() == AffineExprKind::Add)
      return isFactor ? "(" + printSum(binary) + ")" : printSum(binary);
    std::string left = print(binary.getLHS(), true), right = print(binary.getRHS(), true);
    switch (binary.getKind()) {
    case AffineExprKind::Mul:
      return right == "-1" ? "-" + left : right + "*" + left;
    case AffineExprKind::Mod:
      return parenthesise(left + "%" + right, isFactor);
    case AffineExprKind::CeilDiv:
      return parenthesise("(" + left + " + " + right + " - 1)/" + right, isFactor);
    default:
      return parenthesise(left + "/" + right, isFactor);
    }
  }

private:
  static std::string parenthesise(std::string text, bool needed) {
    return needed ? "(" + text + ")" : text;
  }

  static std::string getName(unsigned position, ArrayRef<StringRef> names, char letter) {
    return position < names.size() ? names[position].str() : letter + std::to_string(position);
  }

  /// `a - b`, not `a + -b`.
  std::string printSum(AffineBinaryOpExpr sum) const {
    std::string left = print(sum.getLHS()), right = print(sum.getRHS());
    if (StringRef(right).starts_with("-"))
      return left + right;
    if (StringRef(left).starts_with("-"))
      return right + left;
    return left + "+" + right;
  }

  ArrayRef<StringRef> dims, symbols;
};
} // namespace

std::string mlir::lci::print(AffineExpr expression, ArrayRef<StringRef> dims,
                             ArrayRef<StringRef> symbols) {
  return ExpressionPrinter(dims, symbols).print(expression);
}

std::string mlir::lci::printCell(StringRef value, ArrayRef<int64_t> indices) {
  if (indices.empty())
    return value.str();
  std::string text = value.str() + "[";
  llvm::raw_string_ostream os(text);
  llvm::interleave(indices, os, ",");
  os << "]";
  return text;
}

std::string mlir::lci::describe(Operation *declaration) {
  std::string kind = declaration->getName().stripDialect().str();
  if (auto name = declaration->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName()))
    return kind + " '" + name.str() + "'";
  if (auto visible = dyn_cast<VisibleOp>(declaration); visible && visible.getLabel())
    return "visible '" + visible.getLabel()->str() + "'";
  return kind;
}

//===- LinearForm.cpp - A canonical order of affine sums ------------------===//
//
// Upstream simplifies affine expressions, but does not order their terms: d0 + s0 and s0 + d0
// differ. Here a sum is decomposed into factors of atoms and rebuilt in one order.
//
//===----------------------------------------------------------------------===//
#include "LCI/Builder/Condition.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::lci;

/// Dimensions, then symbols, then other atoms by their text, which is an arbitrary but fixed order.
static bool comesBefore(AffineExpr a, AffineExpr b) {
  auto key = [](AffineExpr expr) -> std::tuple<int, unsigned, std::string> {
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      return {0, dim.getPosition(), ""};
    if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
      return {1, symbol.getPosition(), ""};
    std::string text;
    llvm::raw_string_ostream(text) << expr;
    return {2, 0, text};
  };
  return key(a) < key(b);
}

static void addTerm(LinearForm &form, AffineExpr atom, int64_t factor) {
  for (auto &[known, sum] : form.terms)
    if (known == atom) {
      sum += factor;
      return;
    }
  form.terms.push_back({atom, factor});
}

static void addScaled(LinearForm &form, AffineExpr expr, int64_t factor) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    form.constant += factor * constant.getValue();
    return;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return addTerm(form, expr, factor);
  AffineExpr lhs = binary.getLHS(), rhs = binary.getRHS();
  if (expr.getKind() == AffineExprKind::Add) {
    addScaled(form, lhs, factor);
    return addScaled(form, rhs, factor);
  }
  if (expr.getKind() == AffineExprKind::Mul) {
    if (auto constant = dyn_cast<AffineConstantExpr>(rhs))
      return addScaled(form, lhs, factor * constant.getValue());
    if (auto constant = dyn_cast<AffineConstantExpr>(lhs))
      return addScaled(form, rhs, factor * constant.getValue());
  }
  AffineExpr atom = getAffineBinaryOpExpr(expr.getKind(), normalizeExpr(lhs), normalizeExpr(rhs));
  // The operands may have become constants, and the whole expression with them.
  if (atom.getKind() == expr.getKind())
    return addTerm(form, atom, factor);
  addScaled(form, atom, factor);
}

LinearForm LinearForm::of(AffineExpr expr) {
  LinearForm form;
  addScaled(form, expr, 1);
  llvm::erase_if(form.terms, [](const auto &term) { return term.second == 0; });
  llvm::sort(form.terms,
             [](const auto &a, const auto &b) { return comesBefore(a.first, b.first); });
  return form;
}

AffineExpr LinearForm::toExpr(MLIRContext *context) const {
  AffineExpr sum = getAffineConstantExpr(0, context);
  for (auto [atom, factor] : terms)
    sum = sum + atom * factor;
  return sum + constant;
}

AffineExpr mlir::lci::normalizeExpr(AffineExpr expr) {
  return LinearForm::of(expr).toExpr(expr.getContext());
}

//===- Expr.cpp - Traversal and comparison of expressions -----------------===//
//
// Operations on the AST that several parts of the front end share.
//
//===----------------------------------------------------------------------===//

#include "LCI/Target/LMPM/Expr.h"
#include "llvm/ADT/STLExtras.h"

using namespace lmpm;

void lmpm::forEachOperand(const Expr *expr, llvm::function_ref<void(const Expr *)> visit) {
  auto all = [&](llvm::ArrayRef<Expr *> list) { llvm::for_each(list, visit); };
  if (auto *e = llvm::dyn_cast<AnyMarkerExpr>(expr); e && e->set)
    visit(e->set);
  if (auto *e = llvm::dyn_cast<TupleExpr>(expr))
    all(e->members);
  if (auto *e = llvm::dyn_cast<SetExpr>(expr))
    all(e->members);
  if (auto *e = llvm::dyn_cast<IndexExpr>(expr)) {
    visit(e->base);
    all(e->indices);
  }
  if (auto *e = llvm::dyn_cast<CallExpr>(expr))
    for (const Argument &argument : e->arguments)
      visit(argument.value);
  if (auto *e = llvm::dyn_cast<MaybeExpr>(expr))
    visit(e->operand);
  if (auto *e = llvm::dyn_cast<UnaryExpr>(expr))
    visit(e->operand);
  if (auto *e = llvm::dyn_cast<BinaryExpr>(expr))
    all({e->left, e->right});
  if (auto *e = llvm::dyn_cast<CompareExpr>(expr))
    all(e->operands);
  if (auto *e = llvm::dyn_cast<ConditionalExpr>(expr))
    all({e->condition, e->onTrue, e->onFalse});
  if (auto *e = llvm::dyn_cast<WhereExpr>(expr))
    all({e->body, e->condition});
}

bool lmpm::isSameExpr(const Expr *a, const Expr *b) {
  if (a->getKind() != b->getKind())
    return false;
  if (auto *name = llvm::dyn_cast<NameExpr>(a))
    return name->name == llvm::cast<NameExpr>(b)->name;
  if (auto *integer = llvm::dyn_cast<IntegerExpr>(a))
    return integer->value == llvm::cast<IntegerExpr>(b)->value;
  if (auto *unary = llvm::dyn_cast<UnaryExpr>(a);
      unary && unary->op != llvm::cast<UnaryExpr>(b)->op)
    return false;
  if (auto *binary = llvm::dyn_cast<BinaryExpr>(a);
      binary && binary->op != llvm::cast<BinaryExpr>(b)->op)
    return false;
  bool comparable = llvm::isa<UnaryExpr, BinaryExpr, IndexExpr, StarExpr, MaybeExpr>(a);
  llvm::SmallVector<const Expr *> left, right;
  forEachOperand(a, [&](const Expr *operand) { left.push_back(operand); });
  forEachOperand(b, [&](const Expr *operand) { right.push_back(operand); });
  return comparable && left.size() == right.size() &&
         llvm::all_of(llvm::zip(left, right),
                      [](auto pair) { return isSameExpr(std::get<0>(pair), std::get<1>(pair)); });
}

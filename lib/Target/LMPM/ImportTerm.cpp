//===- ImportTerm.cpp - Conversions of types and presence -----------------===//
//
// Implicit conversions of the language: a boolean used as a number is 0 or 1, an integer used as a
// number is converted. Everything else is an error that names both types. Presence is a second
// value beside the value; where a value must be present, `lci.unwrap` states it.
//
//===----------------------------------------------------------------------===//

#include "Importer.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::lci;
using namespace lmpm;

/// The word that begins at a location of the text, which ends in a NUL.
static StringRef getWordAt(llvm::SMLoc loc) {
  return StringRef(loc.getPointer()).take_while([](char c) {
    return llvm::isAlnum(c) || c == '_';
  });
}

Term Importer::fail(ErrorId id, llvm::SMLoc loc, const Twine &message, const Twine &hint) {
  // An undeclared name is one mistake, however often it is used; so is a chain of formulas, however
  // many of them are nested too deep.
  bool isTold = (id == ErrorId::UndeclaredName && !undeclared.insert(getWordAt(loc)).second) ||
                (id == ErrorId::NestedTooDeep && std::exchange(isTooDeep, true));
  if (!usesBroken && !isTold)
    diagnostics.error(id, loc, message, hint);
  return {};
}

std::string mlir::lci::counted(size_t count, StringRef one, StringRef many) {
  return (Twine(count) + " " + (count == 1 ? one : many)).str();
}

static StringRef describe(Sort sort) {
  switch (sort) {
  case Sort::truth:
    return "a truth value";
  case Sort::integer:
    return "an integer";
  case Sort::number:
    return "a number (F32)";
  case Sort::answer:
    return "a model's answer";
  case Sort::event:
    return "an event";
  case Sort::vector:
    return "a vector";
  case Sort::truths:
    break;
  }
  llvm_unreachable("a comparison of vectors is never asked for, and is refused in other words");
}

Value Importer::both(Value a, Value b, Location loc) {
  if (!a || !b)
    return a ? a : b;
  return arith::AndIOp::create(builder.ir, loc, a, b);
}

Term Importer::require(Term term, Location loc) {
  if (!term.value || !term.present || scope.lenient)
    return term;
  term.value = UnwrapOp::create(builder.ir, loc, term.value, term.present);
  term.present = nullptr;
  return term;
}

Term Importer::toInteger(Term term, Location loc) {
  if (term.sort == Sort::truth)
    term.value = arith::ExtUIOp::create(builder.ir, loc, builder.ir.getI64Type(), term.value);
  term.sort = Sort::integer;
  return term;
}

Term Importer::toNumber(Term term, Location loc) {
  term = toInteger(term, loc);
  term.sort = Sort::number;
  auto constant = term.value.getDefiningOp<arith::ConstantIntOp>();
  if (constant && constant->use_empty()) {
    // A literal becomes a number literal, in place.
    OpBuilder::InsertionGuard guard(builder.ir);
    builder.ir.setInsertionPoint(constant);
    term.value = builder.constant(constant.getLoc(), static_cast<float>(constant.value()));
    constant.erase();
    return term;
  }
  term.value = arith::SIToFPOp::create(builder.ir, loc, builder.ir.getF32Type(), term.value);
  return term;
}

/// A quotient of two integers, of which a conversion would keep the rounded part only.
bool Importer::isIntegerDivision(const Expr *expr) {
  if (auto *unary = dyn_cast<UnaryExpr>(expr))
    return unary->op == UnaryOp::negate && isIntegerDivision(unary->operand);
  auto *binary = dyn_cast<BinaryExpr>(expr);
  return binary && binary->op == BinaryOp::divide;
}

/// Whether an expression contains a draw of numbers.
static bool drawsNumbers(const Expr *expr) {
  auto *call = dyn_cast<CallExpr>(expr);
  bool draws = call && (call->callee.name == "uniform" || call->callee.name == "normal");
  forEachOperand(expr, [&](const Expr *operand) { draws = draws || drawsNumbers(operand); });
  return draws;
}

/// The hint for a term whose type is not the expected one.
static StringRef hintForSort(const Expr *expr, Sort found, Sort expected) {
  if (expected == Sort::truth && (found == Sort::integer || found == Sort::number))
    return "a comparison is a truth value, as in 'self == 1' or 'sum(near) > 2'";
  if (expected != Sort::integer || found != Sort::number)
    return "";
  auto *call = dyn_cast<CallExpr>(expr);
  if (call && call->callee.name == "floor" && !drawsNumbers(expr))
    return "'/' of integers is the floor already, as in 'self / 2'; a number becomes no integer";
  return drawsNumbers(expr)
             ? "randint(n) draws an integer from 0 to n - 1"
             : "a number becomes no integer: compare it, as in 'if x > 0.5 then 1 else 0', or "
               "declare what holds it as F32";
}

Term Importer::coerce(const Expr *expr, Term term, Sort sort) {
  if (!term || term.sort == sort)
    return term;
  if (term.sort == Sort::vector)
    return fail(ErrorId::WrongType, expr->getLoc(),
                "expected " + describe(sort) + ", but got a vector",
                "a component is v[0]; sum(v), max(v), norm(v) are numbers");
  if (term.sort == Sort::truths)
    return fail(ErrorId::WrongType, expr->getLoc(),
                "expected " + describe(sort) +
                    ", but got a comparison of vectors, which is a vector",
                "any(v > w) and all(v > w) are truth values, sum(v > w) says how often it holds");
  if (sort == Sort::integer && term.sort == Sort::truth)
    return toInteger(term, at(expr));
  if (sort == Sort::number && term.sort == Sort::truth)
    return toNumber(toInteger(term, at(expr)), at(expr));
  if (sort != Sort::number || term.sort != Sort::integer)
    return fail(ErrorId::WrongType, expr->getLoc(),
                "expected " + describe(sort) + ", but got " + describe(term.sort),
                hintForSort(expr, term.sort, sort));
  if (!isIntegerDivision(expr))
    return toNumber(term, at(expr));
  auto *binary = dyn_cast<BinaryExpr>(expr);
  auto *left = binary ? dyn_cast<IntegerExpr>(binary->left) : nullptr;
  auto *right = binary ? dyn_cast<IntegerExpr>(binary->right) : nullptr;
  std::string hint = "write a number on one side, as in 'n / 2.0', or name the integer with 'let'";
  if (left && right)
    hint = ("write " + Twine(left->value) + ".0/" + Twine(right->value) + ".0").str();
  return fail(ErrorId::IntegerDivision, expr->getLoc(),
              "an integer division loses its fraction before it becomes F32", hint);
}

Term Importer::evalAs(const Expr *expr, Sort sort) { return coerce(expr, eval(expr), sort); }

bool Importer::unify(const Expr *left, Term &a, const Expr *right, Term &b) {
  if (!a || !b)
    return false;
  if (a.sort == b.sort && !a.isVector())
    return true;
  if (a.isVector() || b.isVector()) {
    AffineExpr length = a.isVector() ? a.length : b.length;
    a = asVector(left, a, length);
    b = a ? asVector(right, b, length) : Term();
    return a && b;
  }
  bool number = a.sort == Sort::number || b.sort == Sort::number;
  Sort sort = number ? Sort::number : Sort::integer;
  a = coerce(left, a, sort);
  b = a ? coerce(right, b, sort) : Term();
  return a && b;
}

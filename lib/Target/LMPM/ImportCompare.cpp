//===- ImportCompare.cpp - Import of comparisons and membership -----------===//
//
// Comparisons that are computed in a body; those that index sets can express are in
// ImportIndex.cpp.
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

using namespace mlir;
using namespace mlir::lci;
using namespace lmpm;

Term Importer::compareTerms(CompareOp op, Term left, Term right, Location loc) {
  using I = arith::CmpIPredicate;
  using F = arith::CmpFPredicate;
  static const std::pair<I, F> predicates[] = {{I::slt, F::OLT}, {I::sle, F::OLE}, {I::sgt, F::OGT},
                                               {I::sge, F::OGE}, {I::eq, F::OEQ},  {I::ne, F::UNE}};
  auto [integers, numbers] = predicates[static_cast<int>(op)];
  Value present = both(left.present, right.present, loc);
  bool isNumber = left.sort == Sort::number || left.sort == Sort::vector;
  Value value =
      isNumber ? Value(arith::CmpFOp::create(builder.ir, loc, numbers, left.value, right.value))
               : Value(arith::CmpIOp::create(builder.ir, loc, integers, left.value, right.value));
  return {value, present, left.isVector() ? Sort::truths : Sort::truth, left.length};
}

Term Importer::evalCompare(const CompareExpr &expr) {
  if (expr.ops.front() == CompareOp::in)
    return evalMembership(expr.operands[0], expr.operands[1], expr.getLoc());
  auto *leftTuple = dyn_cast<TupleExpr>(expr.operands[0]);
  auto *rightTuple = dyn_cast<TupleExpr>(expr.operands[1]);
  if (leftTuple && rightTuple && expr.ops.size() == 1)
    return evalTupleCompare(expr, *leftTuple, *rightTuple);
  Term result, middle;
  for (size_t i = 0; i < expr.ops.size(); ++i) {
    // The middle of a chain is the operand of two comparisons, and is computed once.
    Term left = evalOnce(expr.operands[i], middle);
    Term right = left ? eval(expr.operands[i + 1]) : Term();
    middle = right;
    bool ordered = expr.ops[i] != CompareOp::equal && expr.ops[i] != CompareOp::notEqual;
    if (ordered && left && left.sort == Sort::truth)
      left = toInteger(left, at(&expr));
    if (!unify(expr.operands[i], left, expr.operands[i + 1], right))
      return {};
    if (left.sort == Sort::answer || left.sort == Sort::event)
      return coerce(expr.operands[i], left, Sort::number);
    Term next = compareTerms(expr.ops[i], left, right, at(&expr));
    if (i == 0) {
      result = next;
      continue;
    }
    result.value = arith::AndIOp::create(builder.ir, at(&expr), result.value, next.value);
    result.present = both(result.present, next.present, at(&expr));
  }
  return result;
}

Term Importer::evalTupleCompare(const CompareExpr &expr, const TupleExpr &left,
                                const TupleExpr &right) {
  CompareOp op = expr.ops.front();
  if (op != CompareOp::equal && op != CompareOp::notEqual)
    return fail(ErrorId::WrongType, expr.getLoc(), "tuples are compared with '==' and '!=' only");
  if (left.members.size() != right.members.size())
    return fail(ErrorId::WrongType, expr.getLoc(),
                "expected tuples of one length, but got " + Twine(left.members.size()) + " and " +
                    Twine(right.members.size()) + " components");
  Location loc = at(&expr);
  Term result;
  for (auto [leftExpr, rightExpr] : llvm::zip(left.members, right.members)) {
    Term a = eval(leftExpr);
    Term b = a ? eval(rightExpr) : Term();
    if (!unify(leftExpr, a, rightExpr, b))
      return {};
    Term next = compareTerms(op, a, b, loc);
    if (!result) {
      result = next;
      continue;
    }
    result.value = op == CompareOp::equal
                       ? Value(arith::AndIOp::create(builder.ir, loc, result.value, next.value))
                       : Value(arith::OrIOp::create(builder.ir, loc, result.value, next.value));
    result.present = both(result.present, next.present, loc);
  }
  return result;
}

/// The operand of several comparisons, computed for the first of them. Names but `self`, which is a
/// read, are resolved again, as in `a < x and x < b`.
Term Importer::evalOnce(const Expr *expr, Term &known) {
  auto *name = dyn_cast<NameExpr>(expr);
  if (!known || (name && name->name != "self"))
    known = eval(expr);
  return known;
}

/// `x in a..b`, which is `a <= x <= b`.
Term Importer::evalBetween(const Expr *left, const BinaryExpr &range, Location loc, Term &known) {
  Term low = eval(range.left);
  Term x = low ? evalOnce(left, known) : Term();
  if (!unify(range.left, low, left, x))
    return {};
  Term above = compareTerms(CompareOp::lessEqual, low, x, loc);
  Term y = evalOnce(left, known), high = eval(range.right);
  if (!unify(left, y, range.right, high))
    return {};
  Term below = compareTerms(CompareOp::lessEqual, y, high, loc);
  return {arith::AndIOp::create(builder.ir, loc, above.value, below.value),
          both(above.present, below.present, loc), above.sort, above.length};
}

/// `x in a..b`, `x in {…}`, `x in Palette("…")`, and unions of these.
Term Importer::evalMembership(const Expr *left, const Expr *set, llvm::SMLoc loc) {
  Term known;
  return evalMembership(left, set, loc, known);
}

Term Importer::evalMembership(const Expr *left, const Expr *set, llvm::SMLoc loc, Term &known) {
  if (isa<TupleExpr>(left))
    return fail(ErrorId::WrongPlace, loc, "a tuple in a set is a condition on indices",
                "it stands behind 'when'");
  Location place = at(loc);
  if (auto *call = dyn_cast<CallExpr>(set); call && call->callee.name == "Palette") {
    const StringExpr *name = getQuotedName(*call, "Palette(\"sky\")");
    if (!name)
      return {};
    Term token = coerce(left, evalOnce(left, known), Sort::integer);
    if (!token)
      return {};
    token.value = InPaletteOp::create(builder.ir, place, token.value,
                                      builder.getPalette(at(set), name->text));
    token.sort = Sort::truth;
    return token;
  }
  auto *binary = dyn_cast<BinaryExpr>(set);
  if (binary && binary->op == BinaryOp::range)
    return evalBetween(left, *binary, place, known);
  SmallVector<Term> cases;
  if (auto *list = dyn_cast<SetExpr>(set)) {
    llvm::SmallDenseSet<int64_t> seen;
    for (const Expr *member : list->members) {
      auto *integer = dyn_cast<IntegerExpr>(member);
      if (integer && !seen.insert(static_cast<int64_t>(integer->value)).second)
        continue;
      Term x = evalOnce(left, known);
      Term y = x ? eval(member) : Term();
      if (!unify(left, x, member, y))
        return {};
      cases.push_back(compareTerms(CompareOp::equal, x, y, place));
    }
  } else if (binary && binary->op == BinaryOp::bitOr) {
    cases.push_back(evalMembership(left, binary->left, loc, known));
    cases.push_back(cases.back() ? evalMembership(left, binary->right, loc, known) : Term());
  } else {
    return fail(ErrorId::WrongType, set->getLoc(), "expected a set right of 'in'",
                isa<TupleExpr>(set)
                    ? "a set stands in braces, as in 'self in {1, 2}'"
                    : "sets of numbers are a..b, {…}, Palette(\"…\") and unions with '|'");
  }
  Term result = cases.front();
  for (Term next : llvm::drop_begin(cases)) {
    if (!result || !next)
      return {};
    result.value = arith::OrIOp::create(builder.ir, place, result.value, next.value);
    result.present = both(result.present, next.present, place);
  }
  return result;
}

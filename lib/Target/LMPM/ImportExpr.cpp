//===- ImportExpr.cpp - Import of operators and references ----------------===//
//
// One operation of `arith`, `math` or `lci` for each operator of the text, so that text and IR map
// to each other one to one; folding is left to the passes.
//
//===----------------------------------------------------------------------===//

#include "Importer.h"
#include "LCI/Target/LMPM/Foreign.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace mlir::lci;
using namespace lmpm;

/// A depth that no hand-written text comes near to, and that exhausts no stack.
static constexpr unsigned kMaxExprDepth = 10000;

Term Importer::eval(const Expr *expr) {
  if (exprDepth == kMaxExprDepth)
    return fail(ErrorId::NestedTooDeep, expr->getLoc(),
                "with the formulas that it uses, the expression has more than " +
                    Twine(kMaxExprDepth) + " nested operations");
  llvm::SaveAndRestore deeper(exprDepth, exprDepth + 1);
  Location loc = at(expr);
  switch (expr->getKind()) {
  case Expr::Kind::integer:
    return {builder.constant(loc, cast<IntegerExpr>(expr)->value), nullptr, Sort::integer};
  case Expr::Kind::real:
    return {builder.constant(loc, cast<RealExpr>(expr)->value), nullptr, Sort::number};
  case Expr::Kind::name:
    return evalName(*cast<NameExpr>(expr));
  case Expr::Kind::index:
    return evalIndex(*cast<IndexExpr>(expr));
  case Expr::Kind::call:
    return evalCall(*cast<CallExpr>(expr));
  case Expr::Kind::maybe:
    return evalFamily(expr);
  case Expr::Kind::unary:
    return evalUnary(*cast<UnaryExpr>(expr));
  case Expr::Kind::binary:
    return evalBinary(*cast<BinaryExpr>(expr));
  case Expr::Kind::compare:
    return evalCompare(*cast<CompareExpr>(expr));
  case Expr::Kind::conditional:
    return evalConditional(*cast<ConditionalExpr>(expr));
  case Expr::Kind::anyMarker:
  case Expr::Kind::string:
    return fail(ErrorId::WrongType, expr->getLoc(), "expected a number, but got a string");
  case Expr::Kind::star:
    return fail(ErrorId::WrongPlace, expr->getLoc(), "unexpected '*'");
  case Expr::Kind::ellipsis:
    return fail(ErrorId::WrongPlace, expr->getLoc(),
                "'...' repeats the arguments of the emitted model call and "
                "stands in 'ModelScore(...)' only");
  case Expr::Kind::tuple:
    return fail(ErrorId::WrongPlace, expr->getLoc(),
                "a tuple can be compared and stand left of 'in', nothing else");
  case Expr::Kind::set:
    return fail(ErrorId::WrongPlace, expr->getLoc(), "a set stands right of 'in' only",
                "as in 'self in {1, 2}'");
  case Expr::Kind::where:
    return fail(ErrorId::WrongPlace, expr->getLoc(),
                "'when' inside parentheses belongs to a reduction");
  }
  return {};
}

Term Importer::evalName(const NameExpr &name) {
  Location loc = at(&name);
  Entity entity = resolve(name.name);
  switch (entity.kind) {
  case Entity::Kind::index:
    return {arith::IndexCastOp::create(builder.ir, loc, builder.ir.getI64Type(),
                                       scope.indices[entity.dim].value),
            nullptr, Sort::integer};
  case Entity::Kind::formal:
    return inCaller(*entity.formal,
                    [&](const Expr *given) { return evalAs(given, Sort::integer); });
  case Entity::Kind::let: {
    LetInfo &let = *entity.let;
    if (let.isFamily)
      return inLet(let, [&](const Expr *text) { return eval(text); });
    if (let.needsCandidate && !scope.candidate)
      return fail(ErrorId::WrongPlace, name.getLoc(),
                  "'" + name.name +
                      "' depends on the candidate, which is known "
                      "in 'score' only");
    return let.term ? require(let.term, loc) : Term();
  }
  case Entity::Kind::param:
    return evalParam(*entity.param, nullptr, name.getLoc());
  case Entity::Kind::def:
    return evalDef(*entity.def, {}, name.getLoc());
  case Entity::Kind::candidate:
    if (!scope.candidate)
      return fail(ErrorId::WrongPlace, name.getLoc(),
                  "'candidate' stands in 'score' and in constraints only");
    return {scope.candidate, nullptr, scope.reader->getSort(), scope.reader->length};
  case Entity::Kind::epoch:
    return {EpochOp::create(builder.ir, loc), nullptr, Sort::integer};
  case Entity::Kind::pi:
    return {builder.constant(loc, 3.14159265358979323846f), nullptr, Sort::number};
  case Entity::Kind::offsets:
    return fail(ErrorId::WrongPlace, name.getLoc(),
                "'" + name.name + "' is a set of offsets and stands right of 'in'");
  case Entity::Kind::other:
    return fail(
        ErrorId::UndeclaredName, name.getLoc(),
        "'" + name.name + "' is not a value, a parameter or a formula",
        "something that is no number is declared by this name; a size needs one of its own");
  case Entity::Kind::none:
    break;
  default:
    return evalFamily(&name);
  }
  if (!llvm::isUpper(name.name.front()) || !hintForName(name.name).empty())
    return failUnknown(name);
  (void)getSize(name);
  return {SizeOp::create(builder.ir, loc, name.name), nullptr, Sort::integer};
}

Term Importer::evalIndex(const IndexExpr &expr) {
  auto *base = dyn_cast<NameExpr>(expr.base);
  if (isVectorName(expr.base))
    return evalComponent(expr);
  Entity entity = resolve(base->name);
  if (entity.kind == Entity::Kind::param)
    return evalParam(*entity.param, &expr, expr.getLoc());
  if (entity.kind == Entity::Kind::def)
    return evalDef(*entity.def, expr.indices, expr.getLoc());
  return evalFamily(&expr);
}

Term Importer::evalParam(ParamInfo &param, const IndexExpr *expr, llvm::SMLoc loc) {
  size_t count = expr ? expr->indices.size() : 0;
  if (expr && !checkIndices(param.decl->name.name, expr->indices))
    return {};
  if (!expr && param.extents.size() == 1 && param.op.getKind() == Kind::F32) {
    Value whole = ParamValueOp::create(builder.ir, at(loc), getVectorType(param.extents[0]),
                                       FlatSymbolRefAttr::get(param.op), ValueRange());
    return {whole, nullptr, Sort::vector, param.extents[0]};
  }
  if (count != param.extents.size())
    return fail(ErrorId::WrongArity, loc,
                "parameter '" + param.decl->name.name + "' has " +
                    counted(param.extents.size(), "axis", "axes") + ", but got " +
                    counted(count, "index", "indices"));
  SmallVector<Value> indices;
  for (size_t i = 0; i < count; ++i) {
    Term index = evalAs(expr->indices[i], Sort::integer);
    if (!index)
      return {};
    indices.push_back(index.value);
  }
  Type type = param.op.getElementType();
  Value value =
      ParamValueOp::create(builder.ir, at(loc), type, FlatSymbolRefAttr::get(param.op), indices);
  return {value, nullptr, type.isF32() ? Sort::number : Sort::integer};
}

Term Importer::evalUnary(const UnaryExpr &expr) {
  Location loc = at(&expr);
  if (expr.op == UnaryOp::logicalNot) {
    Term operand = eval(expr.operand);
    if (operand && operand.sort == Sort::truths) { // differs from all true
      Term always =
          asTruths(expr.operand, {builder.constant(loc, true), {}, Sort::truth}, operand.length);
      operand.value = arith::XOrIOp::create(builder.ir, loc, operand.value, always.value);
      return operand;
    }
    operand = coerce(expr.operand, operand, Sort::truth);
    if (!operand)
      return {};
    operand.value =
        arith::XOrIOp::create(builder.ir, loc, operand.value, builder.constant(loc, true));
    return operand;
  }
  // A sign and the literal behind it form one constant.
  if (auto *integer = dyn_cast<IntegerExpr>(expr.operand); integer && expr.op == UnaryOp::negate)
    return {builder.constant(loc, -integer->value), nullptr, Sort::integer};
  if (auto *real = dyn_cast<RealExpr>(expr.operand); real && expr.op == UnaryOp::negate)
    return {builder.constant(loc, -real->value), nullptr, Sort::number};
  Term operand = toNumbers(eval(expr.operand), loc);
  bool isNumber = operand && (operand.sort == Sort::number || operand.sort == Sort::vector);
  if (isNumber && expr.op == UnaryOp::negate) {
    // So do a sign and `pi`, which is written as its digits.
    FloatAttr literal;
    Operation *constant = operand.value.getDefiningOp();
    if (isa_and_nonnull<arith::ConstantOp>(constant) && constant->use_empty() &&
        matchPattern(constant, m_Constant(&literal))) {
      operand.value = arith::ConstantOp::create(
          builder.ir, loc, FloatAttr::get(literal.getType(), llvm::neg(literal.getValue())));
      constant->erase();
      return operand;
    }
    operand.value = arith::NegFOp::create(builder.ir, loc, operand.value);
    return operand;
  }
  operand = coerce(expr.operand, operand, Sort::integer);
  if (!operand)
    return {};
  if (expr.op == UnaryOp::negate)
    operand.value =
        arith::SubIOp::create(builder.ir, loc, builder.constant(loc, int64_t(0)), operand.value);
  else
    operand.value =
        arith::XOrIOp::create(builder.ir, loc, operand.value, builder.constant(loc, int64_t(-1)));
  return operand;
}

Term Importer::evalBinary(const BinaryExpr &expr) {
  switch (expr.op) {
  case BinaryOp::range:
    return fail(ErrorId::WrongPlace, expr.getLoc(),
                "a range stands in an index and right of 'in' only");
  case BinaryOp::matmul:
    return evalMatmul(expr);
  case BinaryOp::logicalAnd:
  case BinaryOp::logicalOr:
    return evalLogical(expr);
  case BinaryOp::power:
    return evalPower(expr);
  case BinaryOp::coalesce:
    return evalCoalesce(expr);
  default:
    break;
  }
  Term left = eval(expr.left);
  Term right = left ? eval(expr.right) : Term();
  return right ? arithmetic(expr.op, left, right, expr) : Term();
}

Term Importer::evalLogical(const BinaryExpr &expr) {
  Term left = eval(expr.left);
  Term right = left ? eval(expr.right) : Term();
  if (!unifyTruths(expr.left, left, expr.right, right))
    return {};
  Location loc = at(&expr);
  Value value = expr.op == BinaryOp::logicalAnd
                    ? Value(arith::AndIOp::create(builder.ir, loc, left.value, right.value))
                    : Value(arith::OrIOp::create(builder.ir, loc, left.value, right.value));
  return {value, both(left.present, right.present, loc), left.sort, left.length};
}

Term Importer::arithmetic(BinaryOp op, Term left, Term right, const BinaryExpr &expr) {
  Location loc = at(&expr);
  bool isBits = op == BinaryOp::bitAnd || op == BinaryOp::bitOr || op == BinaryOp::bitXor;
  bool isShift = op == BinaryOp::shiftLeft || op == BinaryOp::shiftRight;
  if (isBits && (left.sort == Sort::truths || right.sort == Sort::truths)) {
    if (!unifyTruths(expr.left, left, expr.right, right))
      return {};
    Value value = integerOperation(op, left.value, right.value, loc);
    return {value, both(left.present, right.present, loc), left.sort, left.length};
  }
  if (!isBits && !isShift && (left.isVector() || right.isVector())) {
    if (!unify(expr.left, left, expr.right, right))
      return {};
    if (!checkQuotient(expr, /*isNumber=*/true))
      return {};
    Value value = numberOperation(op, left.value, right.value, expr);
    return {value, both(left.present, right.present, loc), Sort::vector, left.length};
  }
  bool truths = isBits && left.sort == Sort::truth && right.sort == Sort::truth;
  bool numbers = !isBits && !isShift && (left.sort == Sort::number || right.sort == Sort::number);
  Sort sort = truths ? Sort::truth : numbers ? Sort::number : Sort::integer;
  left = coerce(expr.left, left, sort);
  right = left ? coerce(expr.right, right, sort) : Term();
  if (!right || !checkQuotient(expr, numbers))
    return {};
  Value present = both(left.present, right.present, loc);
  Value value = numbers ? numberOperation(op, left.value, right.value, expr)
                        : integerOperation(op, left.value, right.value, loc);
  return {value, present, sort};
}

/// Whether a quotient is allowed on numbers, or on integers.
bool Importer::checkQuotient(const BinaryExpr &expr, bool isNumber) {
  if (isNumber && expr.quotient == BinaryExpr::Quotient::floor)
    fail(ErrorId::WrongType, expr.getLoc(), "'//' divides integers, but got a number (F32)",
         "use '/', and floor(x) for the floor");
  else if (!isNumber && expr.quotient == BinaryExpr::Quotient::exact)
    fail(ErrorId::IntegerDivision, expr.getLoc(), "'/' of integers would be a fraction",
         "'//' is the floor; for a number, write one on one side, as in 'n / 2.0'");
  else
    return true;
  return false;
}

Value Importer::integerOperation(BinaryOp op, Value left, Value right, Location loc) {
  OpBuilder &ir = builder.ir;
  switch (op) {
  case BinaryOp::add:
    return arith::AddIOp::create(ir, loc, left, right);
  case BinaryOp::subtract:
    return arith::SubIOp::create(ir, loc, left, right);
  case BinaryOp::multiply:
    return arith::MulIOp::create(ir, loc, left, right);
  case BinaryOp::divide:
    return FloorDivOp::create(ir, loc, left, right);
  case BinaryOp::modulo:
    return FloorModOp::create(ir, loc, left, right);
  case BinaryOp::shiftLeft:
    return arith::ShLIOp::create(ir, loc, left, right);
  case BinaryOp::shiftRight:
    return arith::ShRSIOp::create(ir, loc, left, right);
  case BinaryOp::bitAnd:
    return arith::AndIOp::create(ir, loc, left, right);
  case BinaryOp::bitOr:
    return arith::OrIOp::create(ir, loc, left, right);
  default:
    return arith::XOrIOp::create(ir, loc, left, right);
  }
}

Value Importer::numberOperation(BinaryOp op, Value left, Value right, const BinaryExpr &expr) {
  OpBuilder &ir = builder.ir;
  Location loc = at(&expr);
  switch (op) {
  case BinaryOp::add:
    return arith::AddFOp::create(ir, loc, left, right);
  case BinaryOp::subtract:
    return arith::SubFOp::create(ir, loc, left, right);
  case BinaryOp::multiply:
    return arith::MulFOp::create(ir, loc, left, right);
  case BinaryOp::divide:
    return arith::DivFOp::create(ir, loc, left, right);
  default:
    fail(ErrorId::WrongType, expr.getLoc(), "'%' takes integers, but got a number (F32)");
    return {};
  }
}

Term Importer::evalPower(const BinaryExpr &expr) {
  Location loc = at(&expr);
  Term base = toNumbers(eval(expr.left), loc);
  if (!base)
    return {};
  if (base.sort == Sort::truth)
    base = toInteger(base, loc);
  if (auto *exponent = dyn_cast<IntegerExpr>(expr.right)) {
    if (base.sort != Sort::integer && base.sort != Sort::number && base.sort != Sort::vector)
      return coerce(expr.left, base, Sort::number);
    if (exponent->value > 64)
      return fail(ErrorId::LiteralOutOfRange, expr.right->getLoc(),
                  "expected a constant power up to 64, but got " + Twine(exponent->value));
    if (exponent->value == 1 && base.sort == Sort::integer)
      diagnostics.warning(ErrorId::WrongPlace, expr.getLoc(), "the power 1 changes nothing",
                          "'^' is a power; 'xor' joins the bits of integers");
    base.value =
        PowerOp::create(builder.ir, loc, base.value.getType(), base.value, exponent->value);
    return base;
  }
  if (base.sort == Sort::integer)
    return fail(ErrorId::WrongType, expr.right->getLoc(),
                "expected a constant power from 0 to 64 of an integer",
                "a number as base takes any exponent");
  Term exponent = eval(expr.right);
  return buildBinary(ElementaryBinary::Pow, expr.left, base, expr.right, exponent, loc);
}

/// A function of two numbers, or component-wise if one is a vector.
Term Importer::buildBinary(ElementaryBinary function, const Expr *left, Term x, const Expr *right,
                           Term y, Location loc) {
  if (x && y && !x.isVector() && !y.isVector()) {
    x = coerce(left, x, Sort::number);
    y = coerce(right, y, Sort::number);
  }
  if (!unify(left, x, right, y))
    return {};
  Value value = ElementaryBinaryOp::create(builder.ir, loc, function, x.value, y.value);
  return {value, both(x.present, y.present, loc), x.sort, x.length};
}

/// Makes two conditions booleans, or vectors of booleans if one is a vector.
bool Importer::unifyTruths(const Expr *left, Term &a, const Expr *right, Term &b) {
  if (!a || !b)
    return false;
  if (!a.isVector() && !b.isVector()) {
    a = coerce(left, a, Sort::truth);
    b = a ? coerce(right, b, Sort::truth) : Term();
    return a && b;
  }
  AffineExpr length = a.isVector() ? a.length : b.length;
  a = asTruths(left, a, length);
  b = a ? asTruths(right, b, length) : Term();
  return a && b;
}

Term Importer::evalCoalesce(const BinaryExpr &expr) {
  Location loc = at(&expr);
  bool outer = scope.lenient;
  scope.lenient = true;
  Term left = eval(expr.left);
  scope.lenient = outer;
  Term right = left ? eval(expr.right) : Term();
  if (!unify(expr.left, left, expr.right, right))
    return {};
  if (!left.present)
    return fail(ErrorId::WrongType, expr.getLoc(), "the left side of '\?\?' is always there",
                "leave out '\?\?' and the replacement");
  Value value = arith::SelectOp::create(builder.ir, loc, left.present, left.value, right.value);
  Value present = right.present
                      ? Value(arith::OrIOp::create(builder.ir, loc, left.present, right.present))
                      : Value();
  return {value, present, left.sort, left.length};
}

Term Importer::evalConditional(const ConditionalExpr &expr) {
  Location loc = at(&expr);
  Term condition = eval(expr.condition);
  bool choosesEach = condition && condition.sort == Sort::truths;
  if (!choosesEach)
    condition = coerce(expr.condition, condition, Sort::truth);
  if (!condition)
    return {};
  // Both branches are computed, so that only the chosen one has to be present.
  bool outer = scope.lenient;
  scope.lenient = true;
  Term onTrue = eval(expr.onTrue);
  Term onFalse = onTrue ? eval(expr.onFalse) : Term();
  scope.lenient = outer;
  if (choosesEach)
    return chooseComponents(expr, condition, onTrue, onFalse);
  if (!unify(expr.onTrue, onTrue, expr.onFalse, onFalse))
    return {};
  if (onTrue.sort == Sort::answer || onTrue.sort == Sort::event)
    return coerce(expr.onTrue, onTrue, Sort::number);
  Value value =
      arith::SelectOp::create(builder.ir, loc, condition.value, onTrue.value, onFalse.value);
  Value present;
  if (onTrue.present || onFalse.present) {
    auto orAlways = [&](Value p) { return p ? p : builder.constant(loc, true); };
    Value yes = orAlways(onTrue.present), no = orAlways(onFalse.present);
    present = arith::SelectOp::create(builder.ir, loc, condition.value, yes, no);
  }
  return require({value, both(condition.present, present, loc), onTrue.sort, onTrue.length}, loc);
}

/// A condition for each component takes from both branches, so that both must be present.
Term Importer::chooseComponents(const ConditionalExpr &expr, Term condition, Term onTrue,
                                Term onFalse) {
  onTrue = onTrue ? asVector(expr.onTrue, onTrue, condition.length) : onTrue;
  onFalse = onTrue && onFalse ? asVector(expr.onFalse, onFalse, condition.length) : Term();
  if (!onFalse)
    return {};
  Location loc = at(&expr);
  Value value =
      arith::SelectOp::create(builder.ir, loc, condition.value, onTrue.value, onFalse.value);
  Value present = both(onTrue.present, onFalse.present, loc);
  return require({value, both(condition.present, present, loc), Sort::vector, condition.length},
                 loc);
}

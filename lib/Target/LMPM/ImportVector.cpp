//===- ImportVector.cpp - Import of vectors of numbers --------------------===//
//
// The cells of latent values and parameters of numbers are vectors. Operators and functions of
// numbers apply component by component; a number beside a vector is spread to its components.
// Lengths are expressions of sizes and must be equal symbolically.
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

using namespace mlir;
using namespace mlir::lci;
using namespace lmpm;

Type Importer::getVectorType(AffineExpr length) {
  auto constant = dyn_cast<AffineConstantExpr>(length);
  return RankedTensorType::get({constant ? constant.getValue() : ShapedType::kDynamic},
                               builder.ir.getF32Type());
}

/// Converts booleans to 1 and 0, where numbers are expected.
Term Importer::toNumbers(Term term, Location loc) {
  if (term.sort != Sort::truths)
    return term;
  term.value = arith::UIToFPOp::create(builder.ir, loc, getVectorType(term.length), term.value);
  term.sort = Sort::vector;
  return term;
}

/// One boolean for each component.
Term Importer::asTruths(const Expr *expr, Term term, AffineExpr length) {
  if (!term || (term.sort == Sort::truths && term.length == length))
    return term;
  if (term.sort == Sort::truths)
    return failLength(expr);
  if (term.sort == Sort::vector)
    return fail(ErrorId::WrongType, expr->getLoc(),
                "expected truth values, but got a vector of numbers",
                "a comparison of vectors has a truth value for each component");
  term = coerce(expr, term, Sort::truth);
  if (!term)
    return {};
  Type type = cast<RankedTensorType>(getVectorType(length)).clone(builder.ir.getI1Type());
  term.value = SpreadOp::create(builder.ir, at(expr), type, term.value,
                                AffineMapAttr::get(builder.toMap({length}, 0)));
  term.sort = Sort::truths;
  term.length = length;
  return term;
}

Term Importer::failLength(const Expr *expr) {
  return fail(ErrorId::WrongType, expr->getLoc(), "expected a vector of another length here",
              "vectors that are joined have as many components, said with the same sizes");
}

/// A vector of that length: the vector itself, or a number spread to each component.
Term Importer::asVector(const Expr *expr, Term term, AffineExpr length) {
  if (term)
    term = toNumbers(term, at(expr));
  if (!term || (term.sort == Sort::vector && term.length == length))
    return term;
  if (term.sort == Sort::vector)
    return failLength(expr);
  term = coerce(expr, term, Sort::number);
  if (!term)
    return {};
  term.value = SpreadOp::create(builder.ir, at(expr), getVectorType(length), term.value,
                                AffineMapAttr::get(builder.toMap({length}, 0)));
  term.sort = Sort::vector;
  term.length = length;
  return term;
}

Term Importer::coerceToCell(const Expr *expr, Term term, const ValueInfo &value) {
  return value.getSort() == Sort::vector ? asVector(expr, term, value.length)
                                         : coerce(expr, term, value.getSort());
}

/// `W @ v` of a matrix, which is a parameter, and `v @ w`, the scalar product.
Term Importer::evalMatmul(const BinaryExpr &expr) {
  auto *name = dyn_cast<NameExpr>(expr.left);
  Entity entity = name ? resolve(name->name) : Entity();
  bool isMatrix = entity.kind == Entity::Kind::param && entity.param->extents.size() == 2;
  Location loc = at(&expr);
  Term left = isMatrix ? Term() : eval(expr.left);
  if (!isMatrix && !left)
    return {};
  Term right = eval(expr.right);
  if (!right)
    return {};
  left = toNumbers(left, loc);
  right = toNumbers(right, loc);
  if ((!isMatrix && left.sort != Sort::vector) || right.sort != Sort::vector)
    return fail(ErrorId::WrongType, (right.sort != Sort::vector ? expr.right : expr.left)->getLoc(),
                "'@' takes a matrix or a vector, and a vector",
                "a matrix is a parameter of two axes, as in 'param W : F32[8, 4]'");
  if (!isMatrix) {
    right = asVector(expr.right, right, left.length);
    if (!right)
      return {};
    return {DotOp::create(builder.ir, loc, builder.ir.getF32Type(), left.value, right.value),
            both(left.present, right.present, loc), Sort::number};
  }
  if (entity.param->op.getKind() != Kind::F32)
    return fail(ErrorId::WrongType, expr.left->getLoc(), "expected a matrix of numbers (F32)");
  right = asVector(expr.right, right, entity.param->extents[1]);
  if (!right)
    return {};
  auto extent = [&](unsigned axis) {
    auto constant = dyn_cast<AffineConstantExpr>(entity.param->extents[axis]);
    return constant ? constant.getValue() : ShapedType::kDynamic;
  };
  Type type = RankedTensorType::get({extent(0), extent(1)}, builder.ir.getF32Type());
  Value matrix = ParamValueOp::create(builder.ir, at(expr.left), type,
                                      FlatSymbolRefAttr::get(entity.param->op), ValueRange());
  AffineExpr length = entity.param->extents[0];
  Value product = MatVecOp::create(builder.ir, loc, getVectorType(length), matrix, right.value);
  return {product, right.present, Sort::vector, length};
}

/// Whether a name before `[` may be that of a vector, rather than of an array of cells.
bool Importer::isVectorName(const Expr *expr) {
  auto *name = dyn_cast<NameExpr>(expr);
  if (!name)
    return true;
  // An item of `read {…}` may have the name of its value.
  if (auto *value = values.find(name->name); value != values.end())
    return value->second->getRank() == 0 && value->second->getSort() == Sort::vector;
  using Kind = Entity::Kind;
  Kind kind = resolve(name->name).kind;
  return kind == Kind::let || kind == Kind::self || kind == Kind::candidate ||
         kind == Kind::label || kind == Kind::readItem || kind == Kind::previousFrame;
}

/// Rejects consecutive index lists, as in `V[x][y]`.
bool Importer::checkOneBracket(const IndexExpr &expr) {
  auto *inner = dyn_cast<IndexExpr>(expr.base);
  auto *name = inner ? dyn_cast<NameExpr>(inner->base) : nullptr;
  Entity entity = name ? resolve(name->name) : Entity();
  size_t axes = entity.kind == Entity::Kind::value   ? entity.value->getRank()
                : entity.kind == Entity::Kind::param ? entity.param->extents.size()
                                                     : 0;
  if (axes == 0 || inner->indices.size() + expr.indices.size() != axes)
    return true;
  return static_cast<bool>(
      fail(ErrorId::WrongArity, inner->getLoc(),
           "'" + name->name + "' has " + counted(axes, "axis", "axes") + ", but got " +
               counted(inner->indices.size(), "index", "indices"),
           "all indices stand in one pair of brackets, as in '" + name->name + "[x,y]'"));
}

/// `v[c]`: one component.
Term Importer::evalComponent(const IndexExpr &expr) {
  if (!checkOneBracket(expr))
    return {};
  Term vector = eval(expr.base);
  if (!vector)
    return {};
  if (!vector.isVector() || expr.indices.size() != 1)
    return fail(
        ErrorId::WrongType, expr.getLoc(),
        !vector.isVector() ? "expected a vector, a value, a parameter or a formula before '['"
                           : "a vector has one index",
        vector.isVector() ? "" : "another cell is read by its value's name, as in 'V[x+1]'");
  auto *base = dyn_cast<NameExpr>(expr.base);
  if (!checkIndices(base ? base->name : "v", expr.indices))
    return {};
  Term index = evalAs(expr.indices[0], Sort::integer);
  if (!index)
    return {};
  Location loc = at(&expr);
  return {ComponentOp::create(builder.ir, loc, vector.value, index.value),
          both(vector.present, index.present, loc),
          vector.sort == Sort::truths ? Sort::truth : Sort::number};
}

/// `dot`, `norm` and `softmax`.
Term Importer::evalVectorCall(const CallExpr &call) {
  StringRef name = call.callee.name;
  if (name == "concat")
    return evalConcat(call);
  if (!checkArity(call, name == "dot" ? 2 : 1))
    return {};
  const Expr *first = call.arguments[0].value;
  Location loc = at(&call);
  Term x = toNumbers(eval(first), loc);
  if (!x)
    return {};
  if (x.sort != Sort::vector)
    return fail(ErrorId::WrongType, first->getLoc(), "'" + name + "' takes a vector");
  OpBuilder &ir = builder.ir;
  if (name == "softmax") {
    x.value = SoftmaxOp::create(ir, loc, x.value.getType(), x.value);
    return x;
  }
  Term y = x;
  if (name == "dot")
    y = toNumbers(eval(call.arguments[1].value), loc);
  if (name == "dot" && y && y.sort != Sort::vector)
    return fail(ErrorId::WrongType, call.arguments[1].value->getLoc(), "'dot' takes a vector");
  y = asVector(call.arguments.back().value, y, x.length);
  if (!y)
    return {};
  Value product = DotOp::create(ir, loc, ir.getF32Type(), x.value, y.value);
  if (name == "norm")
    product = ElementaryOp::create(ir, loc, product.getType(), Elementary::Sqrt, product);
  return {product, name == "norm" ? x.present : both(x.present, y.present, loc), Sort::number};
}

/// `concat(a, b, …)` of vectors and numbers.
Term Importer::evalConcat(const CallExpr &call) {
  if (call.arguments.empty() || !checkArity(call, call.arguments.size()))
    return call.arguments.empty()
               ? fail(ErrorId::WrongArity, call.getLoc(), "'concat' takes at least 1 argument")
               : Term();
  SmallVector<Value> parts;
  Term result{Value(), Value(), Sort::vector, number(0)};
  for (const Argument &argument : call.arguments) {
    Term part = toNumbers(eval(argument.value), at(&call));
    if (part && part.sort != Sort::vector)
      part = coerce(argument.value, part, Sort::number);
    if (!part)
      return {};
    parts.push_back(part.value);
    result.length = result.length + (part.sort == Sort::vector ? part.length : number(1));
    result.present = both(result.present, part.present, at(&call));
  }
  result.length = normalizeExpr(result.length);
  result.value = ConcatOp::create(builder.ir, at(&call), getVectorType(result.length), parts);
  return result;
}

/// A vector without index is the family of its components.
Term Importer::reduceVector(const Expr *body, Reduction kind, Term vector) {
  Location loc = at(body);
  bool keepsTruths = kind == Reduction::Any || kind == Reduction::All || kind == Reduction::Count;
  if (!keepsTruths)
    vector = toNumbers(vector, loc);
  SmallVector<Value> outer = getIndexValues();
  Condition where = Condition::isBetween(number(0), dim(outer.size()), vector.length - 1);
  ReduceOp op = builder.reduce(loc, kind, where, outer, 1);
  OpBuilder::InsertionGuard guard(builder.ir);
  builder.ir.setInsertionPointToStart(&op.getBody().front());
  Value index = arith::IndexCastOp::create(builder.ir, loc, builder.ir.getI64Type(),
                                           op.getBody().getArgument(0));
  bool wantsTruth = kind == Reduction::Any || kind == Reduction::All;
  if (wantsTruth && vector.sort != Sort::truths)
    return fail(ErrorId::WrongType, body->getLoc(), "expected a truth value, but got a vector");
  Value member = ComponentOp::create(builder.ir, loc, vector.value, index);
  if (kind == Reduction::Count && vector.sort != Sort::truths)
    member = builder.constant(loc, true);
  YieldOp::create(builder.ir, loc, member, Value());
  builder.finishReduce(op);
  builder.ir.setInsertionPointAfter(op);
  // There is at least one component.
  Term result{op.getResult(), vector.present, getSort(op.getResult().getType())};
  return require(result, loc);
}

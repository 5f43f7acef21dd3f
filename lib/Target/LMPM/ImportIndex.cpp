//===- ImportIndex.cpp - Import of affine indices and conditions ----------===//
//
// An index of a value is an affine expression of the indices in scope and the sizes, and a
// condition on indices is a union of sets of such. An expression that depends on the epoch, on
// parameters or on values is not affine; it is rejected by name here, or computed in the body where
// that is possible.
//
//===----------------------------------------------------------------------===//

#include "Importer.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::lci;
using namespace lmpm;

std::nullopt_t Importer::failAffine(ErrorId id, const Expr *expr, bool report, const Twine &why,
                                    const Twine &hint) {
  if (report)
    fail(id, expr->getLoc(), why, hint);
  return std::nullopt;
}

std::optional<AffineExpr> Importer::affineName(const NameExpr &name, bool report, bool inRange) {
  Entity entity = resolve(name.name);
  switch (entity.kind) {
  case Entity::Kind::index:
    return dim(entity.dim);
  case Entity::Kind::formal:
    return inCaller(*entity.formal,
                    [&](const Expr *given) { return affine(given, report, inRange); });
  case Entity::Kind::let:
    return inLet(*entity.let, [&](const Expr *text) { return affine(text, report, inRange); });
  case Entity::Kind::epoch:
  case Entity::Kind::param:
    return failAffine(ErrorId::NotLinear, &name, report, "'" + name.name + "' cannot stand here",
                      "an index of a read may be computed from it; what is seen or ranged over is "
                      "about indices and sizes");
  case Entity::Kind::none:
    break;
  default:
    return failAffine(ErrorId::NotLinear, &name, report, "'" + name.name + "' cannot stand here",
                      "an index of a read may be computed from it; what is seen or ranged over is "
                      "about indices and sizes");
  }
  if (llvm::isUpper(name.name.front()) || inRange)
    return getSize(name);
  return failAffine(ErrorId::UnboundIndex, &name, report,
                    "the free index '" + name.name + "' is bound by nothing",
                    didYouMean(name.name, getNamesInScope(),
                               "free indices belong to reductions and to the right side of "
                               "'visible'"));
}

/// Whether all constants of an affine expression are small enough that arithmetic cannot overflow.
static bool isModerate(AffineExpr expr) {
  constexpr int64_t limit = int64_t(1) << 31;
  LinearForm form = LinearForm::of(expr);
  return std::abs(form.constant) <= limit &&
         llvm::all_of(form.terms, [&](auto &term) { return std::abs(term.second) <= limit; });
}

/// A natural power of a constant or of sizes, as products.
std::optional<AffineExpr> Importer::affinePower(const BinaryExpr &expr, AffineExpr base,
                                                AffineConstantExpr exponent, bool report) {
  if (!base.isSymbolicOrConstant() || !exponent || exponent.getValue() < 0 ||
      exponent.getValue() > 64)
    return failAffine(ErrorId::LiteralOutOfRange, &expr, report,
                      "expected a power of a size, from 0 to 64");
  AffineExpr result = number(1);
  for (int64_t i = 0; i < exponent.getValue(); ++i) {
    result = result * base;
    if (!isModerate(result)) // before it overflows
      return failAffine(ErrorId::LiteralOutOfRange, &expr, report,
                        "a number in an index or a size is at most 2147483648");
  }
  return result;
}

std::optional<AffineExpr> Importer::affineOperation(const BinaryExpr &expr, bool report,
                                                    bool inRange) {
  std::optional<AffineExpr> left = affine(expr.left, report, inRange);
  std::optional<AffineExpr> right = left ? affine(expr.right, report, inRange) : std::nullopt;
  if (!right)
    return std::nullopt;
  bool scales = left->isSymbolicOrConstant() || right->isSymbolicOrConstant();
  auto divisor = dyn_cast<AffineConstantExpr>(*right);
  bool divides = right->isSymbolicOrConstant() && (!divisor || divisor.getValue() > 0);
  switch (expr.op) {
  case BinaryOp::add:
    return *left + *right;
  case BinaryOp::subtract:
    return *left - *right;
  case BinaryOp::multiply:
    if (!scales)
      return failAffine(ErrorId::NotLinear, &expr, report,
                        "a product of two indices cannot stand here",
                        "an index of a read may be computed so; what is seen or ranged over is a "
                        "sum");
    return *left * *right;
  case BinaryOp::power:
    return affinePower(expr, *left, divisor, report);
  case BinaryOp::divide:
  case BinaryOp::modulo:
    if (!divides)
      return failAffine(ErrorId::NotLinear, &expr, report,
                        "expected a positive number or a size as divisor");
    if (expr.quotient == BinaryExpr::Quotient::exact && (!report || !checkQuotient(expr, false)))
      return std::nullopt;
    return expr.op == BinaryOp::divide ? left->floorDiv(*right) : *left % *right;
  default:
    return failAffine(
        ErrorId::NotLinear, &expr, report, "'" + getSpelling(expr.op) + "' cannot stand here",
        "an index of a read may be computed so; what is seen or ranged over is made of "
        "sums, multiples, quotients and remainders");
  }
}

std::optional<AffineExpr> Importer::affine(const Expr *expr, bool report, bool inRange) {
  if (auto *integer = dyn_cast<IntegerExpr>(expr))
    return integer->value <= int64_t(1) << 31
               ? std::optional<AffineExpr>(number(integer->value))
               : failAffine(ErrorId::LiteralOutOfRange, expr, report,
                            "a number in an index or a size is at most 2147483648");
  if (auto *name = dyn_cast<NameExpr>(expr))
    return affineName(*name, report, inRange);
  if (auto *unary = dyn_cast<UnaryExpr>(expr); unary && unary->op == UnaryOp::negate) {
    std::optional<AffineExpr> operand = affine(unary->operand, report, inRange);
    return operand ? std::optional<AffineExpr>(-*operand) : std::nullopt;
  }
  if (auto *binary = dyn_cast<BinaryExpr>(expr)) {
    std::optional<AffineExpr> result = affineOperation(*binary, report, inRange);
    if (result && !isModerate(*result))
      return failAffine(ErrorId::LiteralOutOfRange, expr, report,
                        "a number in an index or a size is at most 2147483648");
    return result;
  }
  auto *reference = dyn_cast<IndexExpr>(expr);
  auto *base = reference ? dyn_cast<NameExpr>(reference->base) : nullptr;
  if (base && resolve(base->name).kind == Entity::Kind::param)
    return failAffine(ErrorId::NotLinear, expr, report,
                      "an element of '" + base->name + "' cannot stand here",
                      "an index of a read may be computed from it; what is seen or ranged over is "
                      "about indices and sizes");
  if (base && report && resolve(base->name).kind == Entity::Kind::none) {
    failReference(*base);
    return std::nullopt;
  }
  if (isa<RealExpr>(expr))
    return failAffine(ErrorId::WrongType, expr, report,
                      "expected an integer as index, but got a number");
  auto *call = dyn_cast<CallExpr>(expr);
  if (call && call->callee.name == "abs" && call->arguments.size() == 1)
    if (auto *index = dyn_cast<NameExpr>(call->arguments.front().value))
      return failAffine(ErrorId::NotLinear, expr, report,
                        "'abs' cannot stand in what is seen or ranged over",
                        "write '" + index->name + " in -n..n' for 'abs(" + index->name + ") <= n'");
  return failAffine(ErrorId::NotLinear, expr, report,
                    "what is computed from cells cannot stand here",
                    "an index of a read may be computed so; what is seen or ranged over is made of "
                    "sums, multiples, quotients and remainders of indices and sizes");
}

std::optional<Condition> Importer::condition(const Expr *expr, bool report) {
  if (auto *compare = dyn_cast<CompareExpr>(expr))
    return comparison(*compare, report);
  if (auto *unary = dyn_cast<UnaryExpr>(expr); unary && unary->op == UnaryOp::logicalNot) {
    std::optional<Condition> operand = condition(unary->operand, report);
    std::optional<Condition> result = operand ? operand->negate() : std::nullopt;
    if (operand && !result)
      failAffine(ErrorId::NotLinear, expr, report, "the condition has too many cases");
    return result;
  }
  auto *binary = dyn_cast<BinaryExpr>(expr);
  bool isAnd = binary && binary->op == BinaryOp::logicalAnd;
  bool isOr = binary && binary->op == BinaryOp::logicalOr;
  if (!isAnd && !isOr)
    return failAffine(ErrorId::WrongType, expr, report,
                      "expected a condition on indices and sizes");
  std::optional<Condition> left = condition(binary->left, report);
  std::optional<Condition> right = left ? condition(binary->right, report) : std::nullopt;
  if (!right)
    return std::nullopt;
  if (isOr)
    return left->disjoin(*right);
  std::optional<Condition> result = left->conjoin(*right);
  if (!result)
    failAffine(ErrorId::NotLinear, expr, report, "the condition has too many cases");
  return result;
}

std::optional<Condition> Importer::comparison(const CompareExpr &expr, bool report) {
  if (expr.ops.front() == CompareOp::in) {
    SmallVector<AffineExpr> tuple;
    const Expr *left = expr.operands[0];
    SmallVector<const Expr *> members{left};
    if (auto *list = dyn_cast<TupleExpr>(left))
      members.assign(list->members.begin(), list->members.end());
    for (const Expr *member : members) {
      std::optional<AffineExpr> component = affine(member, report);
      if (!component)
        return std::nullopt;
      tuple.push_back(*component);
    }
    return membership(tuple, expr.operands[1], report);
  }
  std::optional<Condition> result = Condition::always();
  for (size_t i = 0; i < expr.ops.size() && result; ++i) {
    std::optional<Condition> next =
        compare(expr.ops[i], expr.operands[i], expr.operands[i + 1], report);
    if (!next)
      return std::nullopt;
    result = result->conjoin(*next);
  }
  if (!result)
    failAffine(ErrorId::NotLinear, &expr, report, "the condition has too many cases");
  return result;
}

/// Compares tuples component by component.
std::optional<Condition> Importer::compare(CompareOp op, const Expr *left, const Expr *right,
                                           bool report) {
  auto *leftTuple = dyn_cast<TupleExpr>(left), *rightTuple = dyn_cast<TupleExpr>(right);
  if (leftTuple && rightTuple && leftTuple->members.size() == rightTuple->members.size() &&
      (op == CompareOp::equal || op == CompareOp::notEqual)) {
    std::optional<Condition> equal = Condition::always();
    for (auto [a, b] : llvm::zip(leftTuple->members, rightTuple->members)) {
      std::optional<Condition> next = compare(CompareOp::equal, a, b, report);
      equal = next && equal ? equal->conjoin(*next) : std::nullopt;
    }
    return equal && op == CompareOp::notEqual ? equal->negate() : equal;
  }
  std::optional<AffineExpr> a = affine(left, report);
  std::optional<AffineExpr> b = a ? affine(right, report) : std::nullopt;
  if (!b)
    return std::nullopt;
  switch (op) {
  case CompareOp::less:
    return Condition::isNonNegative(*b - *a - 1);
  case CompareOp::lessEqual:
    return Condition::isNonNegative(*b - *a);
  case CompareOp::greater:
    return Condition::isNonNegative(*a - *b - 1);
  case CompareOp::greaterEqual:
    return Condition::isNonNegative(*a - *b);
  case CompareOp::equal:
    return Condition::isZero(*a - *b);
  default:
    return Condition::isZero(*a - *b).negate();
  }
}

std::optional<Condition> Importer::membership(ArrayRef<AffineExpr> tuple, const Expr *set,
                                              bool report) {
  if (auto *name = dyn_cast<NameExpr>(set))
    return namedOffsets(tuple, name->name, nullptr, set, report);
  if (auto *call = dyn_cast<CallExpr>(set))
    return namedOffsets(tuple, call->callee.name, call, set, report);
  if (auto *list = dyn_cast<SetExpr>(set)) {
    Condition result = Condition::never();
    for (const Expr *member : list->members) {
      SmallVector<const Expr *> components{member};
      if (auto *pair = dyn_cast<TupleExpr>(member))
        components.assign(pair->members.begin(), pair->members.end());
      if (components.size() != tuple.size())
        return failAffine(ErrorId::WrongArity, member, report,
                          "expected a member with " + Twine(tuple.size()) +
                              " components, but got " + Twine(components.size()));
      std::optional<Condition> equal = Condition::always();
      for (auto [component, expr] : llvm::zip(tuple, components)) {
        std::optional<AffineExpr> value = affine(expr, report);
        equal =
            value && equal ? equal->conjoin(Condition::isZero(component - *value)) : std::nullopt;
      }
      if (!equal)
        return std::nullopt;
      result = result.disjoin(*equal);
    }
    return result;
  }
  auto *binary = dyn_cast<BinaryExpr>(set);
  if (binary && binary->op == BinaryOp::range && tuple.size() == 1) {
    std::optional<AffineExpr> low = affine(binary->left, report, true);
    std::optional<AffineExpr> high = low ? affine(binary->right, report, true) : std::nullopt;
    return high ? std::optional<Condition>(Condition::isBetween(*low, tuple[0], *high))
                : std::nullopt;
  }
  if (binary && binary->op == BinaryOp::bitOr) {
    std::optional<Condition> left = membership(tuple, binary->left, report);
    std::optional<Condition> right = left ? membership(tuple, binary->right, report) : std::nullopt;
    return right ? std::optional<Condition>(left->disjoin(*right)) : std::nullopt;
  }
  return failAffine(ErrorId::WrongType, set, report, "expected a set of indices",
                    "sets are a..b, N4, N8, Diagonal, VonNeumann(r), Moore(r), {…} and unions "
                    "with '|'");
}

std::optional<Condition> Importer::namedOffsets(ArrayRef<AffineExpr> tuple, StringRef name,
                                                const CallExpr *call, const Expr *at, bool report) {
  if (resolve(name).kind != Entity::Kind::offsets)
    return failAffine(ErrorId::UndeclaredName, at, report,
                      "expected a set of indices, but got '" + name + "'",
                      didYouMean(name, {"N4", "N8", "Diagonal", "VonNeumann", "Moore"}));
  bool takesRadius = name == "VonNeumann" || name == "Moore";
  bool hasRadius = call && call->arguments.size() == 1 && !call->arguments[0].name;
  if (takesRadius != hasRadius || (call && !takesRadius))
    return failAffine(ErrorId::WrongArity, at, report,
                      takesRadius ? "expected a radius, as in '" + name + "(2)'"
                                  : "'" + name + "' takes no argument");
  if (!takesRadius && tuple.size() != 2)
    return failAffine(ErrorId::WrongArity, at, report,
                      "'" + name + "' holds pairs, but got " +
                          counted(tuple.size(), "index", "indices"),
                      "VonNeumann(1) and Moore(1) have any rank");
  if (name == "N4")
    return isVonNeumannNeighbor(tuple, number(1));
  if (name == "N8")
    return isMooreNeighbor(tuple, number(1));
  if (name == "Diagonal")
    return isDiagonalNeighbor(tuple);
  std::optional<AffineExpr> radius = affine(call->arguments[0].value, report);
  if (!radius)
    return std::nullopt;
  auto constant = dyn_cast<AffineConstantExpr>(*radius);
  if (constant && constant.getValue() < 1)
    return failAffine(ErrorId::LiteralOutOfRange, at, report,
                      "expected a radius of at least 1, but got " + Twine(constant.getValue()));
  return name == "Moore" ? isMooreNeighbor(tuple, *radius) : isVonNeumannNeighbor(tuple, *radius);
}

/// `d in S` or `(d,e) in S` with a free index on the left.
bool Importer::rangesFreely(const Expr *expr) {
  auto *compare = dyn_cast<CompareExpr>(expr);
  if (!compare || compare->ops.front() != CompareOp::in)
    return false;
  SmallVector<const Expr *> members{compare->operands.front()};
  if (auto *tuple = dyn_cast<TupleExpr>(members.front()))
    members.assign(tuple->members.begin(), tuple->members.end());
  return llvm::any_of(members, [&](const Expr *member) {
    auto *name = dyn_cast<NameExpr>(member);
    Entity entity = name ? resolve(name->name) : Entity();
    return entity.kind == Entity::Kind::index && entity.dim >= scope.firstFree && scope.depth > 0;
  });
}

SmallVector<const Expr *> Importer::getLinks(const CompareExpr &chain) {
  SmallVector<const Expr *> found;
  for (size_t i = 0; i < chain.ops.size() && (i == 0 || charge(chain.operands[i])); ++i)
    found.push_back(
        &links.emplace_back(chain.getLoc(), chain.ops.slice(i, 1), chain.operands.slice(i, 2)));
  return found;
}

bool Importer::split(const Expr *expr, Condition &where, SmallVectorImpl<const Expr *> &dynamic,
                     SmallVectorImpl<LimitText> *limits) {
  auto *binary = dyn_cast<BinaryExpr>(expr);
  if (binary && binary->op == BinaryOp::logicalAnd)
    return split(binary->left, where, dynamic, limits) &&
           split(binary->right, where, dynamic, limits);
  std::optional<LimitText> limit = limits ? asLimit(expr) : std::nullopt;
  if (limit && !mentionsFree(limit->low) && !mentionsFree(limit->high)) {
    limits->push_back(*limit);
    return true;
  }
  std::optional<Condition> fixed = condition(expr, /*report=*/false);
  if (!fixed && rangesFreely(expr)) {
    // Only a set of indices can give a free index its range.
    (void)condition(expr, /*report=*/true);
    return false;
  }
  // A chain without a link on indices stays whole: the operand in its middle is computed once.
  auto isOfIndices = [&](const Expr *link) {
    return condition(link, /*report=*/false) || (limits && asLimit(link));
  };
  if (auto *chain = dyn_cast<CompareExpr>(expr); !fixed && chain && chain->ops.size() > 1)
    if (SmallVector<const Expr *> parts = getLinks(*chain); llvm::any_of(parts, isOfIndices))
      return llvm::all_of(parts,
                          [&](const Expr *link) { return split(link, where, dynamic, limits); });
  if (!fixed) {
    dynamic.push_back(expr);
    return true;
  }
  std::optional<Condition> joined = where.conjoin(*fixed);
  if (!joined) {
    fail(ErrorId::NotLinear, expr->getLoc(), "the condition has too many cases");
    return false;
  }
  where = *joined;
  return true;
}

void Importer::addBareRanges(const Expr *expr, Condition &where) {
  if (auto *call = dyn_cast<CallExpr>(expr); call && isReduction(*call))
    return;
  forEachOperand(expr, [&](const Expr *operand) { addBareRanges(operand, where); });
  auto *reference = dyn_cast<IndexExpr>(expr);
  auto *base = reference ? dyn_cast<NameExpr>(reference->base) : nullptr;
  if (!base)
    return;
  Entity entity = resolve(base->name);
  auto *value = values.find(base->name);
  ArrayRef<AffineExpr> extents;
  if (entity.kind == Entity::Kind::param)
    extents = entity.param->extents;
  else if (value != values.end())
    extents = value->second->extents;
  for (auto [index, extent] : llvm::zip(reference->indices, extents)) {
    auto *name = dyn_cast<NameExpr>(index);
    Entity bare = name ? resolve(name->name) : Entity();
    // Indices of the declaration itself range over its cells already.
    if (bare.kind == Entity::Kind::index && bare.dim >= scope.firstFree)
      where =
          where.conjoin(Condition::isBetween(number(0), dim(bare.dim), extent - 1)).value_or(where);
  }
}

/// Whether each free index is bounded on both sides in every case. An index inside a quotient or a
/// remainder counts as bounded: the exact answer needs the sizes and is given when they are bound.
bool Importer::checkBounded(const Condition &where, unsigned firstFree, ArrayRef<StringRef> names,
                            llvm::SMLoc loc) {
  Condition possible = where.normalize(); // an unsatisfiable case bounds everything
  for (auto [i, name] : llvm::enumerate(names)) {
    AffineExpr index = dim(firstFree + i);
    for (const Condition::Case &list : possible.getCases()) {
      bool below = false, above = false;
      for (const IndexConstraint &constraint : list)
        for (auto [atom, factor] : LinearForm::of(constraint.expr).terms) {
          bool inside = atom != index && atom.isFunctionOfDim(firstFree + i);
          bool both = (constraint.isEquality && atom == index) || inside;
          below |= both || (atom == index && factor > 0);
          above |= both || (atom == index && factor < 0);
        }
      if (below && above)
        continue;
      fail(ErrorId::UnboundIndex, loc, "the free index '" + name + "' has no range",
           "let it stand alone as an index of a value, or say 'when " + name + " in a..b'");
      return false;
    }
  }
  return true;
}

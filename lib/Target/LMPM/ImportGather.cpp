//===- ImportGather.cpp - Import of computed indices and ranges -----------===//
//
// Parts of a read that no set can express: an index of one read, the ends of a free index's range.
// A `visible` line with such parts is evaluated in its scope wherever its family is read.
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

using namespace mlir;
using namespace mlir::lci;
using namespace lmpm;

/// The first subexpression of an index that depends on cells, on a formula, on a draw or on a
/// reduction.
const Expr *Importer::findData(const Expr *expr) {
  if (auto *name = dyn_cast<NameExpr>(expr)) {
    using Kind = Entity::Kind;
    Entity entity = resolve(name->name);
    if (entity.kind == Kind::let)
      return inLet(*entity.let, [&](const Expr *text) { return findData(text) ? expr : nullptr; });
    if (entity.kind == Kind::formal)
      return inCaller(*entity.formal, [&](const Expr *given) { return findData(given); });
    bool isKnown = entity.kind == Kind::index || entity.kind == Kind::param ||
                   entity.kind == Kind::epoch || entity.kind == Kind::none;
    return isKnown ? nullptr : expr;
  }
  if (auto *call = dyn_cast<CallExpr>(expr)) {
    static const StringRef pure[] = {"min", "max", "abs", "clamp", "relu", "popcount"};
    if (isReduction(*call) || !llvm::is_contained(pure, call->callee.name))
      return expr;
  }
  const Expr *found = nullptr;
  forEachOperand(expr, [&](const Expr *operand) { found = found ? found : findData(operand); });
  return found;
}

/// Whether an index has a subexpression that sets cannot express but a body can compute.
bool Importer::isBeyondSets(const Expr *expr) {
  if (auto *name = dyn_cast<NameExpr>(expr)) {
    Entity entity = resolve(name->name);
    if (entity.kind == Entity::Kind::let)
      return inLet(*entity.let, [&](const Expr *text) { return isBeyondSets(text); });
    if (entity.kind == Entity::Kind::formal)
      return inCaller(*entity.formal, [&](const Expr *given) { return isBeyondSets(given); });
    return entity.kind == Entity::Kind::epoch || entity.kind == Entity::Kind::param;
  }
  if (isa<CallExpr, ConditionalExpr>(expr))
    return true;
  auto *binary = dyn_cast<BinaryExpr>(expr);
  bool isBits = binary && (binary->op == BinaryOp::shiftLeft ||
                           binary->op == BinaryOp::shiftRight || binary->op == BinaryOp::bitAnd ||
                           binary->op == BinaryOp::bitOr || binary->op == BinaryOp::bitXor);
  if (isBits)
    return true;
  auto isFixed = [&](const Expr *operand) {
    std::optional<AffineExpr> form = affine(operand, /*report=*/false);
    return !form || form->isSymbolicOrConstant();
  };
  if (binary && (binary->op == BinaryOp::multiply || binary->op == BinaryOp::power) &&
      !isFixed(binary->left) && (binary->op == BinaryOp::power || !isFixed(binary->right)))
    return true;
  bool found = false;
  forEachOperand(expr, [&](const Expr *operand) { found |= isBeyondSets(operand); });
  return found;
}

/// An index that no set can express, as a value of index type.
Term Importer::evalPosition(const Expr *index) {
  Term term = evalAs(index, Sort::integer);
  if (term)
    term.value =
        arith::IndexCastOp::create(builder.ir, at(index), builder.ir.getIndexType(), term.value);
  return term;
}

/// Whether a reference has an index that must be computed.
bool Importer::isComputed(const Expr *expr) {
  auto *maybe = dyn_cast<MaybeExpr>(expr);
  auto *reference = dyn_cast<IndexExpr>(maybe ? maybe->operand : expr);
  return reference && !isMany(expr) && llvm::any_of(reference->indices, [&](const Expr *index) {
           return !affine(index, /*report=*/false) && (isBeyondSets(index) || findData(index));
         });
}

/// `d in a..b` with a free index on the left and an end that no set can express.
std::optional<LimitText> Importer::asLimit(const Expr *expr) {
  auto *compare = dyn_cast<CompareExpr>(expr);
  if (!compare || compare->ops.front() != CompareOp::in)
    return std::nullopt;
  auto *name = dyn_cast<NameExpr>(compare->operands[0]);
  auto *ends = dyn_cast<BinaryExpr>(compare->operands[1]);
  if (!name || !ends || ends->op != BinaryOp::range)
    return std::nullopt;
  Entity entity = resolve(name->name);
  bool isFixed = affine(ends->left, /*report=*/false, /*inRange=*/true) &&
                 affine(ends->right, /*report=*/false, /*inRange=*/true);
  bool isKnown = !findUnknown(ends->left) && !findUnknown(ends->right);
  if (entity.kind != Entity::Kind::index || entity.dim < scope.firstFree || isFixed || !isKnown)
    return std::nullopt;
  return LimitText{entity.dim - scope.firstFree, ends->left, ends->right};
}

/// Whether an expression depends on the free indices of the family it limits.
bool Importer::mentionsFree(const Expr *expr) {
  if (auto *name = dyn_cast<NameExpr>(expr)) {
    Entity entity = resolve(name->name);
    if (entity.kind == Entity::Kind::let)
      return entity.let->isFamily &&
             inLet(*entity.let, [&](const Expr *text) { return mentionsFree(text); });
    return entity.kind == Entity::Kind::index && entity.dim >= scope.firstFree;
  }
  bool found = false;
  forEachOperand(expr, [&](const Expr *operand) { found |= mentionsFree(operand); });
  return found;
}

/// The ends of a range, which must be present.
std::optional<FreeLimits> Importer::evalLimit(const LimitText &limit) {
  bool lenient = scope.lenient, allowsDraws = scope.allowsDraws;
  scope.lenient = scope.allowsDraws = false;
  Term low = evalAs(limit.low, Sort::integer);
  Term high = low ? evalAs(limit.high, Sort::integer) : Term();
  scope.lenient = lenient;
  scope.allowsDraws = allowsDraws;
  if (!high)
    return std::nullopt;
  return FreeLimits{limit.free, low.value, high.value};
}

/// Enters the scope of a `visible` line, with its indices bound to the values of the scope `inner`.
void Importer::enterVisible(const Family &family, const Scope &inner) {
  const VisibleInfo &visible = *family.gathers;
  scope = Scope();
  scope.place = "a 'visible' line";
  scope.declaration = inner.declaration;
  scope.allowsReads = false;
  unsigned rank = visible.reader->getRank(), lastFree = family.firstFree + family.getNumFree();
  for (auto [i, index] : llvm::enumerate(inner.indices)) {
    bool isFree = i >= family.firstFree && i < lastFree;
    StringRef name = i < rank ? visible.getIndexName(i)
                     : isFree ? StringRef(visible.family.names[i - family.firstFree])
                              : "";
    scope.indices.push_back({name, index.value});
  }
}

/// The limits of a family's free indices, computed before it.
std::optional<SmallVector<FreeLimits>> Importer::evalLimits(const Family &family) {
  SmallVector<FreeLimits> limits;
  for (const LimitText &text : family.limits) {
    std::optional<FreeLimits> limit = inVisible(family, [&] { return evalLimit(text); });
    if (!limit)
      return std::nullopt;
    limits.push_back(*limit);
  }
  return limits;
}

/// Imports the body of a line that computes indices or limits.
bool Importer::importGather(VisibleInfo &info, VisibleOp op) {
  enterScope("a 'visible' line", *info.decl);
  OpBuilder::InsertionGuard guard(builder.ir);
  unsigned rank = info.reader->getRank();
  Block *block = builder.addBody(op.getBody(), at(info.decl->loc), rank + info.family.getNumFree());
  builder.ir.setInsertionPointToStart(block);
  for (Value argument : block->getArguments())
    scope.indices.push_back({"", argument});
  Family family = info.family;
  family.gathers = &info;
  family.firstFree = rank;
  std::optional<SmallVector<FreeLimits>> limits = evalLimits(family);
  if (!limits)
    return false;
  SmallVector<Value> indices;
  for (const Family::Computed &computed : info.family.computed) {
    Term position = inVisible(family, [&] { return evalPosition(computed.index); });
    if (!position)
      return false;
    indices.push_back(position.value);
  }
  builder.gather(at(info.decl->loc), indices, *limits);
  return true;
}

//===- ImportConstraint.cpp - Import of constraints -----------------------===//
//
// With `on`, a constraint is a predicate over a cell's indices and its candidate. Without, as the
// seed writes it, the one reference in the predicate is the candidate, and its indices select the
// cells: bare names for all, `a..b` for a range, `region("…")` for a region of the remaining axes.
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

using namespace mlir;
using namespace mlir::lci;
using namespace lmpm;

void Importer::importConstraint(const ConstraintDecl &decl) {
  enterScope("a constraint", decl);
  auto isPredicate = [](const auto &clause) {
    return clause->kind == Clause::Kind::forbid || clause->kind == Clause::Kind::require;
  };
  const Clause &rule = **llvm::find_if(decl.clauses, isPredicate);
  if (decl.clauses.front()->kind == Clause::Kind::on)
    importOnConstraint(decl, rule);
  else
    importReferenceConstraint(decl, rule);
}

static Mood getMood(const Clause &rule) {
  return rule.kind == Clause::Kind::forbid ? Mood::Forbid : Mood::Require;
}

bool Importer::importOnConstraint(const ConstraintDecl &decl, const Clause &rule) {
  const Clause &on = *decl.clauses.front();
  ValueInfo *reader = enterCells(on.target, "on");
  if (!reader)
    return false;
  if (reader->isSet())
    return static_cast<bool>(fail(ErrorId::NotSupported, on.target->getLoc(),
                                  "a constraint on a set is not supported yet"));
  ConstraintOp op = builder.addConstraint(at(decl.loc), decl.name.name, getMood(rule), reader->op);
  order.push_back(op);
  attachComments(op, decl);
  attachClauseComments(op, decl.clauses);
  if (on.when) {
    std::optional<Condition> where = condition(on.when, /*report=*/true);
    if (!where)
      return false;
    op.setWhereAttr(builder.toSets(*where, reader->getRank()));
  }
  return setPriority(op, decl) && importPredicate(op, rule);
}

/// The references to values in an expression.
static void collectReferences(const Expr *expr, llvm::function_ref<bool(StringRef)> isValue,
                              SmallVectorImpl<const Expr *> &references) {
  auto *reference = dyn_cast<IndexExpr>(expr);
  auto *name = dyn_cast<NameExpr>(reference ? reference->base : expr);
  if (name && isValue(name->name))
    return references.push_back(expr);
  forEachOperand(expr, [&](const Expr *e) { collectReferences(e, isValue, references); });
}

bool Importer::importReferenceConstraint(const ConstraintDecl &decl, const Clause &rule) {
  SmallVector<const Expr *> references;
  auto isValue = [&](StringRef name) {
    usesBroken |= broken.contains(name);
    return values.count(name) != 0;
  };
  collectReferences(rule.value, isValue, references);
  if (references.size() != 1)
    return static_cast<bool>(fail(
        ErrorId::WrongPlace, references.empty() ? rule.value->getLoc() : references[1]->getLoc(),
        "a constraint without 'on' has one reference to a value, its candidate, but got " +
            Twine(references.size()),
        "say 'on V[…]' and call the new token 'candidate'"));
  const Expr *candidate = references.front();
  auto *reference = dyn_cast<IndexExpr>(candidate);
  auto *base = cast<NameExpr>(reference ? reference->base : candidate);
  ValueInfo &value = *values.find(base->name)->second;
  if (value.isSet())
    return static_cast<bool>(fail(ErrorId::NotSupported, candidate->getLoc(),
                                  "a constraint on a set is not supported yet"));
  scope.reader = &value;
  scope.candidateReference = candidate;
  ConstraintOp op = builder.addConstraint(at(decl.loc), decl.name.name, getMood(rule), value.op);
  order.push_back(op);
  attachComments(op, decl);
  attachClauseComments(op, decl.clauses);
  bool indexed = reference ? setReferenceRegion(op, *reference, value) : value.getRank() == 0;
  if (!indexed && !reference)
    fail(ErrorId::WrongArity, candidate->getLoc(),
         "'" + base->name + "' has " + counted(value.getRank(), "axis", "axes") +
             ", but got 0 indices");
  return indexed && setPriority(op, decl) && importPredicate(op, rule);
}

/// Whether a range of constants is not empty. With symbolic sizes `lci-bind` checks that, with the
/// same message; a set that is empty here would have no range left for it to check.
bool Importer::isRangeOfCells(ConstraintOp op, unsigned axis, AffineExpr low, AffineExpr high,
                              llvm::SMLoc loc) {
  auto first = dyn_cast<AffineConstantExpr>(low), last = dyn_cast<AffineConstantExpr>(high);
  if (!first || !last || first.getValue() <= last.getValue())
    return true;
  fail(ErrorId::OutsideValue, loc,
       "constraint '" + op.getSymName() + "' is about the indices " + Twine(first.getValue()) +
           ".." + Twine(last.getValue()) + " of axis " + Twine(axis) + ", which are none");
  return false;
}

/// Binds the names of the reference's indices and sets the cells that it selects.
bool Importer::setReferenceRegion(ConstraintOp op, const IndexExpr &reference, ValueInfo &value) {
  Condition where = Condition::always();
  unsigned rank = value.getRank();
  bool whole = reference.indices.size() == 1 && isa<StarExpr>(reference.indices[0]);
  for (const Expr *index : reference.indices) {
    unsigned axis = scope.indices.size();
    auto *call = dyn_cast<CallExpr>(index);
    auto *ends = dyn_cast<BinaryExpr>(index);
    auto *name = dyn_cast<NameExpr>(index);
    if (axis >= rank || op.getRegion() || whole)
      break;
    if (call && call->callee.name == "region") {
      const StringExpr *text = getQuotedName(*call, "region(\"sky\")");
      if (!text)
        return false;
      op.setRegionAttr(builder.getRegion(at(index), text->text));
      op.setAxis(axis);
      continue;
    }
    if (name && resolve(name->name).kind == Entity::Kind::none && !isSizeName(name->name)) {
      scope.indices.push_back({name->name, Value()});
      continue;
    }
    scope.indices.push_back({"", Value()});
    if (isa<StarExpr>(index))
      continue;
    bool isRange = ends && ends->op == BinaryOp::range;
    std::optional<AffineExpr> low = affine(isRange ? ends->left : index, /*report=*/true, isRange);
    std::optional<AffineExpr> high =
        low && isRange ? affine(ends->right, /*report=*/true, /*inRange=*/true) : low;
    if (!high || !isRangeOfCells(op, axis, *low, *high, index->getLoc()))
      return false;
    where = *where.conjoin(isRange ? Condition::isBetween(*low, dim(axis), *high)
                                   : Condition::isZero(dim(axis) - *low));
  }
  bool ended = op.getRegion() || whole;
  if (ended ? reference.indices.size() > scope.indices.size() + 1
            : reference.indices.size() != rank)
    return static_cast<bool>(fail(ErrorId::WrongArity, reference.getLoc(),
                                  "'" + value.decl->name.name + "' has " +
                                      counted(rank, "axis", "axes") + ", but got " +
                                      counted(reference.indices.size(), "index", "indices")));
  while (scope.indices.size() < rank)
    scope.indices.push_back({"", Value()});
  if (!where.isAlways())
    op.setWhereAttr(builder.toSets(where, rank));
  return true;
}

bool Importer::importPredicate(ConstraintOp op, const Clause &rule) {
  unsigned rank = scope.reader->getRank();
  Block *block = builder.addBody(op.getBody(), at(rule.loc), rank, scope.reader->op.getCellType());
  SmallVector<StringRef> names;
  for (auto [index, argument] : llvm::zip(scope.indices, block->getArguments())) {
    index.value = argument;
    names.push_back(index.name);
  }
  if (llvm::any_of(names, [](StringRef name) { return !name.empty(); }))
    builder.setIndexNames(op, names);
  scope.candidate = block->getArguments().back();
  builder.ir.setInsertionPointToStart(block);
  // Lets of a constraint may use the candidate and are imported into its body.
  for (const Clause *let : scope.constraintLets)
    if (!addLet(*let))
      return false;
  Term term = evalAs(rule.value, Sort::truth);
  if (!term)
    return false;
  term = require(term, at(rule.value));
  YieldOp::create(builder.ir, at(rule.value), term.value, Value());
  return true;
}

bool Importer::setPriority(ConstraintOp op, const ConstraintDecl &decl) {
  for (const auto &clause : decl.clauses)
    if (clause->kind == Clause::Kind::let)
      scope.constraintLets.push_back(clause.get());
  if (!decl.priority)
    return true;
  if (auto *integer = dyn_cast<IntegerExpr>(decl.priority)) {
    op.setPriority(integer->value);
    return true;
  }
  auto *name = dyn_cast<NameExpr>(decl.priority);
  if (name && name->name == "hard") {
    op.setHard(true);
    return true;
  }
  auto *sign = dyn_cast<UnaryExpr>(decl.priority);
  bool isNegative = sign && sign->op == UnaryOp::negate && isa<IntegerExpr>(sign->operand);
  std::string found = isNegative ? ", but got a negative number" : "";
  fail(ErrorId::WrongType, decl.priority->getLoc(),
       "expected an integer or 'hard' as priority" + found,
       isNegative ? "a priority is at least 0" : "");
  return false;
}

//===- ImportRule.cpp - Import of rules -----------------------------------===//
//
// The body of a rule: its condition, its reads and lets in the order of the text, then the proposal
// that it emits and the score of a candidate.
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

using namespace mlir;
using namespace mlir::lci;
using namespace lmpm;

/// The only clause of that kind, or null.
static const Clause *findClause(ArrayRef<std::unique_ptr<Clause>> clauses, Clause::Kind kind) {
  const auto *it = llvm::find_if(clauses, [&](const auto &clause) { return clause->kind == kind; });
  return it == clauses.end() ? nullptr : it->get();
}

ValueInfo *Importer::enterCells(const Expr *target, StringRef keyword) {
  auto *reference = dyn_cast<IndexExpr>(target);
  auto *base = dyn_cast<NameExpr>(reference ? reference->base : target);
  ValueInfo *reader = findValue(*base);
  if (!reader)
    return nullptr;
  size_t count = reference ? reference->indices.size() : 0;
  if (count != reader->getRank()) {
    fail(ErrorId::WrongArity, target->getLoc(),
         "'" + base->name + "' has " + counted(reader->getRank(), "axis", "axes") + ", but got " +
             counted(count, "index", "indices"));
    return nullptr;
  }
  scope.reader = reader;
  for (size_t i = 0; i < count; ++i) {
    auto *name = dyn_cast<NameExpr>(reference->indices[i]);
    bool taken = name && llvm::any_of(scope.indices, [&](const Scope::Index &index) {
                   return index.name == name->name;
                 });
    if (!name || taken) {
      fail(ErrorId::DeclaredTwice, reference->indices[i]->getLoc(),
           "expected a new name for each index behind '" + keyword + "'",
           "conditions stand behind 'when'");
      return nullptr;
    }
    scope.indices.push_back({name->name, Value()});
  }
  return reader;
}

bool Importer::isReaderCell(const Expr *target, const ValueInfo &reader) {
  auto *reference = dyn_cast<IndexExpr>(target);
  auto *base = dyn_cast<NameExpr>(reference ? reference->base : target);
  if (!base || base->name != reader.decl->name.name)
    return false;
  if (!reference)
    return reader.getRank() == 0;
  return reference->indices.size() == reader.getRank() &&
         llvm::all_of(llvm::enumerate(reference->indices), [&](auto index) {
           auto *name = dyn_cast<NameExpr>(index.value());
           return name && name->name == scope.indices[index.index()].name;
         });
}

void Importer::importRule(const RuleDecl &decl) {
  enterScope("a rule", decl);
  scope.allowsDraws = true;
  const Clause &on = *decl.clauses.front();
  ValueInfo *reader = enterCells(on.target, "on");
  if (!reader)
    return;
  if (reader->op.getKind() == Kind::Rule) {
    fail(ErrorId::NotSupported, on.target->getLoc(),
         "a rule on a set of rules is not supported yet");
    return;
  }
  RuleOp op = builder.addRule(at(decl.loc), decl.name.name, reader->op);
  order.push_back(op);
  attachComments(op, decl);
  attachClauseComments(op, decl.clauses);
  if (!reader->isSet())
    ruled.insert({reader, decl.name.loc});
  importRuleBody(decl, op, *reader);
}

bool Importer::importRuleBody(const RuleDecl &decl, RuleOp op, ValueInfo &reader) {
  Block *block = builder.addBody(op.getBody(), at(decl.loc), reader.getRank());
  SmallVector<StringRef> names;
  for (auto [index, argument] : llvm::zip(scope.indices, block->getArguments())) {
    index.value = argument;
    names.push_back(index.name);
  }
  builder.setIndexNames(op, names);
  builder.ir.setInsertionPointToStart(block);
  Value condition;
  if (const Expr *when = decl.clauses.front()->when) {
    Condition where = Condition::always();
    SmallVector<const Expr *> dynamic;
    if (!split(when, where, dynamic))
      return false;
    if (!where.isAlways())
      op.setWhereAttr(builder.toSets(where, reader.getRank()));
    for (const Expr *expr : dynamic) {
      Term term = evalAs(expr, Sort::truth);
      if (!term)
        return false;
      condition = both(condition, term.value, at(expr));
    }
  }
  const Clause *score = findClause(decl.clauses, Clause::Kind::score);
  for (const auto &clause : decl.clauses) {
    if (clause->kind == Clause::Kind::read && !addReads(*clause))
      return false;
    if (clause->kind == Clause::Kind::let && !addLet(*clause))
      return false;
    bool unused = !score && !scope.lets.empty() && scope.lets.back().needsCandidate;
    if (unused) {
      fail(ErrorId::WrongPlace, clause->loc,
           "'" + clause->name.name +
               "' depends on the candidate, but the rule has no "
               "'score'");
      return false;
    }
  }
  return importEmit(decl, *findClause(decl.clauses, Clause::Kind::emit), score, condition, reader);
}

bool Importer::addReads(const Clause &clause) {
  for (const Expr *item : clause.reads) {
    const Expr *named = item;
    if (auto *maybe = dyn_cast<MaybeExpr>(named))
      named = maybe->operand;
    if (auto *compare = dyn_cast<CompareExpr>(named))
      named = compare->operands.front();
    if (auto *reference = dyn_cast<IndexExpr>(named))
      named = reference->base;
    auto *name = dyn_cast<NameExpr>(named);
    bool isNeighbors = isa<CompareExpr>(item);
    if (!name || (isNeighbors && name->name != "neighbors")) {
      fail(ErrorId::WrongPlace, item->getLoc(),
           "expected a read: a label, a value, 'neighbors in N8', 'self', "
           "'prev_frame'");
      return false;
    }
    if (llvm::any_of(scope.reads, [&](const ReadItem &r) { return r.name == name->name; })) {
      fail(ErrorId::DeclaredTwice, item->getLoc(), "'" + name->name + "' is read twice");
      return false;
    }
    std::optional<Family> reads = family(item);
    if (!reads)
      return false;
    std::optional<SmallVector<FreeLimits>> limits = evalLimits(*reads);
    if (!limits)
      return false;
    DeclareReadOp op = builder.declareRead(at(item), name->name, reads->where, getIndexValues(),
                                           reads->getNumFree(), *limits);
    if (!fillFamily(op, item, &*reads))
      return false;
    scope.reads.push_back({name->name, item});
  }
  return true;
}

bool Importer::addLet(const Clause &clause) {
  StringRef name = clause.name.name;
  bool taken = llvm::any_of(scope.indices, [&](const auto &i) { return i.name == name; }) ||
               llvm::any_of(scope.lets, [&](const auto &l) { return l.clause->name.name == name; });
  if (taken) {
    fail(ErrorId::DeclaredTwice, clause.name.loc,
         "'" + name + "' has a meaning in this rule already");
    return false;
  }
  LetInfo let;
  let.clause = &clause;
  let.isFamily = mentionsFamily(clause.value);
  let.needsCandidate = !scope.candidate && mentionsCandidate(clause.value);
  if (let.isFamily || let.needsCandidate) {
    scope.lets.push_back(let);
    return true;
  }
  // A let may be absent; presence is required where it is used.
  bool lenient = scope.lenient;
  scope.lenient = true;
  let.term = eval(clause.value);
  scope.lenient = lenient;
  if (!let.term)
    return false;
  auto op = LetOp::create(builder.ir, at(clause.loc), name, let.term.value);
  let.term.value = op.getResult();
  NamedAttrList comments;
  if (!clause.trivia.leading.empty())
    comments.set("above", builder.ir.getStrArrayAttr(SmallVector<StringRef>(
                              clause.trivia.leading.begin(), clause.trivia.leading.end())));
  if (!clause.trivia.trailing.empty())
    comments.set("behind", builder.ir.getStringAttr(clause.trivia.trailing));
  if (!comments.empty())
    op->setAttr(commentsAttr, comments.getDictionary(builder.getContext()));
  scope.lets.push_back(let);
  return true;
}

/// `any` or `any in a..b`.
bool Importer::setMarker(EmitOp op, const AnyMarkerExpr &marker, ValueInfo &reader) {
  if (reader.op.getKind() != Kind::Token) {
    fail(ErrorId::WrongType, marker.getLoc(),
         "'any' proposes every token of a vocabulary, but '" + reader.decl->name.name +
             "' holds no tokens");
    return false;
  }
  if (!marker.set)
    return true;
  auto *range = dyn_cast<BinaryExpr>(marker.set);
  if (!range || range->op != BinaryOp::range) {
    fail(ErrorId::WrongType, marker.set->getLoc(), "expected a range a..b behind 'any in'");
    return false;
  }
  std::optional<AffineExpr> low = affine(range->left, /*report=*/true, /*inRange=*/true);
  std::optional<AffineExpr> high =
      low ? affine(range->right, /*report=*/true, /*inRange=*/true) : std::nullopt;
  if (high && !(low->isSymbolicOrConstant() && high->isSymbolicOrConstant())) {
    fail(ErrorId::WrongPlace, marker.set->getLoc(), "the range of 'any' is one for all cells",
         "give the others a score, or a constraint");
    return false;
  }
  if (high)
    op.setRangeAttr(AffineMapAttr::get(builder.toMap({*low, *high}, 0)));
  return high.has_value();
}

bool Importer::importEmit(const RuleDecl &decl, const Clause &emit, const Clause *score,
                          Value condition, ValueInfo &reader) {
  if (!isReaderCell(emit.target, reader)) {
    fail(ErrorId::WrongPlace, emit.target->getLoc(), "a rule proposes for the cell it is on",
         "write the same reference as behind 'on'");
    return false;
  }
  auto *marker = dyn_cast<AnyMarkerExpr>(emit.value);
  Term proposal;
  if (!marker) {
    proposal = eval(emit.value);
    bool answered = proposal && proposal.sort == Sort::answer && !reader.isSet();
    if (proposal && !answered)
      proposal = reader.isSet() ? coerce(emit.value, proposal, Sort::event)
                                : coerceToCell(emit.value, proposal, reader);
    if (!proposal)
      return false;
    proposal = require(proposal, at(emit.value));
  }
  Location loc = at(emit.loc);
  auto op = EmitOp::create(builder.ir, loc, marker ? builder.ir.getUnitAttr() : UnitAttr(),
                           AffineMapAttr(), proposal.value, condition, Value());
  if (marker && !setMarker(op, *marker, reader))
    return false;
  if (!score)
    return true;
  if (reader.isSet()) {
    fail(ErrorId::SetValue, score->loc, "a set joins what is proposed and needs no score");
    return false;
  }
  return importScore(op, *score, reader);
}

bool Importer::importScore(EmitOp op, const Clause &score, ValueInfo &reader) {
  Block *block = builder.addBody(op.getScore(), at(score.loc), 0, reader.op.getCellType());
  builder.ir.setInsertionPointToStart(block);
  scope.candidate = block->getArgument(0);
  scope.inScore = true;
  // By number: a reduction restores the scope from a copy.
  for (size_t i = 0; i < scope.lets.size(); ++i) {
    LetInfo let = scope.lets[i];
    if (!let.needsCandidate || let.isFamily)
      continue;
    scope.lenient = true;
    let.term = atLet(scope.lets[i], [&](const Expr *text) { return eval(text); });
    scope.lenient = false;
    if (!let.term)
      return false;
    let.term.value =
        LetOp::create(builder.ir, at(let.clause->loc), let.clause->name.name, let.term.value);
    scope.lets[i] = let;
  }
  Term term = eval(score.value);
  if (term && term.sort != Sort::answer)
    term = coerce(score.value, term, Sort::number);
  if (!term)
    return false;
  term = require(term, at(score.value));
  YieldOp::create(builder.ir, at(score.value), term.value, Value());
  return true;
}

//===- ParseClause.cpp - Parser of rules, constraints and clauses ---------===//
//
// A rule is `on`, then any of `read` and `let`, one `emit` and at most one `score`; a constraint is
// an optional `on`, any `let`, and one `forbid` or `require`.
//
//===----------------------------------------------------------------------===//
#include "ParserImpl.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace lmpm;

static const llvm::StringRef ruleWords[] = {"on", "read", "let", "emit", "score"};
static const llvm::StringRef constraintWords[] = {"on", "let", "forbid", "require"};

std::unique_ptr<Decl> Parser::parseRule() {
  auto decl = std::make_unique<RuleDecl>();
  std::optional<Ident> name = expectName("the name of the rule");
  if (!name ||
      !expect(TokenKind::colon, " after the name of the rule", "as in 'rule R: on V[x,y]'"))
    return nullptr;
  decl->name = *name;
  while (!current.is(TokenKind::eof) && !isDeclarationHead(current.kind)) {
    decl->clauses.push_back(parseClause(ruleWords));
    if (!decl->clauses.back())
      return nullptr;
  }
  return checkRule(*decl) ? std::move(decl) : nullptr;
}

std::unique_ptr<Decl> Parser::parseConstraint() {
  auto decl = std::make_unique<ConstraintDecl>();
  std::optional<Ident> name = expectName("the name of the constraint");
  if (!name || !expect(TokenKind::colon, " after the name of the constraint",
                       "as in 'constraint C: on V[x,y]'"))
    return nullptr;
  decl->name = *name;
  while (!current.is(TokenKind::eof) && !isDeclarationHead(current.kind)) {
    if (consumeIfWord("priority")) {
      decl->priority = parseExpr();
      if (!decl->priority)
        return nullptr;
      if (!current.isWord("forbid") && !current.isWord("require"))
        break;
      diagnostics.error(ErrorId::Syntax, current.getLoc(),
                        "'priority' stands behind 'forbid' or 'require'");
      return nullptr;
    }
    decl->clauses.push_back(parseClause(constraintWords));
    if (!decl->clauses.back())
      return nullptr;
  }
  return checkConstraint(*decl) ? std::move(decl) : nullptr;
}

std::nullptr_t Parser::failClause(llvm::ArrayRef<llvm::StringRef> words) {
  bool isName = current.is(TokenKind::identifier);
  if (isName && peek().is(TokenKind::error))
    return nullptr; // which the lexer has told, as in 'V[x] += 1'
  std::string hint = didYouMean(current.text, words);
  bool assigns = isName && (peek().is(TokenKind::equal) || peek().is(TokenKind::define) ||
                            peek().is(TokenKind::leftBracket));
  if (assigns && hint.empty())
    hint = llvm::is_contained(words, "emit")
               ? "a rule says 'emit proposal V[…] := …'; 'let n = …' names an expression"
               : "a constraint says 'require …' or 'forbid …'; 'let n = …' names an expression";
  return failHere("a clause (" + llvm::join(words, ", ") + ") or a declaration", hint);
}

std::unique_ptr<Clause> Parser::parseClause(llvm::ArrayRef<llvm::StringRef> words) {
  if (!current.is(TokenKind::identifier) || !llvm::is_contained(words, current.text))
    return failClause(words);
  Token word = consume();
  auto clause = std::make_unique<Clause>();
  clause->loc = word.getLoc();
  clause->kind = llvm::StringSwitch<Clause::Kind>(word.text)
                     .Case("on", Clause::Kind::on)
                     .Case("read", Clause::Kind::read)
                     .Case("let", Clause::Kind::let)
                     .Case("emit", Clause::Kind::emit)
                     .Case("score", Clause::Kind::score)
                     .Case("forbid", Clause::Kind::forbid)
                     .Default(Clause::Kind::require);
  auto parseBody = [&] {
    switch (clause->kind) {
    case Clause::Kind::on:
      return parseOn(*clause);
    case Clause::Kind::read:
      return parseRead(*clause);
    case Clause::Kind::let:
      return parseLet(*clause);
    case Clause::Kind::emit:
      return parseEmit(*clause);
    default:
      clause->value = parseExpr();
      return clause->value != nullptr;
    }
  };
  return parseBody() ? std::move(clause) : nullptr;
}

bool Parser::parseOn(Clause &clause) {
  clause.target = parseReference("the value the rule is on");
  if (!clause.target)
    return false;
  if (!consumeIf(TokenKind::kw_when))
    return true;
  clause.when = parseExpr();
  return clause.when != nullptr;
}

bool Parser::parseRead(Clause &clause) {
  Token opening = current;
  if (!expect(TokenKind::leftBrace, " after 'read'", "for example 'read {near, self}'"))
    return false;
  llvm::SmallVector<Expr *> reads;
  auto parseOne = [&] {
    reads.push_back(parseExpr());
    return reads.back() != nullptr;
  };
  if (!parseMembers(opening, TokenKind::rightBrace, parseOne))
    return false;
  clause.reads = keep<Expr *>(reads);
  return true;
}

bool Parser::parseLet(Clause &clause) {
  std::optional<Ident> name = expectName("a name after 'let'");
  if (!name || !expect(TokenKind::equal, " after the name in 'let'", "as in 'let n = sum(near)'"))
    return false;
  clause.name = *name;
  clause.value = parseExpr();
  return clause.value != nullptr;
}

bool Parser::parseEmit(Clause &clause) {
  if (!expectWord("proposal", " after 'emit'", "a rule says 'emit proposal V[…] := …'"))
    return false;
  clause.target = parseReference("the value the proposal is for");
  if (!clause.target || !expect(TokenKind::define, " after the value the proposal is for",
                                "as in 'emit proposal V[x] := 1 - self'"))
    return false;
  bool marker = current.isWord("any") && !peek().is(TokenKind::leftParen);
  clause.value = marker ? parseAnyMarker() : parseExpr();
  return clause.value != nullptr;
}

/// Reports the first clause of the given kinds that occurs twice.
static bool checkAtMostOne(llvm::ArrayRef<std::unique_ptr<Clause>> clauses,
                           llvm::ArrayRef<Clause::Kind> kinds, llvm::StringRef message,
                           llvm::StringRef hint, Diagnostics &diagnostics) {
  bool found = false;
  for (const std::unique_ptr<Clause> &clause : clauses) {
    if (!llvm::is_contained(kinds, clause->kind))
      continue;
    if (found) {
      diagnostics.error(ErrorId::DeclaredTwice, clause->loc, message, hint);
      return false;
    }
    found = true;
  }
  return true;
}

static bool hasClause(llvm::ArrayRef<std::unique_ptr<Clause>> clauses, Clause::Kind kind) {
  return llvm::any_of(clauses, [&](const auto &clause) { return clause->kind == kind; });
}

bool Parser::checkRule(const RuleDecl &rule) {
  using Kind = Clause::Kind;
  if (rule.clauses.empty() || rule.clauses.front()->kind != Kind::on) {
    diagnostics.error(ErrorId::MissingPart,
                      rule.clauses.empty() ? rule.name.loc : rule.clauses.front()->loc,
                      "rule '" + rule.name.name + "' does not begin with 'on'",
                      "'on V[x,y]' says at which cells it proposes");
    return false;
  }
  if (!hasClause(rule.clauses, Kind::emit)) {
    diagnostics.error(ErrorId::MissingPart, rule.name.loc,
                      "rule '" + rule.name.name + "' proposes nothing",
                      "add 'emit proposal V[…] := …'");
    return false;
  }
  bool emitted = false;
  for (const std::unique_ptr<Clause> &clause : rule.clauses) {
    bool before = clause->kind == Kind::read || clause->kind == Kind::let;
    if (emitted && before) {
      diagnostics.error(ErrorId::Syntax, clause->loc, "'read' and 'let' stand before 'emit'");
      return false;
    }
    emitted |= clause->kind == Kind::emit;
  }
  return checkAtMostOne(rule.clauses, {Kind::on}, "a rule has one 'on' clause",
                        "write a second rule", diagnostics) &&
         checkAtMostOne(rule.clauses, {Kind::emit}, "a rule has one 'emit' clause",
                        "write a second rule: both propose, and agreement chooses", diagnostics) &&
         checkAtMostOne(rule.clauses, {Kind::score}, "a rule has one 'score' clause", "",
                        diagnostics);
}

bool Parser::checkConstraint(const ConstraintDecl &constraint) {
  using Kind = Clause::Kind;
  const auto &clauses = constraint.clauses;
  if (!hasClause(clauses, Kind::forbid) && !hasClause(clauses, Kind::require)) {
    diagnostics.error(ErrorId::MissingPart, constraint.name.loc,
                      "constraint '" + constraint.name.name + "' says nothing",
                      "add 'forbid …' or 'require …'");
    return false;
  }
  for (size_t i = 1; i < clauses.size(); ++i)
    if (clauses[i]->kind == Kind::on) {
      diagnostics.error(ErrorId::Syntax, clauses[i]->loc, "'on' stands first in a constraint");
      return false;
    }
  return checkAtMostOne(clauses, {Kind::forbid, Kind::require},
                        "a constraint has one 'forbid' or 'require'",
                        "write a second constraint, or join them with 'and'", diagnostics);
}

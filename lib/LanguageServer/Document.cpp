//===- Document.cpp - A text that a client has opened ---------------------===//
#include "LCI/LanguageServer/Document.h"
#include "LCI/Target/LMPM/Parser.h"
#include "llvm/ADT/STLExtras.h"

using namespace lmpm;
namespace lsp = llvm::lsp;

/// Errors have been reported by the check.
static void ignore(const lmpm::Diagnostic &) {}

static std::vector<Token> tokensOf(llvm::StringRef text) {
  Diagnostics silent(ignore);
  Lexer lexer(text, silent);
  std::vector<Token> tokens;
  do
    tokens.push_back(lexer.next());
  while (!tokens.back().is(TokenKind::eof));
  return tokens;
}

static Program parse(llvm::StringRef text) {
  Diagnostics silent(ignore);
  return parseProgram(text, silent);
}

Document::Document(lsp::URIForFile uri, std::string given, CheckResult checked)
    : uri(std::move(uri)), text(std::move(given)), checked(std::move(checked)), positions(text),
      tokens(tokensOf(text)), program(parse(text)), index(program) {}

/// From `start` to the last token before the next declaration or one of `ends`.
llvm::StringRef Document::textFrom(const char *start, llvm::ArrayRef<const char *> ends) const {
  const char *end = start;
  for (auto token = llvm::partition_point(
           tokens, [&](const Token &token) { return token.text.begin() < start; });
       !token->is(TokenKind::eof); ++token) {
    bool isNext = isDeclarationHead(token->kind) || llvm::is_contained(ends, token->text.begin());
    if (isNext && token->text.begin() != start)
      break;
    end = token->text.end();
  }
  return llvm::StringRef(start, end - start);
}

llvm::StringRef Document::textOf(const Decl &decl) const {
  return textFrom(decl.loc.getPointer(), {});
}

llvm::StringRef Document::textOf(const Clause &clause) const {
  std::vector<const char *> ends;
  auto add = [&](const auto &clauses) {
    for (const std::unique_ptr<Clause> &other : clauses)
      ends.push_back(other->loc.getPointer());
  };
  for (const auto &decl : program.decls) {
    if (auto *rule = llvm::dyn_cast<RuleDecl>(decl.get()))
      add(rule->clauses);
    if (auto *constraint = llvm::dyn_cast<ConstraintDecl>(decl.get()))
      add(constraint->clauses);
  }
  return textFrom(clause.loc.getPointer(), ends);
}

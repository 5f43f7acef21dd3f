//===- Parser.cpp - Tokens, errors and recovery ---------------------------===//
//
// The part of the parser that knows no grammar: two tokens of look-ahead, the wording of "expected
// …, but got …", and the way back to firm ground after an error.
//
//===----------------------------------------------------------------------===//
#include "LCI/Target/LMPM/Parser.h"
#include "ParserImpl.h"

using namespace lmpm;

Parser::Parser(llvm::StringRef text, Program &program, Diagnostics &diagnostics)
    : lexer(text, diagnostics), program(program), diagnostics(diagnostics), current(lexer.next()) {}

const Token &Parser::peek() {
  if (!lookahead)
    lookahead = lexer.next();
  return *lookahead;
}

Token Parser::consume() {
  Token taken = current;
  current = lookahead ? *lookahead : lexer.next();
  lookahead.reset();
  return taken;
}

bool Parser::consumeIf(TokenKind kind) {
  if (!current.is(kind))
    return false;
  consume();
  return true;
}

bool Parser::consumeIfWord(llvm::StringRef word) {
  if (!current.isWord(word))
    return false;
  consume();
  return true;
}

bool Parser::expect(TokenKind kind, const llvm::Twine &where, const llvm::Twine &hint) {
  if (consumeIf(kind))
    return true;
  failHere(describe(kind) + where, hint);
  return false;
}

bool Parser::expectClosing(TokenKind kind, const Token &opening) {
  if (consumeIf(kind))
    return true;
  if (!current.is(TokenKind::error))
    diagnostics.errorWithNote(ErrorId::Syntax, current.getLoc(),
                              "expected " + describe(kind) + ", but got " + current.describe(),
                              opening.getLoc(), "to match this '" + opening.text + "'");
  return false;
}

bool Parser::expectWord(llvm::StringRef word, const llvm::Twine &where, const llvm::Twine &hint) {
  if (consumeIfWord(word))
    return true;
  failHere("'" + word + "'" + where, hint);
  return false;
}

std::optional<Ident> Parser::expectName(const llvm::Twine &what, const llvm::Twine &hint) {
  if (current.is(TokenKind::identifier)) {
    Token word = consume();
    return Ident{word.text, word.getLoc()};
  }
  bool reserved = current.kind >= TokenKind::kw_value && current.kind <= TokenKind::kw_when;
  std::string reservedHint = ("'" + current.text + "' is a reserved word").str();
  failHere(what, hint.isTriviallyEmpty() && reserved ? llvm::Twine(reservedHint) : hint);
  return std::nullopt;
}

std::nullptr_t Parser::failHere(const llvm::Twine &expected, const llvm::Twine &hint) {
  if (!current.is(TokenKind::error))
    diagnostics.error(ErrorId::Syntax, current.getLoc(),
                      "expected " + expected + ", but got " + current.describe(), hint);
  return nullptr;
}

void Parser::recover() {
  nesting = 0;
  while (!current.is(TokenKind::eof) && !isDeclarationHead(current.kind))
    consume();
}

void Parser::parse() {
  constexpr llvm::StringLiteral heads = "declarations begin with value, param, def, visible, rule, "
                                        "constraint, schedule, commit or observe";
  if (current.is(TokenKind::eof))
    failHere("a declaration", heads);
  while (!current.is(TokenKind::eof)) {
    if (!isDeclarationHead(current.kind)) {
      failHere("a declaration", didYouMean(current.text, getDeclarationHeads(), heads));
      recover();
      continue;
    }
    std::unique_ptr<Decl> decl = parseDecl();
    if (!decl)
      recover();
    else
      program.decls.push_back(std::move(decl));
  }
  for (auto [number, decl] : llvm::enumerate(program.decls))
    decl->number = number;
}

Program lmpm::parseProgram(llvm::StringRef text, Diagnostics &diagnostics) {
  Program program;
  Parser parser(text, program, diagnostics);
  parser.parse();
  attachComments(program, parser.getComments());
  return program;
}

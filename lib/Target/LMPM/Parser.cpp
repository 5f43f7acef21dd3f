//===- Parser.cpp - Tokens, errors and recovery ---------------------------===//
//
// The part of the parser that knows no grammar: two tokens of look-ahead, the wording of "expected
// …, but got …", and the resynchronisation after an error.
//
//===----------------------------------------------------------------------===//

#include "LCI/Target/LMPM/Parser.h"
#include "LCI/Target/LMPM/Foreign.h"
#include "ParserImpl.h"
#include "llvm/ADT/StringExtras.h"

using namespace lmpm;

Parser::Parser(llvm::StringRef text, Program &program, Diagnostics &diagnostics)
    : lexer(text, diagnostics), program(program), diagnostics(diagnostics), current(lexer.next()) {}

const Token &Parser::peek() {
  if (!lookahead)
    lookahead = lexer.next();
  return *lookahead;
}

Token Parser::consume() {
  previous = current;
  current = lookahead ? *lookahead : lexer.next();
  lookahead.reset();
  return previous;
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
  bool isSlice = current.is(TokenKind::colon) && kind == TokenKind::rightBracket;
  std::string hint = hintHere(isSlice ? "a range is 'a..b', with both ends" : "");
  if (!hint.empty())
    failHere(describe(kind), hint);
  else if (!current.is(TokenKind::error))
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
  if (reserved) // as a name, it begins no declaration
    consume();
  return std::nullopt;
}

std::nullptr_t Parser::failHere(const llvm::Twine &expected, const llvm::Twine &hint) {
  if (!current.is(TokenKind::error))
    diagnostics.error(ErrorId::Syntax, current.getLoc(),
                      "expected " + expected + ", but got " + current.describe(),
                      hintHere(hint.str()));
  return nullptr;
}

/// The keyword of expressions that is spelled in other letters, such as `AND`.
static std::optional<llvm::StringRef> findKeyword(llvm::StringRef word) {
  for (llvm::StringRef keyword : {"and", "or", "not", "xor", "in", "if", "then", "else", "when"})
    if (word.equals_insensitive(keyword))
      return keyword;
  return std::nullopt;
}

/// The hint for a word of another language, or a keyword in other letters.
static std::string hintForToken(const Token &token) {
  if (!token.is(TokenKind::identifier))
    return "";
  if (std::optional<llvm::StringRef> keyword = findKeyword(token.text))
    return ("did you mean '" + *keyword + "'?").str();
  return hintForWord(token.text).str();
}

static bool beginsOperand(const Token &token) {
  return token.is(TokenKind::identifier) || token.is(TokenKind::integer) ||
         token.is(TokenKind::real) || token.is(TokenKind::leftParen) || token.is(TokenKind::minus);
}

/// Whether a comment reads as the continuation of an expression, as in `(a // 2) % 3`.
static bool looksLikeDivisor(const Comment &comment) {
  llvm::StringRef said = comment.text.ltrim("/ (");
  llvm::StringRef operand = said.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
  llvm::StringRef rest = said.drop_front(operand.size()).ltrim();
  bool goesOn = !rest.empty() && llvm::StringRef(")],*+%-<>=").contains(rest.front());
  return !comment.ownLine && !operand.empty() &&
         (goesOn || (rest.empty() && llvm::all_of(operand, llvm::isDigit)));
}

bool Parser::isBehindQuotient() const {
  return llvm::any_of(lexer.getComments(), [&](const Comment &comment) {
    return comment.text.begin() >= previous.text.end() &&
           comment.text.end() <= current.text.begin() && looksLikeDivisor(comment);
  });
}

/// The purpose of a sign, as a hint where it is misplaced.
static llvm::StringRef hintForSign(TokenKind kind) {
  switch (kind) {
  case TokenKind::equal:
    return "'==' compares; '=' stands behind the name in 'let', 'def' and 'param'";
  case TokenKind::define:
    return "':=' stands in 'emit' and 'observe'; 'let', 'def' and 'param' have '='";
  case TokenKind::leftBrace:
    return "no braces stand around clauses or branches; '{1, 2}' is a set";
  case TokenKind::leftBracket:
    return "a list stands nowhere: arrays are parameters, as in 'param w : F32[3]'";
  case TokenKind::comma:
    return "several things stand in parentheses, as in '(dx,dy) in N8'";
  case TokenKind::kw_if:
    return "a choice is 'if c then a else b'; a condition stands behind 'when'";
  case TokenKind::kw_when:
    return "a condition stands behind 'on V[…]', or inside of a reduction";
  case TokenKind::plus:
    return "a number has no '+' before it";
  default:
    return "";
  }
}

std::string Parser::hintHere(llvm::StringRef given) {
  if (std::string hint = hintForToken(current); !hint.empty())
    return hint;
  if (!given.empty())
    return given.str();
  if (std::string hint = hintForToken(previous); !hint.empty() && beginsOperand(current))
    return hint;
  if (previous.is(TokenKind::question) && beginsOperand(current))
    return "a choice is 'if c then a else b'";
  if (isBehindQuotient())
    return "'//' begins a comment; the quotient of integers is 'a / b', rounded down";
  return hintForSign(current.kind).str();
}

void Parser::recover() {
  nesting = 0;
  diagnostics.setMuted(true);
  while (!current.is(TokenKind::eof) && !isDeclarationHead(current.kind))
    consume();
  diagnostics.setMuted(false);
}

/// The likely intention where no declaration begins.
std::string Parser::hintForDeclaration() {
  if (current.text.starts_with("@"))
    return "rules of Golly are read by lmpm-translate --import-golly";
  bool isName = current.isWord("let") || peek().is(TokenKind::equal);
  std::string hint = isName
                         ? "outside of rules, 'param p : F32 = …' and 'def f[x] = …' name something"
                         : didYouMean(current.text, getDeclarationHeads());
  if (hint.empty())
    hint = hintHere("");
  return !hint.empty() ? hint
                       : "declarations begin with value, param, def, visible, rule, constraint, "
                         "schedule, commit or observe";
}

void Parser::parse() {
  if (current.is(TokenKind::eof))
    failHere("a declaration", hintForDeclaration());
  while (!current.is(TokenKind::eof)) {
    if (!isDeclarationHead(current.kind)) {
      bool isTold = current.is(TokenKind::identifier) && peek().is(TokenKind::error);
      if (!isTold)
        failHere("a declaration", hintForDeclaration());
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

/// `n // 2` divides in Python; here it is `n`, and a comment that nobody would write.
static void checkQuotients(llvm::ArrayRef<Comment> comments, Diagnostics &diagnostics) {
  for (const Comment &comment : comments) {
    llvm::StringRef said = comment.text.drop_front(2).ltrim();
    if (!comment.ownLine && !said.empty() && llvm::all_of(said, llvm::isDigit))
      diagnostics.warning(ErrorId::Syntax, llvm::SMLoc::getFromPointer(comment.text.begin()),
                          "'" + shorten(comment.text) + "' is a comment and divides nothing",
                          "the quotient of integers is 'a / b', rounded down");
  }
}

Program lmpm::parseProgram(llvm::StringRef text, Diagnostics &diagnostics) {
  Program program;
  Parser parser(text, program, diagnostics);
  parser.parse();
  checkQuotients(parser.getComments(), diagnostics);
  attachComments(program, parser.getComments());
  return program;
}

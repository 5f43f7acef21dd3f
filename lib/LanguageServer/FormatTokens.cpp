//===- FormatTokens.cpp - Roles of tokens for formatting ------------------===//
//
// Finds the role of each token in its line. It seldom needs the grammar: a word after a complete
// operand begins a clause, a minus without one before it is a sign.
//
//===----------------------------------------------------------------------===//

#include "FormatTokens.h"
#include "LCI/Target/LMPM/Operators.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace lmpm;

namespace {
/// An open bracket.
struct Group {
  /// An index, which has no spaces inside.
  bool isIndex;
  /// Members are separated by a comma and a space.
  bool isSpaced;
  /// `init[i]`, behind which an expression begins.
  bool isInit;
};

class Classifier {
public:
  Classifier(llvm::StringRef text, std::vector<FormatToken> &tokens)
      : silent([](const lmpm::Diagnostic &) {}), lexer(text, silent), tokens(tokens) {}

  std::vector<Comment> run();

private:
  void add(Token token);
  Role roleOf(const Token &token) const;
  Role roleOfWord(const Token &token) const;
  bool isAfter(llvm::StringRef word) const;
  bool isDeclared() const { return head == TokenKind::kw_value || head == TokenKind::kw_param; }
  void open(FormatToken &token);
  void close(FormatToken &token);
  void place(FormatToken &token);
  void setSpaces(FormatToken &token) const;

  Diagnostics silent;
  Lexer lexer;
  std::vector<FormatToken> &tokens;
  std::vector<Group> groups;
  TokenKind head = TokenKind::eof;
  bool hasArrow = false, inClause = false, afterOperand = false;
};
} // namespace

/// Words that begin a clause of a rule or a constraint.
static bool isClauseWord(llvm::StringRef word) {
  static const llvm::StringRef words[] = {"on",    "read",   "let",     "emit",
                                          "score", "forbid", "require", "priority"};
  return llvm::is_contained(words, word);
}

static bool isReserved(TokenKind kind) {
  return kind >= TokenKind::kw_value && kind <= TokenKind::kw_when;
}

static bool isArithmetic(TokenKind kind) {
  std::optional<BinaryOp> op = getArithmeticOp(kind);
  return op && (getPrecedence(*op) == Precedence::sum || getPrecedence(*op) == Precedence::product);
}

/// Authors group by space, as in `2*x - 1`: an operator without spaces on both sides stays so.
static bool isWrittenTight(llvm::StringRef sign) {
  return !llvm::isSpace(sign.begin()[-1]) && !llvm::isSpace(*sign.end());
}

bool Classifier::isAfter(llvm::StringRef word) const {
  return !tokens.empty() && tokens.back().role == Role::word && tokens.back().token.text == word;
}

Role Classifier::roleOfWord(const Token &token) const {
  bool isNamed = head == TokenKind::kw_rule || head == TokenKind::kw_constraint;
  bool afterColon = isNamed && groups.empty() && tokens.back().token.is(TokenKind::colon);
  return afterOperand || afterColon || isAfter("emit") ? Role::word : Role::operand;
}

Role Classifier::roleOf(const Token &token) const {
  switch (token.kind) {
  case TokenKind::identifier:
    return tokens.empty() ? Role::operand : roleOfWord(token);
  case TokenKind::integer:
  case TokenKind::real:
  case TokenKind::string:
  case TokenKind::ellipsis:
    return Role::operand;
  case TokenKind::leftParen:
  case TokenKind::leftBracket:
  case TokenKind::leftBrace:
    return Role::opening;
  case TokenKind::rightParen:
  case TokenKind::rightBracket:
  case TokenKind::rightBrace:
    return Role::closing;
  case TokenKind::comma:
    return Role::comma;
  case TokenKind::tilde:
    return Role::unary;
  case TokenKind::minus:
    return afterOperand ? Role::binary : Role::unary;
  case TokenKind::star:
    return afterOperand ? Role::binary : Role::operand;
  case TokenKind::caret:
  case TokenKind::coalesce:
    return Role::binary;
  default:
    if (isReserved(token.kind))
      return Role::word;
    return getArithmeticOp(token.kind) || getCompareOp(token.kind) ? Role::binary : Role::sign;
  }
}

void Classifier::open(FormatToken &token) {
  bool isBracket = token.token.is(TokenKind::leftBracket);
  bool isType = isBracket && isDeclared() && tokens.size() > 1 &&
                tokens[tokens.size() - 2].token.is(TokenKind::colon) && groups.empty();
  bool isShape = tokens.size() > 1 && tokens[tokens.size() - 2].token.text == "shape";
  bool isTuple = token.token.is(TokenKind::leftParen) && !afterOperand && !isAfter("boundary");
  bool isInside = !groups.empty() && groups.back().isIndex;
  groups.push_back({isInside || isBracket || isShape, isType || !(isBracket || isTuple),
                    isBracket && isAfter("init")});
  bool isCall = token.token.is(TokenKind::leftParen) && afterOperand &&
                tokens.back().token.is(TokenKind::identifier);
  token.tightBefore = isBracket || isCall;
  token.tightAfter = true;
}

void Classifier::close(FormatToken &token) {
  token.tightBefore = true;
  afterOperand = groups.empty() || !groups.back().isInit;
  if (!groups.empty())
    groups.pop_back();
}

/// Space around operators and signs.
void Classifier::setSpaces(FormatToken &token) const {
  TokenKind kind = token.token.kind;
  bool inIndex = !groups.empty() && groups.back().isIndex;
  bool isTight = kind == TokenKind::range || kind == TokenKind::caret ||
                 (kind == TokenKind::equal && !groups.empty()) ||
                 (token.role == Role::binary && isArithmetic(kind) &&
                  (inIndex || isWrittenTight(token.token.text)));
  bool isLabel = kind == TokenKind::colon && !isDeclared();
  // `x? ?` is not `x??`.
  bool isMaybe = kind == TokenKind::question && !tokens.back().token.is(TokenKind::question);
  token.tightBefore = isTight || isLabel || isMaybe || token.role == Role::comma;
  token.tightAfter = isTight || token.role == Role::unary ||
                     (token.role == Role::comma && !groups.empty() && !groups.back().isSpaced);
}

/// Sets the indentation if the token begins a line.
void Classifier::place(FormatToken &token) {
  if (isDeclarationHead(token.token.kind)) {
    head = token.token.kind;
    hasArrow = inClause = false;
    groups.clear();
    return;
  }
  bool hasClauses = head == TokenKind::kw_rule || head == TokenKind::kw_constraint;
  bool isClause = hasClauses && token.role == Role::word && groups.empty() &&
                  token.token.is(TokenKind::identifier) && isClauseWord(token.token.text);
  inClause |= isClause;
  token.indent = hasClauses && inClause && !isClause ? 4 : 2;
}

void Classifier::add(Token token) {
  FormatToken result{token, roleOf(token)};
  place(result);
  bool wasAfterOperand = afterOperand;
  if (result.role == Role::opening)
    open(result);
  else if (result.role != Role::operand && result.role != Role::word &&
           result.role != Role::closing)
    setSpaces(result);
  afterOperand = result.role == Role::operand || (token.is(TokenKind::question) && wasAfterOperand);
  if (result.role == Role::closing)
    close(result);
  tokens.push_back(result);
}

std::vector<Comment> Classifier::run() {
  for (Token token = lexer.next(); !token.is(TokenKind::eof); token = lexer.next()) {
    bool isArrow = head == TokenKind::kw_visible && groups.empty() && !hasArrow;
    if (token.is(TokenKind::arrow) && !isArrow) {
      // Inside an expression it compares with a negative number.
      add({TokenKind::less, token.text.take_front(1)});
      token = {TokenKind::minus, token.text.drop_front(1)};
    }
    hasArrow |= token.is(TokenKind::arrow);
    add(token);
  }
  return lexer.getComments().vec();
}

/// Removes the space inside the end of a range, as in `0..t-1`: from `..` in one direction to the
/// end of its operand.
static void tightenEnd(std::vector<FormatToken> &tokens, size_t range, int step) {
  int depth = 0;
  for (size_t i = range + step; i < tokens.size(); i += step) { // before the first it wraps
    FormatToken &token = tokens[i];
    bool goesIn = token.role == (step > 0 ? Role::opening : Role::closing);
    bool goesOut = token.role == (step > 0 ? Role::closing : Role::opening);
    if (goesOut && depth == 0)
      return;
    depth += goesIn - goesOut;
    if (depth > 0 || goesOut || token.role == Role::operand || token.role == Role::unary)
      continue;
    if (token.role != Role::binary)
      return;
    if (!isArithmetic(token.token.kind) && !token.tightBefore)
      return;
    token.tightBefore = token.tightAfter = true;
  }
}

std::vector<FormatToken> lmpm::classifyTokens(llvm::StringRef text,
                                              std::vector<Comment> &comments) {
  std::vector<FormatToken> tokens;
  comments = Classifier(text, tokens).run();
  for (size_t i = 0; i < tokens.size(); ++i)
    if (tokens[i].token.is(TokenKind::range)) {
      tightenEnd(tokens, i, -1);
      tightenEnd(tokens, i, 1);
    }
  return tokens;
}

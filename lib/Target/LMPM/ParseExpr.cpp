//===- ParseExpr.cpp - Parser of expressions ------------------------------===//
//
// Precedence climbing between `..` and `*`, one function per level outside of it, because those
// levels are special: `if`, `not`, chained comparisons, unary signs, `^` and `??`. Every recursive
// function counts its nesting, so that no input can exhaust the stack.
//
//===----------------------------------------------------------------------===//

#include "ParserImpl.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

using namespace lmpm;

/// The node itself, or null with a message if the tree has become too high to walk.
Expr *Parser::bounded(Expr *expr) {
  if (expr->getHeight() <= heightLimit)
    return expr;
  diagnostics.error(ErrorId::NestedTooDeep, expr->getLoc(),
                    "the expression has more than " + llvm::Twine(heightLimit) +
                        " nested operations",
                    "name parts of it with 'let' or 'def'");
  return nullptr;
}

Expr *Parser::parseExpr() {
  if (nesting >= nestingLimit) {
    diagnostics.error(ErrorId::NestedTooDeep, current.getLoc(),
                      "the expression is nested more than " + llvm::Twine(nestingLimit) +
                          " levels deep",
                      "name parts of it with 'let' or 'def'");
    return nullptr;
  }
  ++nesting;
  llvm::scope_exit leave([&] { --nesting; });
  return current.is(TokenKind::kw_if) ? parseConditional() : parseLogical(BinaryOp::logicalOr);
}

Expr *Parser::parseConditional() {
  Token word = consume();
  Expr *condition = parseExpr();
  llvm::StringRef hint =
      current.is(TokenKind::equal) ? "'==' compares" : "a choice is 'if c then a else b'";
  if (!condition || !expect(TokenKind::kw_then, " after the condition of 'if'", hint))
    return nullptr;
  Expr *onTrue = parseExpr();
  if (!onTrue || !expect(TokenKind::kw_else, " after 'then'",
                         "an 'if' is an expression and needs both branches"))
    return nullptr;
  Expr *onFalse = parseExpr();
  if (!onFalse)
    return nullptr;
  return make<ConditionalExpr>(word.getLoc(), condition, onTrue, onFalse);
}

/// `or` over `and` over `not`.
Expr *Parser::parseLogical(BinaryOp op) {
  bool isOr = op == BinaryOp::logicalOr;
  auto parseOperand = [&] { return isOr ? parseLogical(BinaryOp::logicalAnd) : parseNot(); };
  Expr *left = parseOperand();
  while (left && current.is(isOr ? TokenKind::kw_or : TokenKind::kw_and)) {
    Token word = consume();
    Expr *right = parseOperand();
    left = right ? make<BinaryExpr>(word.getLoc(), op, left, right) : nullptr;
  }
  return left;
}

Expr *Parser::parseNot() {
  llvm::SmallVector<Token> words;
  while (current.is(TokenKind::kw_not))
    words.push_back(consume());
  Expr *operand = parseCompare();
  for (const Token &word : llvm::reverse(words))
    operand = operand ? make<UnaryExpr>(word.getLoc(), UnaryOp::logicalNot, operand) : nullptr;
  return operand;
}

/// `a not in S`, a form of other languages.
std::nullptr_t Parser::failNotIn(const char *begin) {
  llvm::StringRef element(begin, previous.text.end() - begin);
  llvm::SMLoc loc = consume().getLoc();
  consume();
  const char *set = current.text.begin();
  if (parseBinary(Precedence::range))
    diagnostics.error(ErrorId::Syntax, loc, "'not in' is no comparison",
                      "write 'not " + element + " in " +
                          llvm::StringRef(set, previous.text.end() - set) + "'");
  return nullptr;
}

Expr *Parser::parseCompare() {
  const char *begin = current.text.begin();
  Expr *first = parseBinary(Precedence::range);
  if (first && current.is(TokenKind::kw_not) && peek().is(TokenKind::kw_in))
    return failNotIn(begin);
  if (first && current.is(TokenKind::arrow)) {
    // Inside an expression `a<-b` compares with a negative number.
    lexer.resumeAt(current.text.begin() + 1);
    lookahead.reset();
    current = {TokenKind::less, current.text.take_front(1)};
  }
  return first && getCompareOp(current.kind) ? parseCompareChain(first) : first;
}

/// The hint where `a == 0 & b > 1` was meant to join comparisons; null elsewhere.
static const char *hintForBits(const Expr *between) {
  auto *binary = llvm::dyn_cast<BinaryExpr>(between);
  if (!binary)
    return nullptr;
  switch (binary->op) {
  case BinaryOp::bitAnd:
    return "'&' joins the bits of integers, before any comparison; 'and' joins comparisons";
  case BinaryOp::bitOr:
    return "'|' joins the bits of integers, before any comparison; 'or' joins comparisons";
  default:
    return nullptr;
  }
}

Expr *Parser::parseCompareChain(Expr *first) {
  llvm::SmallVector<CompareOp> ops;
  llvm::SmallVector<Expr *> operands{first};
  llvm::SMLoc loc = current.getLoc();
  auto chains = [](CompareOp op) { return op == CompareOp::less || op == CompareOp::lessEqual; };
  while (std::optional<CompareOp> op = getCompareOp(current.kind)) {
    if (!ops.empty() && !(chains(ops.back()) && chains(*op))) {
      const char *bits = hintForBits(operands.back());
      diagnostics.error(ErrorId::Syntax, current.getLoc(),
                        "'" + getSpelling(ops.back()) + "' and '" + getSpelling(*op) +
                            "' do not chain",
                        bits ? bits : "only '<' and '<=' do; join comparisons with 'and'");
      return nullptr;
    }
    consume();
    ops.push_back(*op);
    operands.push_back(parseBinary(Precedence::range));
    if (!operands.back())
      return nullptr;
  }
  return make<CompareExpr>(loc, keep<CompareOp>(ops), keep<Expr *>(operands));
}

Expr *Parser::parseBinary(Precedence lowest) {
  Expr *left = parseUnary();
  while (left) {
    std::optional<BinaryOp> op = getArithmeticOp(current.kind);
    if (!op || getPrecedence(*op) < lowest)
      return left;
    Token sign = consume();
    Expr *right = parseBinary(tighter(getPrecedence(*op)));
    left = right ? make<BinaryExpr>(sign.getLoc(), *op, left, right) : nullptr;
    if (left && *op == BinaryOp::range && current.is(TokenKind::range)) {
      diagnostics.error(ErrorId::Syntax, current.getLoc(),
                        "a range has two ends, but got another '..'");
      return nullptr;
    }
  }
  return left;
}

Expr *Parser::parseUnary() {
  llvm::SmallVector<Token> signs;
  while (current.is(TokenKind::minus) || current.is(TokenKind::tilde))
    signs.push_back(consume());
  Expr *operand = parsePower();
  for (const Token &sign : llvm::reverse(signs)) {
    UnaryOp op = sign.is(TokenKind::minus) ? UnaryOp::negate : UnaryOp::complement;
    operand = operand ? make<UnaryExpr>(sign.getLoc(), op, operand) : nullptr;
  }
  return operand;
}

/// `a ^ b ^ c` is `a ^ (b ^ c)`; an exponent may have a sign.
Expr *Parser::parsePower() {
  llvm::SmallVector<Expr *> operands{parseCoalesce()};
  llvm::SmallVector<Token> signs;
  while (operands.back() && current.is(TokenKind::caret)) {
    signs.push_back(consume());
    bool negative = current.is(TokenKind::minus);
    llvm::SMLoc minus = current.getLoc();
    if (negative)
      consume();
    Expr *operand = parseCoalesce();
    operands.push_back(operand && negative ? make<UnaryExpr>(minus, UnaryOp::negate, operand)
                                           : operand);
  }
  Expr *result = operands.pop_back_val();
  while (result && !signs.empty())
    result = make<BinaryExpr>(signs.pop_back_val().getLoc(), BinaryOp::power,
                              operands.pop_back_val(), result);
  return result;
}

/// `x ?? d`; the replacement may have a sign, as in `x ?? -1`.
Expr *Parser::parseCoalesce() {
  Expr *left = parsePostfix();
  while (left && current.is(TokenKind::coalesce)) {
    Token sign = consume();
    bool negative = current.is(TokenKind::minus);
    llvm::SMLoc minus = current.getLoc();
    if (negative)
      consume();
    Expr *right = parsePostfix();
    if (right && negative)
      right = make<UnaryExpr>(minus, UnaryOp::negate, right);
    left = right ? make<BinaryExpr>(sign.getLoc(), BinaryOp::coalesce, left, right) : nullptr;
  }
  return left;
}

Expr *Parser::parsePostfix() {
  Expr *expr = parsePrimary();
  while (expr) {
    if (current.is(TokenKind::leftBracket)) {
      expr = parseIndices(expr);
    } else if (current.is(TokenKind::question)) {
      Token sign = consume();
      expr = make<MaybeExpr>(sign.getLoc(), expr);
    } else if (auto *name = llvm::dyn_cast<NameExpr>(expr);
               name && current.is(TokenKind::leftParen)) {
      expr = parseCall(*name);
    } else {
      break;
    }
  }
  return expr;
}

Expr *Parser::parsePrimary() {
  switch (current.kind) {
  case TokenKind::integer:
    return parseInteger();
  case TokenKind::real:
    return parseReal();
  case TokenKind::string: {
    Token token = consume();
    return make<StringExpr>(token.getLoc(), token.text.drop_front().drop_back());
  }
  case TokenKind::identifier: {
    Token token = consume();
    return make<NameExpr>(token.getLoc(), token.text);
  }
  case TokenKind::leftParen:
    return parseParenthesised();
  case TokenKind::leftBrace:
    return parseSet();
  case TokenKind::kw_if:
  case TokenKind::kw_not:
    return failHere("an expression", "as an operand, '" + current.text + " …' needs parentheses");
  case TokenKind::star:
    return failHere("an expression", "'*' alone means all of a value, as in 'V[*]'");
  default:
    return failHere("an expression");
  }
}

/// Whether a number is short enough to be read.
bool Parser::checkLength(const Token &number) {
  if (number.text.size() <= numberLimit)
    return true;
  diagnostics.error(ErrorId::NumberTooLarge, number.getLoc(),
                    "the number has " + llvm::Twine(number.text.size()) +
                        " characters, more than the " + llvm::Twine(numberLimit) +
                        " that are read");
  return false;
}

Expr *Parser::parseInteger() {
  Token token = consume();
  int64_t value;
  if (!checkLength(token))
    return nullptr;
  if (!token.text.getAsInteger(10, value))
    return make<IntegerExpr>(token.getLoc(), value);
  diagnostics.error(ErrorId::NumberTooLarge, token.getLoc(),
                    "the integer " + token.text + " does not fit 64 bits",
                    "the largest is 9223372036854775807");
  return nullptr;
}

Expr *Parser::parseReal() {
  Token token = consume();
  if (!checkLength(token))
    return nullptr;
  llvm::APFloat value(llvm::APFloat::IEEEsingle());
  auto status = value.convertFromString(token.text, llvm::APFloat::rmNearestTiesToEven);
  if (!status) {
    llvm::consumeError(status.takeError());
    diagnostics.error(ErrorId::NumberTooLarge, token.getLoc(),
                      "the number " + token.text + " cannot be read");
    return nullptr;
  }
  if (!value.isFinite()) {
    diagnostics.error(ErrorId::NumberTooLarge, token.getLoc(),
                      "the number " + token.text + " is too large for F32",
                      "the largest is 3.4028235e38");
    return nullptr;
  }
  return make<RealExpr>(token.getLoc(), value.convertToFloat());
}

Expr *Parser::parseParenthesised() {
  Token opening = consume();
  llvm::SmallVector<Expr *> members;
  auto parseMember = [&] {
    members.push_back(parseExpr());
    return members.back() != nullptr;
  };
  if (!parseMembers(opening, TokenKind::rightParen, parseMember))
    return nullptr;
  return members.size() == 1 ? members.front()
                             : make<TupleExpr>(opening.getLoc(), keep<Expr *>(members));
}

Expr *Parser::parseSet() {
  Token opening = consume();
  llvm::SmallVector<Expr *> members;
  auto parseMember = [&] {
    members.push_back(parseExpr());
    return members.back() != nullptr;
  };
  if (!parseMembers(opening, TokenKind::rightBrace, parseMember))
    return nullptr;
  return make<SetExpr>(opening.getLoc(), keep<Expr *>(members));
}

bool Parser::parseMembers(const Token &opening, TokenKind closing,
                          llvm::function_ref<bool()> member) {
  do {
    if (!member())
      return false;
  } while (consumeIf(TokenKind::comma));
  return expectClosing(closing, opening);
}

Expr *Parser::parseIndices(Expr *base) {
  Token opening = consume();
  llvm::SmallVector<Expr *> indices;
  auto parseIndex = [&] {
    bool star = current.is(TokenKind::star);
    indices.push_back(star ? make<StarExpr>(consume().getLoc()) : parseExpr());
    return indices.back() != nullptr;
  };
  if (!parseMembers(opening, TokenKind::rightBracket, parseIndex))
    return nullptr;
  llvm::SmallVector<Expr *> all(indices);
  all.push_back(base);
  return make<IndexExpr>(base->getLoc(), base, keep<Expr *>(indices), all);
}

Expr *Parser::parseCall(const NameExpr &callee) {
  llvm::ArrayRef<Argument> arguments;
  if (!parseArguments(arguments))
    return nullptr;
  llvm::SmallVector<Expr *> values;
  for (const Argument &argument : arguments)
    values.push_back(argument.value);
  return make<CallExpr>(Ident{callee.name, callee.getLoc()}, arguments, values);
}

bool Parser::parseArguments(llvm::ArrayRef<Argument> &arguments) {
  Token opening = consume();
  llvm::SmallVector<Argument> list;
  if (consumeIf(TokenKind::rightParen))
    return true;
  auto parseOne = [&] { return parseArgument(list.emplace_back()); };
  if (!parseMembers(opening, TokenKind::rightParen, parseOne))
    return false;
  arguments = keep<Argument>(list);
  return true;
}

/// `...`, `name = value`, `value` or `value when condition`.
bool Parser::parseArgument(Argument &argument) {
  if (current.is(TokenKind::ellipsis)) {
    argument.value = make<EllipsisExpr>(consume().getLoc());
    return true;
  }
  if (current.is(TokenKind::identifier) && peek().is(TokenKind::equal)) {
    Token name = consume();
    argument.name = {name.text, name.getLoc()};
    consume();
  }
  argument.value = parseExpr();
  if (argument.value && current.is(TokenKind::kw_when)) {
    llvm::SMLoc loc = consume().getLoc();
    Expr *condition = parseExpr();
    argument.value = condition ? make<WhereExpr>(loc, argument.value, condition) : nullptr;
  }
  return argument.value != nullptr;
}

Expr *Parser::parseReference(const llvm::Twine &what) {
  std::optional<Ident> name = expectName(what);
  if (!name)
    return nullptr;
  Expr *reference = make<NameExpr>(name->loc, name->name);
  return current.is(TokenKind::leftBracket) ? parseIndices(reference) : reference;
}

Expr *Parser::parseAnyMarker() {
  llvm::SMLoc loc = consume().getLoc();
  Expr *set = nullptr;
  if (consumeIf(TokenKind::kw_in)) {
    set = parseBinary(Precedence::range);
    if (!set)
      return nullptr;
  }
  return make<AnyMarkerExpr>(loc, set);
}

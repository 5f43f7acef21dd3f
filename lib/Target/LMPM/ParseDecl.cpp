//===- ParseDecl.cpp - Parser of declarations -----------------------------===//
//
// One function per declaration head. Except for the heads all words are contextual, so clauses are
// recognised by their spelling only where a clause may occur.
//
//===----------------------------------------------------------------------===//

#include "ParserImpl.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"

using namespace lmpm;

std::unique_ptr<Decl> Parser::parseDecl() {
  Token head = consume();
  auto parseBody = [&]() -> std::unique_ptr<Decl> {
    switch (head.kind) {
    case TokenKind::kw_value:
      return parseValue();
    case TokenKind::kw_param:
      return parseParam();
    case TokenKind::kw_def:
      return parseDef();
    case TokenKind::kw_visible:
      return parseVisible();
    case TokenKind::kw_rule:
      return parseRule();
    case TokenKind::kw_constraint:
      return parseConstraint();
    case TokenKind::kw_schedule:
      return parseSchedule();
    case TokenKind::kw_commit:
      return parseCommit();
    default:
      return parseObserve();
    }
  };
  std::unique_ptr<Decl> decl = parseBody();
  if (decl)
    decl->loc = head.getLoc();
  return decl;
}

std::unique_ptr<Decl> Parser::parseValue() {
  auto decl = std::make_unique<ValueDecl>();
  std::optional<Ident> name = expectName("the name of the value");
  if (!name ||
      !expect(TokenKind::colon, " and a type after the name of the value",
              "as in 'value V : Token[2] shape Grid2D(W, H)'") ||
      !parseType(decl->type))
    return nullptr;
  decl->name = *name;
  while (current.is(TokenKind::identifier))
    if (!parseValueClause(*decl))
      return nullptr;
  if (decl->shape.name)
    return decl;
  diagnostics.error(ErrorId::MissingPart, name->loc, "value '" + name->name + "' has no shape",
                    "for example 'shape Grid2D(W, H)'; a single cell is 'shape Scalar'");
  return nullptr;
}

/// The clause that a word belongs inside of.
static llvm::StringRef hintForClause(llvm::StringRef word) {
  return llvm::StringSwitch<llvm::StringRef>(word)
      .Cases({"Scalar", "Seq", "Grid", "Grid2D", "Grid3D", "Set"},
             "a shape stands behind 'shape', as in 'shape Grid2D(W, H)'")
      .Cases({"open", "wrap", "clamp"},
             "a boundary stands behind 'boundary', as in 'boundary wrap'")
      .Default("");
}

bool Parser::parseValueClause(ValueDecl &decl) {
  static const llvm::StringRef words[] = {"shape", "clock", "boundary", "init"};
  llvm::StringRef word = current.text;
  if (!llvm::is_contained(words, word)) {
    failHere("a clause of the value (shape, clock, boundary, init) or a declaration",
             didYouMean(word, words, hintForClause(word)));
    return false;
  }
  bool repeated = (word == "shape" && decl.shape.name) || (word == "clock" && decl.clock) ||
                  (word == "boundary" && !decl.boundary.empty()) || (word == "init" && decl.init);
  if (repeated) {
    diagnostics.error(ErrorId::DeclaredTwice, current.getLoc(),
                      "a value has one '" + word + "' clause");
    return false;
  }
  llvm::SMLoc loc = consume().getLoc();
  if (word == "shape")
    return parseShape(decl.shape);
  if (word == "boundary")
    return parseBoundary(decl);
  if (word == "init") {
    decl.initLoc = loc;
    return parseInit(decl);
  }
  std::optional<Ident> clock = expectName("the name of a clock", "the clock is 'Lamport'");
  decl.clock = clock.value_or(Ident{});
  return clock.has_value();
}

bool Parser::parseBoundary(ValueDecl &decl) {
  llvm::SmallVector<Ident> list;
  auto parseOne = [&] {
    std::optional<Ident> name = expectName("a boundary", "a boundary is open, wrap or clamp");
    list.push_back(name.value_or(Ident{}));
    return name.has_value();
  };
  decl.boundaryPerAxis = current.is(TokenKind::leftParen);
  bool read =
      decl.boundaryPerAxis ? parseMembers(consume(), TokenKind::rightParen, parseOne) : parseOne();
  decl.boundary = keep<Ident>(list);
  return read;
}

static constexpr llvm::StringRef kIndicesHint = "indices have names here, as in 'init[x] x % 2'; "
                                                "what single cells begin with is an input, as in "
                                                "--input V=start.npy";

bool Parser::parseInit(ValueDecl &decl) {
  llvm::StringRef hint = decl.type.name.name == "Latent"
                             ? "indices have names here; a vector is 'concat(…)', as in "
                               "'init concat(0.0, 1.0)'"
                             : kIndicesHint;
  if (current.is(TokenKind::leftBracket) && !parseIndexNames(decl.initIndices, hint))
    return false;
  if (current.is(TokenKind::equal) || current.is(TokenKind::colon)) {
    failHere("an expression", "the initial value follows at once, as in 'init 0'");
    return false;
  }
  decl.init = parseExpr();
  return decl.init != nullptr;
}

bool Parser::parseIndexNames(llvm::ArrayRef<Ident> &names, llvm::StringRef hint) {
  Token opening = consume();
  llvm::SmallVector<Ident> list;
  auto parseOne = [&] {
    std::optional<Ident> name = expectName("the name of an index", hint);
    list.push_back(name.value_or(Ident{}));
    return name.has_value();
  };
  if (!parseMembers(opening, TokenKind::rightBracket, parseOne))
    return false;
  names = keep<Ident>(list);
  return true;
}

bool Parser::parseType(TypeExpr &type) {
  std::optional<Ident> name =
      expectName("a type", "types are Token[V], I32, F32, Latent[D], F32[n, m], Event and Rule");
  if (!name)
    return false;
  type.name = *name;
  if (current.is(TokenKind::leftParen)) {
    failHere("'['", "what a type takes stands in brackets, as in 'Token[2]'");
    return false;
  }
  if (!current.is(TokenKind::leftBracket))
    return true;
  Token opening = consume();
  llvm::SmallVector<Expr *> arguments;
  auto parseOne = [&] {
    arguments.push_back(parseExpr());
    return arguments.back() != nullptr;
  };
  if (!parseMembers(opening, TokenKind::rightBracket, parseOne))
    return false;
  type.arguments = keep<Expr *>(arguments);
  return true;
}

bool Parser::parseShape(ShapeExpr &shape) {
  std::optional<Ident> name =
      expectName("a shape", "shapes are Scalar, Seq(N), Grid2D(W, H), Grid3D(T, W, H), Grid(…) "
                            "and Set()");
  if (!name)
    return false;
  shape.name = *name;
  if (current.is(TokenKind::leftBracket)) {
    failHere("'('", "the sizes of a shape stand in parentheses, as in 'Grid2D(W, H)'");
    return false;
  }
  if (!current.is(TokenKind::leftParen))
    return true;
  Token opening = consume();
  if (consumeIf(TokenKind::rightParen))
    return true;
  llvm::SmallVector<Expr *> sizes;
  auto parseOne = [&] {
    sizes.push_back(parseExpr());
    return sizes.back() != nullptr;
  };
  if (!parseMembers(opening, TokenKind::rightParen, parseOne))
    return false;
  shape.sizes = keep<Expr *>(sizes);
  return true;
}

std::unique_ptr<Decl> Parser::parseParam() {
  auto decl = std::make_unique<ParamDecl>();
  std::optional<Ident> name = expectName("the name of the parameter");
  if (!name ||
      !expect(TokenKind::colon, " and a type after the name of the parameter",
              "as in 'param p : F32 = 0.5'") ||
      !parseType(decl->type))
    return nullptr;
  decl->name = *name;
  if (current.is(TokenKind::define))
    return failHere("'=' and a value, or a declaration", "as in 'param p : F32 = 0.5'");
  if (!consumeIf(TokenKind::equal))
    return decl;
  if (current.is(TokenKind::leftBracket)) {
    decl->array.emplace().loc = current.getLoc();
    return parseArray(*decl->array, 0) ? std::move(decl) : nullptr;
  }
  decl->value = parseExpr();
  return decl->value ? std::move(decl) : nullptr;
}

/// A list of lists, each as long as the first one of its depth.
bool Parser::parseArray(ArrayLiteral &array, size_t depth) {
  if (depth == maxAxes)
    return failHere("at most " + llvm::Twine(maxAxes) + " lists within each other"), false;
  Token opening = consume();
  bool isFirst = array.extents.size() == depth;
  if (isFirst)
    array.extents.push_back(0);
  bool holdsLists = current.is(TokenKind::leftBracket);
  int64_t count = 0;
  auto parseOne = [&] {
    ++count;
    if (holdsLists != current.is(TokenKind::leftBracket))
      return failHere(holdsLists ? "a list, as the ones before" : "an integer"), false;
    return holdsLists ? parseArray(array, depth + 1) : parseElement(array);
  };
  if (!parseMembers(opening, TokenKind::rightBracket, parseOne))
    return false;
  if (isFirst)
    array.extents[depth] = count;
  if (count == array.extents[depth] && holdsLists == (depth + 1 < array.extents.size()))
    return true;
  diagnostics.error(ErrorId::WrongShape, opening.getLoc(),
                    "expected a list of " + llvm::Twine(array.extents[depth]) +
                        ", as the first one, but got one of " + llvm::Twine(count));
  return false;
}

bool Parser::parseElement(ArrayLiteral &array) {
  bool isNegative = consumeIf(TokenKind::minus);
  if (!current.is(TokenKind::integer))
    return failHere("an integer", "arrays of F32 come from the bindings"), false;
  auto *number = static_cast<IntegerExpr *>(parseInteger());
  if (!number)
    return false;
  array.elements.push_back(isNegative ? -number->value : number->value);
  return true;
}

std::unique_ptr<Decl> Parser::parseDef() {
  auto decl = std::make_unique<DefDecl>();
  std::optional<Ident> name = expectName("the name of the formula");
  if (!name)
    return nullptr;
  decl->name = *name;
  if (current.is(TokenKind::leftBracket) && !parseIndexNames(decl->indices, kIndicesHint))
    return nullptr;
  if (!expect(TokenKind::equal, " after the name of the formula",
              "a formula is 'def f[x,y] = …', with its indices in brackets"))
    return nullptr;
  decl->value = parseExpr();
  return decl->value ? std::move(decl) : nullptr;
}

std::unique_ptr<Decl> Parser::parseVisible() {
  auto decl = std::make_unique<VisibleDecl>();
  if (current.is(TokenKind::identifier) && peek().is(TokenKind::colon)) {
    Token label = consume();
    decl->name = {label.text, label.getLoc()};
    consume();
  }
  decl->target = parseReference("the reading value");
  if (!decl->target || !expect(TokenKind::arrow, " between the reader and what it sees"))
    return nullptr;
  decl->source = parseReference("the value that is seen");
  if (!decl->source)
    return nullptr;
  if (consumeIf(TokenKind::kw_when)) {
    decl->when = parseExpr();
    if (!decl->when)
      return nullptr;
  }
  return decl;
}

/// `V[*] using name(options)`, as after `schedule` and `commit`.
bool Parser::parsePolicy(const llvm::Twine &what, Expr *&target, Ident &name,
                         llvm::ArrayRef<Argument> &options) {
  target = parseReference("the value");
  if (!target || !expectWord("using", " after the value"))
    return false;
  std::optional<Ident> policy = expectName(what);
  if (!policy)
    return false;
  name = *policy;
  if (current.is(TokenKind::minus)) {
    failHere("options in parentheses or a declaration", "names have '_', as in 'red_black'");
    return false;
  }
  return !current.is(TokenKind::leftParen) || parseArguments(options);
}

std::unique_ptr<Decl> Parser::parseSchedule() {
  auto decl = std::make_unique<ScheduleDecl>();
  bool read = parsePolicy("a strategy", decl->target, decl->strategy, decl->options);
  return read ? std::move(decl) : nullptr;
}

std::unique_ptr<Decl> Parser::parseCommit() {
  auto decl = std::make_unique<CommitDecl>();
  bool read = parsePolicy("a policy", decl->target, decl->policy, decl->options);
  return read ? std::move(decl) : nullptr;
}

std::unique_ptr<Decl> Parser::parseObserve() {
  auto decl = std::make_unique<ObserveDecl>();
  std::optional<Ident> name = expectName("the name of the observer");
  if (!name || !expect(TokenKind::define, " after the name of the observer",
                       "as in 'observe o := mean(V[x])'"))
    return nullptr;
  decl->name = *name;
  decl->value = parseExpr();
  return decl->value ? std::move(decl) : nullptr;
}

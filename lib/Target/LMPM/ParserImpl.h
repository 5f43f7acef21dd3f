//===- ParserImpl.h - The recursive-descent parser --------------*- C++ -*-===//
//
// One class, LL(2), in four files: Parser.cpp (tokens, errors, recovery), ParseDecl.cpp
// (declarations), ParseClause.cpp (clauses) and ParseExpr.cpp (expressions). Every `parse…`
// function reports its error and returns null or false; its caller then returns at once, up to the
// loop over declarations, which resynchronises.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_TARGET_LMPM_PARSERIMPL_H
#define LIB_TARGET_LMPM_PARSERIMPL_H

#include "LCI/Target/LMPM/AST.h"
#include "LCI/Target/LMPM/Lexer.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

namespace lmpm {

class Parser {
public:
  Parser(llvm::StringRef text, Program &program, Diagnostics &diagnostics);

  /// Parses the whole text into the program.
  void parse();

  llvm::ArrayRef<Comment> getComments() const { return lexer.getComments(); }

  /// The nesting limit of expressions: more than any program needs, less than a stack holds.
  static constexpr unsigned nestingLimit = 256;
  /// The largest rank of an array in the text.
  static constexpr size_t maxAxes = 8;
  /// The largest length of a number in characters, so that its readers need no further limit.
  static constexpr unsigned numberLimit = 1000;

private:
  // Tokens (Parser.cpp).
  const Token &peek();
  Token consume();
  bool consumeIf(TokenKind kind);
  bool consumeIfWord(llvm::StringRef word);
  /// Takes the expected token; `where` continues the message: "expected '(' after 'sum'".
  bool expect(TokenKind kind, const llvm::Twine &where = "", const llvm::Twine &hint = "");
  bool expectClosing(TokenKind kind, const Token &opening);
  bool expectWord(llvm::StringRef word, const llvm::Twine &where, const llvm::Twine &hint = "");
  std::optional<Ident> expectName(const llvm::Twine &what, const llvm::Twine &hint = "");
  /// Reports at the current token unless the lexer already did; returns null for any pointer.
  std::nullptr_t failHere(const llvm::Twine &expected, const llvm::Twine &hint = "");
  /// A hint for the author of the current token; `given` where nothing better is known.
  std::string hintHere(llvm::StringRef given);
  std::string hintForDeclaration();
  bool isBehindQuotient() const;
  void recover();

  // Declarations (ParseDecl.cpp).
  std::unique_ptr<Decl> parseDecl();
  std::unique_ptr<Decl> parseValue();
  bool parseValueClause(ValueDecl &decl);
  bool parseBoundary(ValueDecl &decl);
  bool parseInit(ValueDecl &decl);
  std::unique_ptr<Decl> parseParam();
  bool parseArray(ArrayLiteral &array, size_t depth);
  bool parseElement(ArrayLiteral &array);
  std::unique_ptr<Decl> parseDef();
  std::unique_ptr<Decl> parseVisible();
  std::unique_ptr<Decl> parseRule();
  std::unique_ptr<Decl> parseConstraint();
  std::unique_ptr<Decl> parseSchedule();
  std::unique_ptr<Decl> parseCommit();
  std::unique_ptr<Decl> parseObserve();
  bool parseType(TypeExpr &type);
  bool parseShape(ShapeExpr &shape);
  bool parseIndexNames(llvm::ArrayRef<Ident> &names, llvm::StringRef hint);
  bool parsePolicy(const llvm::Twine &what, Expr *&target, Ident &name,
                   llvm::ArrayRef<Argument> &options);

  // Clauses (ParseClause.cpp).
  std::unique_ptr<Clause> parseClause(llvm::ArrayRef<llvm::StringRef> words);
  std::nullptr_t failClause(llvm::ArrayRef<llvm::StringRef> words);
  bool parseOn(Clause &clause);
  bool parseRead(Clause &clause);
  bool parseLet(Clause &clause);
  bool parseEmit(Clause &clause);
  bool checkRule(const RuleDecl &rule);
  bool checkConstraint(const ConstraintDecl &constraint);

  // Expressions (ParseExpr.cpp).
  Expr *parseExpr();
  Expr *parseConditional();
  Expr *parseLogical(BinaryOp op);
  Expr *parseNot();
  Expr *parseCompare();
  std::nullptr_t failNotIn(const char *begin);
  Expr *parseCompareChain(Expr *first);
  Expr *parseBinary(Precedence lowest);
  Expr *parseUnary();
  Expr *parsePower();
  Expr *parseCoalesce();
  Expr *parsePostfix();
  Expr *parsePrimary();
  Expr *parseInteger();
  Expr *parseReal();
  bool checkLength(const Token &number);
  Expr *parseParenthesised();
  Expr *parseSet();
  Expr *parseIndices(Expr *base);
  Expr *parseCall(const NameExpr &callee);
  /// `Name` or `Name[indices]`.
  Expr *parseReference(const llvm::Twine &what);
  Expr *parseAnyMarker();
  bool parseArguments(llvm::ArrayRef<Argument> &arguments);
  bool parseArgument(Argument &argument);
  /// One or more members separated by commas, up to the closing token.
  bool parseMembers(const Token &opening, TokenKind closing, llvm::function_ref<bool()> member);

  template <typename T, typename... Args>
  Expr *make(Args &&...args) {
    return bounded(new (*program.arena) T(std::forward<Args>(args)...));
  }
  template <typename T>
  llvm::ArrayRef<T> keep(llvm::ArrayRef<T> list) {
    return list.copy(*program.arena);
  }
  Expr *bounded(Expr *expr);

  Lexer lexer;
  Program &program;
  Diagnostics &diagnostics;
  Token current;
  Token previous;
  std::optional<Token> lookahead;
  unsigned nesting = 0;
};

/// Attaches every comment to the item that it is above or behind.
void attachComments(Program &program, llvm::ArrayRef<Comment> comments);

} // namespace lmpm

#endif // LIB_TARGET_LMPM_PARSERIMPL_H

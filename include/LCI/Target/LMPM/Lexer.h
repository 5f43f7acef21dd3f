//===- Lexer.h - Words and signs of the language ----------------*- C++ -*-===//
//
// Splits a text into tokens. Comments are not tokens: they are collected separately, with their
// position, so that they can be attached to declarations after parsing. Bad characters, bad numbers
// and bad strings are reported here, once, and become `error` tokens, which the parser does not
// report again.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TARGET_LMPM_LEXER_H
#define LCI_TARGET_LMPM_LEXER_H

#include "LCI/Target/LMPM/Diagnostics.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/SMLoc.h"
#include <string>
#include <vector>

namespace lmpm {

/// The kinds of tokens.
enum class TokenKind {
  eof,
  error,
  identifier,
  integer,
  real,
  string,
#define LMPM_KEYWORD(NAME) kw_##NAME,
#define LMPM_SIGN(NAME, SPELLING) NAME,
#include "LCI/Target/LMPM/TokenKinds.def"
};

/// The kind as messages name it: `'<-'`, `a name`, `end of text`.
llvm::StringRef describe(TokenKind kind);

/// True for the words that begin a declaration.
bool isDeclarationHead(TokenKind kind);

/// All words that begin a declaration, for hints.
llvm::ArrayRef<llvm::StringRef> getDeclarationHeads();

/// A piece of a text as messages show it, abbreviated if very long.
std::string shorten(llvm::StringRef text);

/// A piece of the text with its kind; its location is its address in the text.
struct Token {
  TokenKind kind = TokenKind::eof;
  llvm::StringRef text;

  bool is(TokenKind other) const { return kind == other; }
  bool isWord(llvm::StringRef word) const { return kind == TokenKind::identifier && text == word; }
  llvm::SMLoc getLoc() const { return llvm::SMLoc::getFromPointer(text.data()); }
  llvm::SMLoc getEndLoc() const { return llvm::SMLoc::getFromPointer(text.end()); }
  /// The token as messages name it: `'foo'`, `end of text`.
  std::string describe() const;
};

/// A comment: its text, slashes included, and its surroundings.
struct Comment {
  llvm::StringRef text;
  /// No token precedes it on its line.
  bool ownLine;
  /// An empty line precedes it.
  bool blankBefore;
  /// An empty line and then a token follow it.
  bool blankAfter;
};

/// Splits one buffer into tokens.
class Lexer {
public:
  Lexer(llvm::StringRef buffer, Diagnostics &diagnostics);

  /// The next token; after the last one, `eof` forever.
  Token next();

  /// Continues right behind `place`, which lies inside the last token: `<-` is two signs inside an
  /// expression.
  void resumeAt(const char *place) { position = place; }

  /// The comments met so far, in the order of the text.
  llvm::ArrayRef<Comment> getComments() const { return comments; }

private:
  void checkEncoding();
  void skipSpaceAndComments();
  void lexComment();
  Token lexNumber();
  Token lexString();
  Token lexWord();
  Token lexSign();
  Token lexBadCharacter();
  Token make(TokenKind kind, const char *start) const;
  Token fail(const char *start, const llvm::Twine &message, const llvm::Twine &hint = "");
  char peek(size_t offset = 0) const;

  llvm::StringRef buffer;
  const char *position;
  Diagnostics &diagnostics;
  std::vector<Comment> comments;
  bool tokenOnLine = false;
  bool afterComment = false;
  unsigned newlines = 0;
};

} // namespace lmpm

#endif // LCI_TARGET_LMPM_LEXER_H

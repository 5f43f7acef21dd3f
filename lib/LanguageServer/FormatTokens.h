//===- FormatTokens.h - Tokens with their role in a line --------*- C++ -*-===//
//
// What the formatter has to know of each token beyond its kind: what it does where it stands.
//
//===----------------------------------------------------------------------===//
#ifndef LIB_LANGUAGESERVER_FORMATTOKENS_H
#define LIB_LANGUAGESERVER_FORMATTOKENS_H

#include "LCI/Target/LMPM/Lexer.h"

namespace lmpm {

/// What a token does.
enum class Role {
  /// A name, a number, a string, `*` as an index.
  operand,
  /// A reserved word, or one that has its meaning here only, such as `shape` or `on`.
  word,
  /// `(`, `[` or `{`, and what closes them.
  opening,
  closing,
  unary,
  binary,
  comma,
  /// Any other sign.
  sign,
};

/// A token in its line.
struct FormatToken {
  Token token;
  Role role = Role::sign;
  /// Nothing may stand before it or behind it in its line.
  bool tightBefore = false, tightAfter = false;
  /// How far its line is indented, if it begins one.
  unsigned indent = 0;
};

/// The tokens of a text that can be parsed, with their roles; `comments` are its comments.
std::vector<FormatToken> classifyTokens(llvm::StringRef text, std::vector<Comment> &comments);

} // namespace lmpm

#endif // LIB_LANGUAGESERVER_FORMATTOKENS_H

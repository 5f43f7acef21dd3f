//===- FormatTokens.h - Roles of tokens for formatting ----------*- C++ -*-===//
//
// The formatter's view of a token, beyond its kind: its role in the line, its spacing and the
// indentation of a line that it begins.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_LANGUAGESERVER_FORMATTOKENS_H
#define LIB_LANGUAGESERVER_FORMATTOKENS_H

#include "LCI/Target/LMPM/Lexer.h"

namespace lmpm {

/// The role of a token in its line.
enum class Role {
  /// A name, a number, a string, `*` as an index.
  operand,
  /// A reserved word, or one that is special in this context, such as `shape` or `on`.
  word,
  /// `(`, `[` or `{`, and the matching closing signs.
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
  /// Forbids a space before or behind it in its line.
  bool tightBefore = false, tightAfter = false;
  /// The indentation of its line, if it begins one.
  unsigned indent = 0;
};

/// The tokens of a text that can be parsed, with their roles; `comments` are its comments.
std::vector<FormatToken> classifyTokens(llvm::StringRef text, std::vector<Comment> &comments);

} // namespace lmpm

#endif // LIB_LANGUAGESERVER_FORMATTOKENS_H

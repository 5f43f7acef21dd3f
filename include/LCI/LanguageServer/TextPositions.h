//===- TextPositions.h - Positions in a text, as editors count --*- C++ -*-===//
//
// Editors count lines and UTF-16 code units from 0; the front end counts bytes. Converts between
// them, in both directions, for any text. A position beyond the end of a line means that end, so
// that nothing here can fail.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LANGUAGESERVER_TEXTPOSITIONS_H
#define LCI_LANGUAGESERVER_TEXTPOSITIONS_H

#include "llvm/Support/LSP/Protocol.h"

namespace lmpm {

/// The lines of a text that outlives this.
class TextPositions {
public:
  explicit TextPositions(llvm::StringRef text);

  /// The editor's position of a character of the text.
  llvm::lsp::Position positionOf(const char *place) const;
  llvm::lsp::Range rangeOf(llvm::StringRef piece) const;
  llvm::lsp::Range rangeOfAll() const { return rangeOf(text); }

  /// The character at an editor's position.
  const char *placeOf(llvm::lsp::Position position) const;
  /// The character at a line and a byte of it, both from 1, as the front end's messages count.
  const char *placeOfByte(unsigned line, unsigned column) const;

private:
  llvm::StringRef text;
  /// The beginnings of lines; an editor also ends one at a lone carriage return.
  std::vector<const char *> lines;
};

} // namespace lmpm

#endif // LCI_LANGUAGESERVER_TEXTPOSITIONS_H

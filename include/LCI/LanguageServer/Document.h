//===- Document.h - A text that a client has opened -------------*- C++ -*-===//
//
// The text with all that answers are made from, once for each version of it.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_LANGUAGESERVER_DOCUMENT_H
#define LCI_LANGUAGESERVER_DOCUMENT_H

#include "LCI/LanguageServer/Checking.h"
#include "LCI/LanguageServer/SymbolIndex.h"
#include "LCI/Target/LMPM/Lexer.h"

namespace lmpm {

/// One version of a text. The parts point into it, so it stays where it is.
class Document {
public:
  Document(llvm::lsp::URIForFile uri, std::string text, CheckResult checked);
  Document(const Document &) = delete;
  Document &operator=(const Document &) = delete;

  /// The text of a declaration, without what follows its last word.
  llvm::StringRef textOf(const Decl &decl) const;
  /// The text of one of its clauses.
  llvm::StringRef textOf(const Clause &clause) const;

  const llvm::lsp::URIForFile uri;
  const std::string text;
  const CheckResult checked;
  const TextPositions positions;
  const std::vector<Token> tokens;
  /// Without the declarations that could not be read.
  const Program program;
  const SymbolIndex index;

private:
  llvm::StringRef textFrom(const char *start, llvm::ArrayRef<const char *> ends) const;
};

/// The outline of a text: its declarations, and the lets of rules and constraints.
std::vector<llvm::lsp::DocumentSymbol> outlineOf(const Document &document);

/// Where the name at a position is declared, or first used; a word of the language has no place.
std::vector<llvm::lsp::Location> findDefinition(const Document &document,
                                                llvm::lsp::Position position);

/// Where what is named at a position is named.
std::vector<llvm::lsp::Location> findReferences(const Document &document,
                                                llvm::lsp::Position position, bool withDeclaration);

/// What the name at a position is: its declaration, the comment above it and, of a bound program,
/// its sizes.
std::optional<llvm::lsp::Hover> describeName(const Document &document,
                                             llvm::lsp::Position position);

/// Gives what is named at a position another name, or says why that cannot be.
llvm::Expected<llvm::lsp::WorkspaceEdit>
renameSymbol(const Document &document, llvm::lsp::Position position, llvm::StringRef name);

} // namespace lmpm

#endif // LCI_LANGUAGESERVER_DOCUMENT_H

//===- Document.h - A text that a client has opened -------------*- C++ -*-===//
//
// One version of an open text with everything that requests are answered from (tokens, AST,
// symbols, check results), computed once per version.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LANGUAGESERVER_DOCUMENT_H
#define LCI_LANGUAGESERVER_DOCUMENT_H

#include "LCI/LanguageServer/Checking.h"
#include "LCI/LanguageServer/SymbolIndex.h"
#include "LCI/Target/LMPM/Lexer.h"

namespace lmpm {

/// One version of a text. The members point into it, so it must not move.
class Document {
public:
  Document(llvm::lsp::URIForFile uri, std::string text, CheckResult checked);
  Document(const Document &) = delete;
  Document &operator=(const Document &) = delete;

  /// The text of a declaration, up to the end of its last token.
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

/// The location where the name at a position is declared, or first used; words of the language have
/// none.
std::vector<llvm::lsp::Location> findDefinition(const Document &document,
                                                llvm::lsp::Position position);

/// The locations of all uses of the name at a position.
std::vector<llvm::lsp::Location> findReferences(const Document &document,
                                                llvm::lsp::Position position, bool withDeclaration);

/// A hover for the name at a position: its declaration, the comment above it and, in a bound
/// program, its sizes.
std::optional<llvm::lsp::Hover> describeName(const Document &document,
                                             llvm::lsp::Position position);

/// Renames the symbol at a position, or returns the reason why not.
llvm::Expected<llvm::lsp::WorkspaceEdit>
renameSymbol(const Document &document, llvm::lsp::Position position, llvm::StringRef name);

} // namespace lmpm

#endif // LCI_LANGUAGESERVER_DOCUMENT_H

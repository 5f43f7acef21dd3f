//===- SymbolIndex.h - The symbols of a text and their uses -----*- C++ -*-===//
//
// Resolves every name of a parsed text in the order of resolution of the language page. It needs
// only the AST, so that a text with errors has an index too.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LANGUAGESERVER_SYMBOLINDEX_H
#define LCI_LANGUAGESERVER_SYMBOLINDEX_H

#include "LCI/Target/LMPM/AST.h"

namespace lmpm {

/// Something that has a name.
struct Symbol {
  enum class Kind {
    value,
    param,
    def,
    label,
    rule,
    constraint,
    observer,
    let,
    index,
    freeIndex,
    size,
    word,
  };

  Kind kind;
  llvm::StringRef name;
  /// The declaring name, or the first use if nothing declares it; null for words of the language.
  llvm::StringRef definition;
  /// The declaration it belongs to; null for sizes and words.
  const Decl *decl = nullptr;
  /// The clause of a `let`.
  const Clause *clause = nullptr;
};

/// A use of a symbol; `piece` is a part of the text.
struct Occurrence {
  llvm::StringRef piece;
  unsigned symbol;
};

/// The predefined names of every program, beside functions.
llvm::ArrayRef<llvm::StringRef> getPredefinedNames();

/// All symbols of a text and their uses.
class SymbolIndex {
public:
  /// The program and its text must outlive this.
  explicit SymbolIndex(const Program &program);

  llvm::ArrayRef<Symbol> getSymbols() const { return symbols; }
  /// In the order of the text.
  llvm::ArrayRef<Occurrence> getOccurrences() const { return occurrences; }

  /// The occurrence at a position or ending right before it; null if there is none.
  const Occurrence *find(const char *place) const;

private:
  std::vector<Symbol> symbols;
  std::vector<Occurrence> occurrences;
};

} // namespace lmpm

#endif // LCI_LANGUAGESERVER_SYMBOLINDEX_H

//===- SymbolIndex.h - What the names of a text stand for -------*- C++ -*-===//
//
// Every name of a parsed text with what it means, by the order of resolution of the language page.
// It asks no more than a tree, so that a text with errors has one too.
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
  /// Where it is declared, or first used if nothing declares it; null for words of the language.
  llvm::StringRef definition;
  /// The declaration it belongs to; null for sizes and words.
  const Decl *decl = nullptr;
  /// Of a `let`.
  const Clause *clause = nullptr;
};

/// A place where a symbol is named; `piece` is a part of the text.
struct Occurrence {
  llvm::StringRef piece;
  unsigned symbol;
};

/// The names that every program knows, beside functions.
llvm::ArrayRef<llvm::StringRef> getPredefinedNames();

/// All symbols of a text and where they are named.
class SymbolIndex {
public:
  /// The program and its text must outlive this.
  explicit SymbolIndex(const Program &program);

  llvm::ArrayRef<Symbol> getSymbols() const { return symbols; }
  /// In the order of the text.
  llvm::ArrayRef<Occurrence> getOccurrences() const { return occurrences; }

  /// What is named at a place or right before it; null if nothing is.
  const Occurrence *find(const char *place) const;

private:
  std::vector<Symbol> symbols;
  std::vector<Occurrence> occurrences;
};

} // namespace lmpm

#endif // LCI_LANGUAGESERVER_SYMBOLINDEX_H

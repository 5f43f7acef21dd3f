//===- Names.cpp - Outline, definition, references, rename ----------------===//
//
// Answers the requests of an editor about names, from the symbol index of a document.
//
//===----------------------------------------------------------------------===//

#include "LCI/LanguageServer/Document.h"
#include "LCI/Target/LMPM/Parser.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace lmpm;
namespace lsp = llvm::lsp;

static lsp::SymbolKind outlineKindOf(const Decl &decl) {
  switch (decl.kind) {
  case Decl::Kind::value:
    return lsp::SymbolKind::Variable;
  case Decl::Kind::param:
    return lsp::SymbolKind::Constant;
  case Decl::Kind::def:
    return lsp::SymbolKind::Function;
  case Decl::Kind::visible:
    return lsp::SymbolKind::Interface;
  case Decl::Kind::rule:
    return lsp::SymbolKind::Class;
  case Decl::Kind::constraint:
    return lsp::SymbolKind::Struct;
  case Decl::Kind::observe:
    return lsp::SymbolKind::Event;
  case Decl::Kind::schedule:
  case Decl::Kind::commit:
    return lsp::SymbolKind::Property;
  }
  return lsp::SymbolKind::Variable;
}

/// Declarations without a name are shown by their first line.
static std::string outlineNameOf(const Decl &decl, llvm::StringRef text) {
  return decl.name ? decl.name.name.str() : text.take_until([](char c) { return c == '\n'; }).str();
}

static void addLets(const Document &document, llvm::ArrayRef<std::unique_ptr<Clause>> clauses,
                    lsp::DocumentSymbol &symbol) {
  for (const auto &clause : clauses)
    if (clause->kind == Clause::Kind::let) {
      llvm::StringRef name(clause->name.loc.getPointer(), clause->name.name.size());
      symbol.children.emplace_back(name, lsp::SymbolKind::Variable,
                                   document.positions.rangeOf(document.textOf(*clause)),
                                   document.positions.rangeOf(name));
    }
}

std::vector<lsp::DocumentSymbol> lmpm::outlineOf(const Document &document) {
  std::vector<lsp::DocumentSymbol> outline;
  for (const auto &decl : document.program.decls) {
    llvm::StringRef text = document.textOf(*decl);
    llvm::StringRef head = text.take_while(llvm::isAlpha);
    llvm::StringRef name =
        decl->name ? llvm::StringRef(decl->name.loc.getPointer(), decl->name.name.size()) : head;
    lsp::DocumentSymbol &symbol =
        outline.emplace_back(outlineNameOf(*decl, text), outlineKindOf(*decl),
                             document.positions.rangeOf(text), document.positions.rangeOf(name));
    symbol.detail = head.str();
    if (auto *rule = llvm::dyn_cast<RuleDecl>(decl.get()))
      addLets(document, rule->clauses, symbol);
    if (auto *constraint = llvm::dyn_cast<ConstraintDecl>(decl.get()))
      addLets(document, constraint->clauses, symbol);
  }
  return outline;
}

std::vector<lsp::Location> lmpm::findDefinition(const Document &document, lsp::Position position) {
  const Occurrence *here = document.index.find(document.positions.placeOf(position));
  if (!here || document.index.getSymbols()[here->symbol].definition.empty())
    return {};
  llvm::StringRef definition = document.index.getSymbols()[here->symbol].definition;
  return {lsp::Location(document.uri, document.positions.rangeOf(definition))};
}

std::vector<lsp::Location> lmpm::findReferences(const Document &document, lsp::Position position,
                                                bool withDeclaration) {
  std::vector<lsp::Location> found;
  const Occurrence *here = document.index.find(document.positions.placeOf(position));
  if (!here)
    return found;
  const Symbol &symbol = document.index.getSymbols()[here->symbol];
  for (const Occurrence &other : document.index.getOccurrences())
    if (other.symbol == here->symbol &&
        (withDeclaration || other.piece.begin() != symbol.definition.begin()))
      found.emplace_back(document.uri, document.positions.rangeOf(other.piece));
  return found;
}

static llvm::Error refuse(const llvm::Twine &why) {
  return llvm::make_error<lsp::LSPError>(why.str(), lsp::ErrorCode::RequestFailed);
}

/// Whether the lexer reads all of it as one name that is not reserved.
static bool isName(llvm::StringRef name) {
  Diagnostics silent([](const lmpm::Diagnostic &) {});
  Token token = Lexer(name, silent).next();
  return token.is(TokenKind::identifier) && token.text == name;
}

/// The text with some of its pieces, in their order, replaced.
static std::string replace(llvm::StringRef text, llvm::ArrayRef<llvm::StringRef> pieces,
                           llvm::StringRef name) {
  std::string result;
  const char *place = text.begin();
  for (llvm::StringRef piece : pieces) {
    result.append(place, piece.begin());
    result += name;
    place = piece.end();
  }
  return result.append(place, text.end());
}

/// Whether all occurrences of two texts that differ only in names resolve alike, one by one.
static bool meanTheSame(const SymbolIndex &before, const SymbolIndex &after) {
  auto all = [](const SymbolIndex &index) { return index.getOccurrences(); };
  if (all(before).size() != all(after).size())
    return false;
  llvm::DenseMap<unsigned, unsigned> there, back;
  for (auto [a, b] : llvm::zip(all(before), all(after))) {
    bool isSameKind = before.getSymbols()[a.symbol].kind == after.getSymbols()[b.symbol].kind;
    if (!isSameKind || there.try_emplace(a.symbol, b.symbol).first->second != b.symbol ||
        back.try_emplace(b.symbol, a.symbol).first->second != a.symbol)
      return false;
  }
  return true;
}

llvm::Expected<lsp::WorkspaceEdit>
lmpm::renameSymbol(const Document &document, lsp::Position position, llvm::StringRef name) {
  const SymbolIndex &index = document.index;
  const Occurrence *here = index.find(document.positions.placeOf(position));
  if (!here)
    return refuse("nothing is named here");
  const Symbol &symbol = index.getSymbols()[here->symbol];
  if (symbol.kind == Symbol::Kind::word)
    return refuse("'" + symbol.name + "' is a word of the language");
  if (!isName(name))
    return refuse("'" + name + "' is not a name");
  Diagnostics found([](const Diagnostic &) {});
  parseProgram(document.text, found);
  if (found.getErrorCount() != 0)
    return refuse("the text has errors: what it names is not all known");
  std::vector<llvm::StringRef> pieces;
  lsp::WorkspaceEdit edit;
  for (const Occurrence &other : index.getOccurrences())
    if (other.symbol == here->symbol) {
      pieces.push_back(other.piece);
      edit.changes[document.uri.uri().str()].push_back(
          {document.positions.rangeOf(other.piece), name.str()});
    }
  std::string text = replace(document.text, pieces, name);
  Program renamed = parseProgram(text, found);
  if (!meanTheSame(index, SymbolIndex(renamed)))
    return refuse("with the name '" + name + "' the text would mean something else");
  return edit;
}

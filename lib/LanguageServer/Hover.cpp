//===- Hover.cpp - Hovers for names ---------------------------------------===//
//
// Renders a symbol as Markdown: its kind, its declaration as code, the comment above it and, in a
// bound program, its sizes and the extents of its value.
//
//===----------------------------------------------------------------------===//

#include "LCI/LanguageServer/Document.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace lmpm;
namespace lsp = llvm::lsp;
using Kind = Symbol::Kind;

static llvm::StringRef nounOf(Kind kind) {
  switch (kind) {
  case Kind::value:
    return "value";
  case Kind::param:
    return "parameter";
  case Kind::def:
    return "formula";
  case Kind::label:
    return "what is visible";
  case Kind::rule:
    return "rule";
  case Kind::constraint:
    return "constraint";
  case Kind::observer:
    return "observer";
  case Kind::let:
    return "let";
  case Kind::index:
    return "index of the cell";
  case Kind::freeIndex:
    return "free index";
  case Kind::size:
    return "size, given by the bindings";
  case Kind::word:
    return "word of the language";
  }
  return "";
}

/// The comment lines above something, without their slashes.
static std::string commentOf(const Item &item) {
  std::string text;
  for (llvm::StringRef line : item.trivia.leading)
    text += line.ltrim('/').trim().str() + "\n";
  return text;
}

/// `W = 64, H = 64` for the sizes mentioned in a piece of text.
static std::string sizesIn(const Document &document, llvm::StringRef piece) {
  std::vector<std::string> sizes;
  for (const Occurrence &occurrence : document.index.getOccurrences()) {
    bool isInside =
        occurrence.piece.begin() >= piece.begin() && occurrence.piece.end() <= piece.end();
    auto size = document.checked.sizes.find(occurrence.piece);
    if (!isInside || document.index.getSymbols()[occurrence.symbol].kind != Kind::size ||
        size == document.checked.sizes.end())
      continue;
    std::string text = llvm::formatv("{0} = {1}", occurrence.piece, size->second);
    if (!llvm::is_contained(sizes, text))
      sizes.push_back(std::move(text));
  }
  return llvm::join(sizes, ", ");
}

/// `64 × 64 cells` of a bound value.
static std::string cellsOf(const Document &document, const Symbol &symbol) {
  auto extents = document.checked.extents.find(symbol.name);
  if (symbol.kind != Kind::value || extents == document.checked.extents.end())
    return "";
  if (extents->second.empty())
    return "1 cell";
  auto texts = llvm::map_range(extents->second, [](int64_t n) { return std::to_string(n); });
  return llvm::join(texts, " × ") + " cells";
}

/// The declaration of a symbol, as code.
static llvm::StringRef codeOf(const Document &document, const Symbol &symbol) {
  if (symbol.clause)
    return document.textOf(*symbol.clause);
  return symbol.decl ? document.textOf(*symbol.decl) : symbol.name;
}

std::optional<lsp::Hover> lmpm::describeName(const Document &document, lsp::Position position) {
  const Occurrence *here = document.index.find(document.positions.placeOf(position));
  if (!here)
    return std::nullopt;
  const Symbol &symbol = document.index.getSymbols()[here->symbol];
  llvm::StringRef code = codeOf(document, symbol);
  const Item *item = symbol.clause ? static_cast<const Item *>(symbol.clause) : symbol.decl;
  bool isOwn = symbol.kind != Kind::index && symbol.kind != Kind::freeIndex;
  std::vector<std::string> paragraphs = {
      nounOf(symbol.kind).str(), ("```lmpm\n" + code + "\n```").str(),
      item && isOwn ? commentOf(*item) : "", cellsOf(document, symbol),
      sizesIn(document, symbol.kind == Kind::size ? here->piece : code)};
  llvm::erase_if(paragraphs, [](const std::string &paragraph) { return paragraph.empty(); });
  lsp::Hover hover(document.positions.rangeOf(here->piece));
  hover.contents.value = llvm::join(paragraphs, "\n\n");
  return hover;
}

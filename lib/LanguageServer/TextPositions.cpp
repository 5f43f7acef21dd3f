//===- TextPositions.cpp - Positions in a text, as editors count ----------===//
#include "LCI/LanguageServer/TextPositions.h"
#include "llvm/ADT/STLExtras.h"

using namespace lmpm;
using llvm::lsp::Position;

/// The number of UTF-16 code units that this byte of UTF-8 begins.
static int unitsOf(char c) {
  unsigned char byte = static_cast<unsigned char>(c);
  if ((byte & 0xC0) == 0x80)
    return 0;
  return byte >= 0xF0 ? 2 : 1;
}

TextPositions::TextPositions(llvm::StringRef text) : text(text), lines{text.begin()} {
  for (const char *c = text.begin(); c != text.end(); ++c)
    if (*c == '\n' || (*c == '\r' && (c + 1 == text.end() || c[1] != '\n')))
      lines.push_back(c + 1);
}

Position TextPositions::positionOf(const char *place) const {
  place = std::clamp(place, text.begin(), text.end());
  auto line = std::prev(llvm::upper_bound(lines, place));
  int character = 0;
  for (const char *c = *line; c != place; ++c)
    character += unitsOf(*c);
  return Position(line - lines.begin(), character);
}

llvm::lsp::Range TextPositions::rangeOf(llvm::StringRef piece) const {
  return llvm::lsp::Range(positionOf(piece.begin()), positionOf(piece.end()));
}

const char *TextPositions::placeOf(Position position) const {
  if (position.line < 0)
    return text.begin();
  if (static_cast<size_t>(position.line) >= lines.size())
    return text.end();
  const char *c = lines[position.line];
  for (int units = 0; c != text.end() && *c != '\n' && *c != '\r'; ++c) {
    if (units >= position.character && unitsOf(*c) > 0)
      return c;
    units += unitsOf(*c);
  }
  return c;
}

const char *TextPositions::placeOfByte(unsigned line, unsigned column) const {
  llvm::StringRef rest = text;
  for (; line > 1; --line)
    if (size_t end = rest.find('\n'); end != llvm::StringRef::npos)
      rest = rest.drop_front(end + 1);
  llvm::StringRef inLine = rest.take_until([](char c) { return c == '\n'; });
  return inLine.begin() + std::min<size_t>(column > 0 ? column - 1 : 0, inLine.size());
}

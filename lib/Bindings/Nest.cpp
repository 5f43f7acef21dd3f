//===- Nest.cpp - How deep brackets stand in each other -------------------===//

#include "LCI/Bindings/Nest.h"

using llvm::StringRef;

/// The byte behind a string that begins before `at`.
static size_t skipString(StringRef text, size_t at) {
  while (at < text.size() && text[at] != '"')
    at += text[at] == '\\' ? 2 : 1;
  return at;
}

std::optional<size_t> lci::findDeepNest(StringRef text, unsigned limit) {
  unsigned depth = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    char c = text[at];
    if (c == '"')
      at = skipString(text, at + 1);
    else if (text.substr(at, 2) == "//")
      at = text.find('\n', at);
    else if (StringRef("[{(").contains(c))
      ++depth;
    else if (StringRef("]})").contains(c) && depth > 0)
      --depth;
    if (depth > limit)
      return at;
    if (at == StringRef::npos)
      break;
  }
  return std::nullopt;
}

//===- Nest.cpp - What texts may not have too much of --------------------===//

#include "LCI/Bindings/Nest.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

/// The byte behind a string that begins before `at`.
static size_t skipString(StringRef text, size_t at) {
  while (at < text.size() && text[at] != '"')
    at += text[at] == '\\' ? 2 : 1;
  return at;
}

/// The first byte outside of strings and comments that `isTooMuch` holds for.
static std::optional<size_t> findByte(StringRef text, llvm::function_ref<bool(size_t)> isTooMuch) {
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '"')
      at = skipString(text, at + 1);
    else if (text.substr(at, 2) == "//")
      at = text.find('\n', at);
    else if (isTooMuch(at))
      return at;
    if (at == StringRef::npos)
      break;
  }
  return std::nullopt;
}

std::optional<size_t> lci::findDeepNest(StringRef text, unsigned limit) {
  unsigned depth = 0;
  return findByte(text, [&](size_t at) {
    if (StringRef("[{(").contains(text[at]))
      ++depth;
    else if (StringRef("]})").contains(text[at]) && depth > 0)
      --depth;
    return depth > limit;
  });
}

std::optional<size_t> lci::findLongNumber(StringRef text, unsigned limit) {
  size_t start = 0, behind = 0;
  std::optional<size_t> found = findByte(text, [&](size_t at) {
    if (!llvm::isDigit(text[at]) && text[at] != '.')
      return false;
    if (at != behind)
      start = at;
    behind = at + 1;
    return behind - start > limit;
  });
  return found ? std::optional(start) : std::nullopt;
}

//===- Nest.cpp - Limits on nesting and numbers of texts ------------------===//
//
// Scans text outside of strings and comments for brackets that are nested too deep and for runs of
// digits that are too long, without parsing it, because the recursive parsers of JSON and IR would
// overflow the stack. For IR the depth includes angle brackets, minuses and the contents of
// aliases.
//
//===----------------------------------------------------------------------===//

#include "LCI/Bindings/Nest.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using llvm::StringRef;

/// The position behind a string that begins before `at`.
static size_t skipString(StringRef text, size_t at) {
  while (at < text.size() && text[at] != '"')
    at += text[at] == '\\' ? 2 : 1;
  return at;
}

/// The first byte outside of strings and comments for which `isTooMuch` holds.
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

std::optional<size_t> lci::findDeepNest(StringRef text) {
  unsigned depth = 0;
  return findByte(text, [&](size_t at) {
    if (StringRef("[{(").contains(text[at]))
      ++depth;
    else if (StringRef("]})").contains(text[at]) && depth > 0)
      --depth;
    return depth > kMaxJsonNest;
  });
}

namespace {
/// The nesting depth at a byte of IR. An angle bracket without its partner, such as a comparison,
/// ends with the enclosing bracket.
class IRDepth {
public:
  explicit IRDepth(StringRef text) : text(text) {}

  /// The depth of a byte, including what it opens or names; to be called for bytes in order.
  size_t of(size_t at);

private:
  void close(char opener);
  size_t countMinuses(size_t at);
  size_t depthOfAlias(size_t at);

  StringRef text;
  llvm::SmallVector<char, 16> open;
  size_t minuses = 0;
  /// The depth of each complete alias, such as `#a = [#b]`; and the name and depth so far of the
  /// last one.
  llvm::StringMap<size_t> aliases;
  StringRef defined;
  size_t deepest = 0;
};
} // namespace

void IRDepth::close(char opener) {
  while (opener != '<' && !open.empty() && open.back() == '<')
    open.pop_back();
  if (!open.empty() && (opener != '<' || open.back() == '<'))
    open.pop_back();
}

/// The number of consecutive minuses up to here: each is an operation on the result of the next.
size_t IRDepth::countMinuses(size_t at) {
  if (text[at] == '-')
    ++minuses;
  else if (!llvm::isSpace(text[at]))
    minuses = 0;
  return minuses;
}

size_t IRDepth::depthOfAlias(size_t at) {
  StringRef name = text.drop_front(at).take_while(
      [](char c) { return llvm::isAlnum(c) || StringRef("#!_$.-").contains(c); });
  if (open.empty() && text.drop_front(at + name.size()).ltrim().starts_with("=")) {
    size_t &depth = aliases[defined];
    depth = std::max(depth, deepest);
    defined = name;
    deepest = 0;
  }
  return name == defined ? 0 : aliases.lookup(name);
}

size_t IRDepth::of(size_t at) {
  static constexpr StringRef kOpen = "[{(<", kClosing = "]})>";
  char byte = text[at];
  StringRef two = text.substr(at, 2);
  size_t depth = countMinuses(at);
  bool isSign = two == "<=" || two == ">=" || (at > 0 && text.substr(at - 1, 2) == "->");
  if (kOpen.contains(byte) && !isSign)
    open.push_back(byte);
  else if (size_t kind = kClosing.find(byte); kind != StringRef::npos && !isSign)
    close(kOpen[kind]);
  else if (byte == '#' || byte == '!')
    depth += depthOfAlias(at);
  depth += open.size();
  deepest = std::max(deepest, depth);
  return depth;
}

std::optional<size_t> lci::findDeepIR(StringRef text) {
  IRDepth depth(text);
  return findByte(text, [&](size_t at) { return depth.of(at) > kMaxIRNest; });
}

/// Whether the shape at the start of a text, `4x?x8xf32`, has more than so many elements.
static bool hasManyElements(StringRef text) {
  double elements = 1; // far from the limit it may be inexact
  int64_t extent = 0;
  while (!text.consumeInteger(10, extent) && text.consume_front("x"))
    elements *= static_cast<double>(extent);
  return elements > static_cast<double>(lci::kMaxElements);
}

std::optional<size_t> lci::findManyElements(StringRef text) {
  if (!text.contains("from_elements") && !text.contains("to_elements"))
    return std::nullopt;
  return findByte(text, [&](size_t at) {
    bool isShape = llvm::isDigit(text[at]) && at > 0 && !llvm::isAlnum(text[at - 1]);
    return isShape && hasManyElements(text.substr(at));
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

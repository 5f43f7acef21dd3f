//===- Text.h - Prefixes and suffixes, and lists of names -------*- C++ -*-===//
//
// Small helpers on strings for the runtime, which does not use LLVM.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_RUNTIME_TEXT_H
#define LCI_LIB_RUNTIME_TEXT_H

#include <cstring>
#include <string>
#include <vector>

namespace lci {

inline bool startsWith(const std::string &text, const char *prefix) {
  return text.compare(0, std::strlen(prefix), prefix) == 0;
}

inline bool endsWith(const std::string &text, const char *suffix) {
  size_t size = std::strlen(suffix);
  return text.size() >= size && text.compare(text.size() - size, size, suffix) == 0;
}

template <typename Names>
bool isOneOf(const Names &names, const std::string &name) {
  for (const auto &one : names)
    if (one == name)
      return true;
  return false;
}

/// `'A', 'B'`, or `none`.
inline std::string listOf(const std::vector<std::string> &names) {
  std::string list;
  for (const std::string &name : names)
    list += (list.empty() ? "'" : ", '") + name + "'";
  return list.empty() ? "none" : list;
}

} // namespace lci

#endif // LCI_LIB_RUNTIME_TEXT_H

//===- Text.h - How texts begin and end -------------------------*- C++ -*-===//

#ifndef LCI_LIB_RUNTIME_TEXT_H
#define LCI_LIB_RUNTIME_TEXT_H

#include <cstring>
#include <string>

namespace lci {

inline bool startsWith(const std::string &text, const char *prefix) {
  return text.compare(0, std::strlen(prefix), prefix) == 0;
}

inline bool endsWith(const std::string &text, const char *suffix) {
  size_t size = std::strlen(suffix);
  return text.size() >= size && text.compare(text.size() - size, size, suffix) == 0;
}

} // namespace lci

#endif // LCI_LIB_RUNTIME_TEXT_H

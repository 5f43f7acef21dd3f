//===- Text.h - Pieces of a program's text ----------------------*- C++ -*-===//

#ifndef LCI_LIB_SMITH_TEXT_H
#define LCI_LIB_SMITH_TEXT_H

#include <string>
#include <vector>

namespace lci {

inline std::string bracket(const std::string &text) { return "(" + text + ")"; }

/// The parts, with commas between.
inline std::string join(const std::vector<std::string> &parts) {
  std::string text;
  for (const std::string &part : parts)
    text += (text.empty() ? "" : ", ") + part;
  return text;
}

} // namespace lci

#endif // LCI_LIB_SMITH_TEXT_H

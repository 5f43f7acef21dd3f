//===- Text.h - Pieces of a program's text ----------------------*- C++ -*-===//
//
// Helpers that compose the text of a program: lists, brackets and draws.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_SMITH_TEXT_H
#define LCI_LIB_SMITH_TEXT_H

#include <cstdint>
#include <string>
#include <vector>

namespace lci {

inline std::string bracket(const std::string &text) { return "(" + text + ")"; }

/// Joins the parts with commas.
inline std::string join(const std::vector<std::string> &parts) {
  std::string text;
  for (const std::string &part : parts)
    text += (text.empty() ? "" : ", ") + part;
  return text;
}

/// One of three draws with the same probability for all cells; its bits decide it early, or never.
inline std::string chanceOfAll(int64_t kind) {
  return kind == 0 ? "bernoulli(0.3)" : kind == 1 ? "bernoulli(0.25, bits=8)" : "bernoulli(beta)";
}

/// A draw with one of few probabilities, selected by a count.
inline std::string chanceByCount(const std::string &counted) {
  return "bernoulli(sigmoid(beta * (" + counted + " - 2)))";
}

} // namespace lci

#endif // LCI_LIB_SMITH_TEXT_H

//===- JsonIndex.h - Positions in JSON text ---------------------*- C++ -*-===//
//
// llvm::json returns values without positions. For text that it has already accepted, this walks
// once more and records the line and column of every key and element, and the keys that an object
// contains twice, which the parser resolves silently.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_BINDINGS_JSONINDEX_H
#define LCI_BINDINGS_JSONINDEX_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace lci {

/// A position in a text, both from 1; columns are bytes.
struct TextPosition {
  unsigned line = 1, column = 1;
};

class JsonIndex {
public:
  /// `text` must be valid JSON.
  explicit JsonIndex(llvm::StringRef text);

  /// The position of a path such as `/sizes/W` or `/params/J/0` (for members, of the key);
  /// otherwise that of the nearest enclosing path that is known.
  TextPosition find(llvm::StringRef path) const;

  /// Paths that appear more than once, with the second position.
  const std::vector<std::pair<std::string, TextPosition>> &duplicates() const { return repeated; }

private:
  void value(const std::string &path);
  void object(const std::string &path);
  void array(const std::string &path);
  std::string string();
  void skipSpace();
  void advance();
  /// Records a path; false if it was known.
  bool note(const std::string &path, TextPosition where);

  llvm::StringRef text;
  size_t at = 0;
  TextPosition position;
  llvm::StringMap<TextPosition> places;
  std::vector<std::pair<std::string, TextPosition>> repeated;
};

} // namespace lci

#endif // LCI_BINDINGS_JSONINDEX_H

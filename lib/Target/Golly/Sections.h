//===- Sections.h - Sections of a rule file ---------------------*- C++ -*-===//
//
// Finds the part of a `.rule`, `.table` or `.tree` file that defines the transitions, as lines
// without comments.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_TARGET_GOLLY_SECTIONS_H
#define LIB_TARGET_GOLLY_SECTIONS_H

#include "Grid.h"
#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace mlir::lci::golly {

/// The section of a file that defines the transitions: a `@TABLE` or a `@TREE`.
struct Section {
  bool isTree = false;
  std::string name; ///< the name in `@RULE`
  StringRef bounds; ///< the grid behind that name, or nothing
  Grid grid;
  StringRef head;               ///< its first line
  std::vector<StringRef> lines; ///< of the input, without blanks and comments

  /// The position for errors about missing lines.
  StringRef end() const { return lines.empty() ? head : lines.back(); }
};

/// Removes the first line from a text and returns it, for any line ending. Leading blanks stay.
StringRef takeLine(StringRef &text);

/// The first of these sections, as in Golly, or all of a `.table` or `.tree` file, which has no
/// `@`; none if the text is neither. Fails with a GollyError where a `@RULE` has no such section,
/// and where there is a second one.
llvm::Expected<std::optional<Section>> findSection(StringRef text);

} // namespace mlir::lci::golly

#endif // LIB_TARGET_GOLLY_SECTIONS_H

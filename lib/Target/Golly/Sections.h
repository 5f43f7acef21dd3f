//===- Sections.h - The part of a rule's file that is read -------*- C++ -*===//
#ifndef LIB_TARGET_GOLLY_SECTIONS_H
#define LIB_TARGET_GOLLY_SECTIONS_H

#include "Grid.h"
#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace mlir::lci::golly {

/// The part of a file that says what becomes of cells: a `@TABLE` or a `@TREE`.
struct Section {
  bool isTree = false;
  std::string name; ///< what `@RULE` says
  StringRef bounds; ///< the grid behind the name there, or nothing
  Grid grid;
  StringRef head;               ///< the line at which it begins
  std::vector<StringRef> lines; ///< of the text that is read, without blanks and comments

  /// Where the last line is, for what is missing.
  StringRef end() const { return lines.empty() ? head : lines.back(); }
};

/// Takes the next line of a text from it, whatever ends lines there. What it begins with stays.
StringRef takeLine(StringRef &text);

/// The first of these parts, as Golly has it, or all of a `.table` or `.tree` file, which has no
/// `@`; none if the text is neither. Fails with a GollyError where a `@RULE` has no such part, and
/// where there is a second one.
llvm::Expected<std::optional<Section>> findSection(StringRef text);

} // namespace mlir::lci::golly

#endif // LIB_TARGET_GOLLY_SECTIONS_H

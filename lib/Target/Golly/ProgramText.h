//===- ProgramText.h - The text of a program from a rule ----------*- C++ -*-===//
#ifndef LIB_TARGET_GOLLY_PROGRAMTEXT_H
#define LIB_TARGET_GOLLY_PROGRAMTEXT_H

#include "Diagram.h"
#include "Neighbourhood.h"
#include <string>

namespace mlir::lci::golly {

/// Where a pattern lives. A size without a number is one of the program's.
struct Grid {
  std::string width = "W", height = "H";
  bool isTorus = true; ///< else what lies beyond the border is dead
  bool isLine = false; ///< one dimension, of `width` cells
};

/// Collects the declarations of a program of one value, `Cell`.
class ProgramText {
public:
  ProgramText(StringRef comment, unsigned numStates, const Grid &grid);

  /// Cells that are seen one by one, under their names.
  void see(ArrayRef<Neighbour> neighbours);
  /// Cells that are seen as the family `near`: those whose offsets `dx` and `dy` meet a condition.
  void seeFamily(StringRef condition);
  /// A line of the rule.
  void let(StringRef name, StringRef value);
  /// A declaration.
  void declare(StringRef text) { head += text.str() + "\n"; }
  void constrain(StringRef text) { tail += "\n" + text.str() + "\n"; }

  /// How an expression asks for a neighbour: beyond the border of an open grid it is dead.
  std::string ask(StringRef name) const;
  /// An expression for where the diagram leads, if its places are these expressions, the last one
  /// being the cell itself: through `let`s if they are few, else through parameters that hold it.
  /// `prefix` begins their names.
  std::string follow(const Diagram &diagram, ArrayRef<std::string> places, StringRef prefix = "");

  std::string finish(StringRef proposal) const;

private:
  std::string followLets(const Diagram &diagram, ArrayRef<std::string> places, StringRef prefix);
  std::string followArrays(const Diagram &diagram, ArrayRef<std::string> places, StringRef prefix);

  bool isTorus, isLine;
  std::string head, lets, tail;
};

} // namespace mlir::lci::golly

#endif // LIB_TARGET_GOLLY_PROGRAMTEXT_H

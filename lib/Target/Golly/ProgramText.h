//===- ProgramText.h - The text of a program from a rule ---------*- C++ -*===//
//
// Builds the text of the program that a Golly rule is imported as: one value on the rule's grid,
// `visible` lines for its neighbourhood, and a rule whose `let`s compute the new state.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_TARGET_GOLLY_PROGRAMTEXT_H
#define LIB_TARGET_GOLLY_PROGRAMTEXT_H

#include "Diagram.h"
#include "Grid.h"
#include "Neighbourhood.h"
#include <string>

namespace mlir::lci::golly {

/// Collects the declarations of a program of one value, `Cell`.
class ProgramText {
public:
  ProgramText(StringRef comment, unsigned numStates, const Grid &grid);

  /// Declares single reads, under the names of the neighbours.
  void see(ArrayRef<Neighbour> neighbours);
  /// Declares a family: the cells whose offsets `dx` and `dy` satisfy a condition.
  void seeFamily(StringRef condition);
  /// A reduction over the family; `question` is a comparison of its members, as ` == 1`.
  std::string reduceNear(StringRef function, StringRef question = "") const;
  /// The sum of `write` over the family. On a plane, cells beyond the border are dead.
  std::string sumNear(llvm::function_ref<std::string(const std::string &cell)> write) const;
  /// Adds a `let` to the rule.
  void let(StringRef name, StringRef value);
  /// Adds a declaration.
  void declare(StringRef text) { head += text.str() + "\n"; }
  /// Adds an array of numbers, before all other declarations.
  void declareParameter(StringRef name, ArrayRef<std::string> elements);
  void constrain(StringRef text) { tail += "\n" + text.str() + "\n"; }

  /// The expression that reads a neighbour: beyond the border of a plane it is dead.
  std::string writeRead(StringRef name) const;
  /// The expression of a diagram whose places are these expressions, the last one being the cell
  /// itself: by `let`s if they are few, else by parameters that hold the diagram. Their names begin
  /// with `prefix`.
  std::string follow(const Diagram &diagram, ArrayRef<std::string> places, StringRef prefix = "");

  std::string finish(StringRef proposal) const;

private:
  std::string followLets(const Diagram &diagram, ArrayRef<std::string> places, StringRef prefix);
  std::string followArrays(const Diagram &diagram, ArrayRef<std::string> places, StringRef prefix);

  bool isOpen() const { return grid.topology == Topology::Plane; }
  std::string seeImages(StringRef name, ArrayRef<Image> images, StringRef condition, bool areNamed);

  Grid grid;
  bool isJoined = false; ///< a member of the family may have several images
  std::string near, nearCondition;
  std::string head, lets, tail;
};

} // namespace mlir::lci::golly

#endif // LIB_TARGET_GOLLY_PROGRAMTEXT_H

//===- ProgramText.h - The text of a program from a rule ---------*- C++ -*===//
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

  /// Cells that are seen one by one, under their names.
  void see(ArrayRef<Neighbour> neighbours);
  /// Cells that are seen as a family: those whose offsets `dx` and `dy` meet a condition.
  void seeFamily(StringRef condition);
  /// A reduction of the family, of whose members `question` may ask something, as ` == 1`.
  std::string reduceNear(StringRef function, StringRef question = "") const;
  /// The sum over the family of what is said of its members. On a plane these are dead beyond the
  /// border.
  std::string sumNear(llvm::function_ref<std::string(const std::string &cell)> write) const;
  /// A line of the rule.
  void let(StringRef name, StringRef value);
  /// A declaration.
  void declare(StringRef text) { head += text.str() + "\n"; }
  /// An array of numbers, whose declaration stands before all others.
  void declareParameter(StringRef name, ArrayRef<std::string> elements);
  void constrain(StringRef text) { tail += "\n" + text.str() + "\n"; }

  /// How an expression asks for a neighbour: beyond the border of a plane it is dead.
  std::string ask(StringRef name) const;
  /// An expression for where the diagram leads, if its places are these expressions, the last one
  /// being the cell itself: through `let`s if they are few, else through parameters that hold it.
  /// `prefix` begins their names.
  std::string follow(const Diagram &diagram, ArrayRef<std::string> places, StringRef prefix = "");

  std::string finish(StringRef proposal) const;

private:
  std::string followLets(const Diagram &diagram, ArrayRef<std::string> places, StringRef prefix);
  std::string followArrays(const Diagram &diagram, ArrayRef<std::string> places, StringRef prefix);

  bool isOpen() const { return grid.topology == Topology::Plane; }
  std::string seeImages(StringRef name, ArrayRef<Image> images, StringRef condition, bool areNamed);

  Grid grid;
  bool isJoined = false; ///< several cells may stand for a member of the family
  std::string near, nearCondition;
  std::string head, lets, tail;
};

} // namespace mlir::lci::golly

#endif // LIB_TARGET_GOLLY_PROGRAMTEXT_H

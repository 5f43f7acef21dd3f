//===- Grid.h - Bounded grids of Golly and their edges ----------*- C++ -*-===//
//
// The suffix of a rule string that bounds the universe (`:T100,200`): size, topology, twists and
// shifts of the edges, and the index expressions that a neighbour beyond an edge has.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_TARGET_GOLLY_GRID_H
#define LIB_TARGET_GOLLY_GRID_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <string>

namespace mlir::lci::golly {

/// How the edges of a grid are glued: not at all, opposite ones, or top to left and bottom to
/// right.
enum class Topology { Plane, Torus, Sphere };

/// An image of a neighbour: the cell at indices `x` and `y` of the grid, which are valid where the
/// condition holds; an empty condition always does.
struct Image {
  std::string x, y, condition;
};

/// A size without a number is a size symbol of the program.
struct Grid {
  std::string width = "W", height = "H";
  Topology topology = Topology::Torus;
  bool isLine = false;  ///< one dimension, of `width` cells
  bool hasRows = false; ///< whether a height above 1 was named

  /// Whether the top and bottom edges, or the left and right ones, are glued in reverse, and the
  /// number of cells by which they are then shifted.
  bool twistsX = false, twistsY = false;
  int shiftX = 0, shiftY = 0;

  /// Whether opposite edges are glued without twist or shift.
  bool isPlainTorus() const { return topology == Topology::Torus && !isTwistedOrShifted(); }
  /// Whether a rule of one dimension has one row of cells there.
  bool isRow() const { return topology != Topology::Sphere && !isTwistedOrShifted() && !hasRows; }

  /// The images of the cell at `x` and `y`, which are sums of the cell's index and an offset unless
  /// `staysX` or `staysY` says that the offset is zero.
  SmallVector<Image> getImages(const std::string &x, const std::string &y, bool staysX = false,
                               bool staysY = false) const;

private:
  bool isTwistedOrShifted() const { return twistsX || twistsY || shiftX != 0 || shiftY != 0; }
};

/// A rule and the grid behind its colon, as in `B3/S23:T100,200`.
struct BoundedRule {
  StringRef rule;
  Grid grid;
};
llvm::Expected<BoundedRule> parseGrid(StringRef text);

} // namespace mlir::lci::golly

#endif // LIB_TARGET_GOLLY_GRID_H

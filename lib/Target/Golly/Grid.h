//===- Grid.h - Where a pattern of Golly lives -------------------*- C++ -*===//
#ifndef LIB_TARGET_GOLLY_GRID_H
#define LIB_TARGET_GOLLY_GRID_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <string>

namespace mlir::lci::golly {

/// How the edges of a grid are joined: not at all, each with the opposite one, or the top one with
/// the left one and the bottom one with the right one.
enum class Topology { Plane, Torus, Sphere };

/// A cell beside another one, at `x` and `y` or beyond the edges there, is that cell of the grid
/// where the condition holds; an empty one always does.
struct Image {
  std::string x, y, condition;
};

/// A size without a number is one of the program's.
struct Grid {
  std::string width = "W", height = "H";
  Topology topology = Topology::Torus;
  bool isLine = false;  ///< one dimension, of `width` cells
  bool hasRows = false; ///< whether a height above 1 was named

  /// Whether the top and the bottom edge, or the left and the right one, are joined in reverse, and
  /// by how many cells they are then shifted.
  bool twistsX = false, twistsY = false;
  int shiftX = 0, shiftY = 0;

  /// Whether opposite edges are joined as they are.
  bool isPlainTorus() const { return topology == Topology::Torus && !isTwistedOrShifted(); }
  /// Whether a rule of one dimension has one row of cells there.
  bool isRow() const { return topology != Topology::Sphere && !isTwistedOrShifted() && !hasRows; }

  /// What may stand for the cell at `x` and `y`, sums of the cell's own place and something else
  /// unless `staysX` or `staysY` says that it is that place.
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

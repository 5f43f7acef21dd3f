//===- LargeShapes.h - Neighbourhoods of any radius --------------*- C++ -*===//
//
// Neighbourhoods of Larger than Life: the shapes behind `N` in a rule string, with a radius, and
// their conditions or weights as text of a program.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_TARGET_GOLLY_LARGESHAPES_H
#define LIB_TARGET_GOLLY_LARGESHAPES_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"
#include <string>

namespace mlir::lci::golly {

/// A square (M), a diamond (N), a disc (C, 2), a square of every other cell (B, D), lines (+, X, *,
/// #), those of a hexagonal grid (H, A, 3), a triangle of triangles (L), any other one (@ and its
/// cells as bits), and a square whose cells have weights (G, or W and its weights).
struct LargeShape {
  char kind = 'M';
  int radius = 1;
  std::string digits;     ///< of @ and W
  bool isFlipped = false; ///< upside down in every other cell, as the triangles of a grid are

  /// The largest radius for which the columns, or the weights, of the shape are worth writing out.
  unsigned getMaxRadius() const;
  /// Whether cells count with the weight of their offset, which may be 0.
  bool isWeighted() const { return kind == 'G' || kind == 'W' || isFlipped; }
  /// Whether weights are the elements of a parameter, `Weight`.
  bool hasWeights() const { return isWeighted() && kind != 'G' && kind != 'L'; }
  /// The condition on the offsets `dx` and `dy` of its cells. It excludes (0,0) unless there are
  /// weights.
  std::string writeCondition() const;
  std::string writeWeight() const;
  /// The elements of `Weight`, by rows from the north-west.
  SmallVector<std::string> listWeights() const;
};

/// Parses the text behind N, in upper case. Returns the expected text if that is no shape, else
/// nothing.
std::string parseLargeShape(StringRef text, int radius, LargeShape &shape);

} // namespace mlir::lci::golly

#endif // LIB_TARGET_GOLLY_LARGESHAPES_H

//===- LargeShapes.h - Neighbourhoods of any radius --------------*- C++ -*===//
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

  /// Of most shapes larger ones have more columns, or more weights, than are worth to be written
  /// down.
  unsigned getMaxRadius() const;
  /// Whether cells count as much as the weight at their offset, which may be 0.
  bool isWeighted() const { return kind == 'G' || kind == 'W' || isFlipped; }
  /// Whether weights are the elements of a parameter, `Weight`.
  bool hasWeights() const { return isWeighted() && kind != 'G' && kind != 'L'; }
  /// The condition that its offsets `dx` and `dy` meet. None of them is (0,0) unless there are
  /// weights.
  std::string writeCondition() const;
  std::string writeWeight() const;
  /// The elements of `Weight`, by rows from the north-west.
  SmallVector<std::string> listWeights() const;
};

/// Reads what stands behind N, in upper case. Returns what would have been one if it is none.
std::string parseLargeShape(StringRef text, int radius, LargeShape &shape);

} // namespace mlir::lci::golly

#endif // LIB_TARGET_GOLLY_LARGESHAPES_H

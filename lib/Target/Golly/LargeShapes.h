//===- LargeShapes.h - Neighbourhoods of any radius ---------------*- C++ -*-===//
#ifndef LIB_TARGET_GOLLY_LARGESHAPES_H
#define LIB_TARGET_GOLLY_LARGESHAPES_H

#include "mlir/Support/LLVM.h"
#include <string>

namespace mlir::lci::golly {

/// Whether these are the letters, in upper case, of a neighbourhood of that radius: squares (M),
/// diamonds (N), discs (C, 2), squares of every other cell (B, D), lines (+, X, *, #), those of a
/// hexagonal grid (H, A, 3), and any other one (@ and its cells as bits).
bool isLargeShape(StringRef shape, unsigned radius);

/// The condition that its offsets `dx` and `dy` meet, none of which is (0,0).
std::string writeLargeShape(StringRef shape, int radius);

} // namespace mlir::lci::golly

#endif // LIB_TARGET_GOLLY_LARGESHAPES_H

//===- Neighbourhood.h - Neighbourhoods of rule tables ----------*- C++ -*-===//
//
// The neighbourhoods that Golly's rule tables may name, and the orders of their cells that each
// symmetry generates.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_TARGET_GOLLY_NEIGHBOURHOOD_H
#define LIB_TARGET_GOLLY_NEIGHBOURHOOD_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"

namespace mlir::lci::golly {

/// The offset of a neighbour: `n` is the one above, at smaller y.
struct Neighbour {
  StringRef name;
  int dx, dy;
};

/// The cells that tables of one kind read, in their order, which is clockwise from the north.
struct Neighbourhood {
  StringRef name;
  SmallVector<Neighbour> neighbours;
  /// Whether cells change by blocks of two by two; the neighbours are then the places of a block.
  bool isBlock = false;
  /// Names of symmetries, and the order of their rotation group.
  SmallVector<std::pair<StringRef, unsigned>> rotations;

  /// The number of inputs of a transition: the neighbours, and the cell itself before them unless
  /// there are blocks.
  unsigned getNumPlaces() const { return neighbours.size() + !isBlock; }

  /// The orders of the neighbours that a symmetry generates; none if this neighbourhood has no such
  /// symmetry. `permute` of cells is not included: it has too many.
  std::vector<SmallVector<unsigned>> getOrders(StringRef symmetries) const;

  /// The names of symmetries, for messages.
  std::string listSymmetries() const;
};

/// Null for an unknown name.
const Neighbourhood *findNeighbourhood(StringRef name);

/// The known names, for messages.
std::string listNeighbourhoods();

} // namespace mlir::lci::golly

#endif // LIB_TARGET_GOLLY_NEIGHBOURHOOD_H

//===- Neighbourhood.h - Which cells a rule of Golly sees --------*- C++ -*===//
#ifndef LIB_TARGET_GOLLY_NEIGHBOURHOOD_H
#define LIB_TARGET_GOLLY_NEIGHBOURHOOD_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"

namespace mlir::lci::golly {

/// A cell beside another one: `n` is the one above, at smaller y.
struct Neighbour {
  StringRef name;
  int dx, dy;
};

/// The cells that tables of one kind ask for, in their order, which goes clockwise from the north.
struct Neighbourhood {
  StringRef name;
  SmallVector<Neighbour> neighbours;
  /// Whether cells change by blocks of two by two, whose places are the neighbours.
  bool isBlock = false;
  /// Names of symmetries, and by how many turns a rotation comes back.
  SmallVector<std::pair<StringRef, unsigned>> rotations;

  /// How many cells a transition asks for: the neighbours, and the cell itself before them unless
  /// there are blocks.
  unsigned getNumPlaces() const { return neighbours.size() + !isBlock; }

  /// The orders of the neighbours that a symmetry makes of one; none if it is no symmetry of these.
  /// `permute` of cells is not among them, of which there are too many.
  std::vector<SmallVector<unsigned>> getOrders(StringRef symmetries) const;

  /// What symmetries there are, for messages.
  std::string listSymmetries() const;
};

/// Null for a name that is not known.
const Neighbourhood *findNeighbourhood(StringRef name);

/// The names that are known, for messages.
std::string listNeighbourhoods();

} // namespace mlir::lci::golly

#endif // LIB_TARGET_GOLLY_NEIGHBOURHOOD_H

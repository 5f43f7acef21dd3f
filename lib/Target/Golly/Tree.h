//===- Tree.h - A rule tree of Golly -----------------------------*- C++ -*===//
#ifndef LIB_TARGET_GOLLY_TREE_H
#define LIB_TARGET_GOLLY_TREE_H

#include "Diagram.h"
#include "Neighbourhood.h"
#include "Sections.h"
#include "llvm/Support/Error.h"
#include <string>

namespace mlir::lci::golly {

/// A `@TREE`: its places are these neighbours, then the cell itself.
struct Tree {
  std::string name;
  SmallVector<Neighbour> neighbours;
  Diagram diagram;
  StringRef line; ///< the last one
};

/// Reads a `@TREE`, or fails with a GollyError.
llvm::Expected<Tree> parseTree(const Section &section);

} // namespace mlir::lci::golly

#endif // LIB_TARGET_GOLLY_TREE_H

//===- Table.h - A rule table of Golly ----------------------------*- C++ -*-===//
#ifndef LIB_TARGET_GOLLY_TABLE_H
#define LIB_TARGET_GOLLY_TABLE_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace mlir::lci::golly {

/// Which states a cell may have.
using States = llvm::BitVector;

/// Centre, neighbours clockwise from the north, and what the centre becomes. Variables that occur
/// more than once have one state by now, so that each place stands for itself.
struct Transition {
  SmallVector<States> inputs;
  unsigned output;
  unsigned line; ///< of the table, from 1
};

struct Table {
  std::string name;
  unsigned numStates = 2;
  unsigned numNeighbours = 8; ///< 8 (Moore), 4 (von Neumann)
  std::string symmetries = "none";
  std::vector<Transition> transitions; ///< the first that fits holds
};

/// Reads the text of a `.rule` file, or fails with a GollyError.
llvm::Expected<Table> parseTable(StringRef text);

/// The orders of the neighbours that a symmetry makes of one.
std::vector<SmallVector<unsigned>> getVariants(const Table &table);

} // namespace mlir::lci::golly

#endif // LIB_TARGET_GOLLY_TABLE_H

//===- Table.h - Rule tables of Golly ---------------------------*- C++ -*-===//
//
// A parsed `@TABLE`: its neighbourhood, symmetries and transitions.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_TARGET_GOLLY_TABLE_H
#define LIB_TARGET_GOLLY_TABLE_H

#include "Neighbourhood.h"
#include "Sections.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace mlir::lci::golly {

/// The set of states that an input matches.
using States = llvm::BitVector;

/// The states that a transition requires at the places of the neighbourhood, in the order of
/// tables, and the new state of the cell, or of each cell of a block. Variables that occur more
/// than once are bound to one state by now, so that the places are independent.
struct Transition {
  SmallVector<States> inputs;
  SmallVector<unsigned> outputs;
  StringRef line; ///< of the input
};

/// A `@TABLE`.
struct Table {
  std::string name;
  unsigned numStates;
  const Neighbourhood *neighbourhood;
  std::string symmetries;              ///< of this neighbourhood
  std::vector<Transition> transitions; ///< the first one that matches applies
};

/// Reads a `@TABLE`, or fails with a GollyError.
llvm::Expected<Table> parseTable(const Section &section);

} // namespace mlir::lci::golly

#endif // LIB_TARGET_GOLLY_TABLE_H

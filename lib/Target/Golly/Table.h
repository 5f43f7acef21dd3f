//===- Table.h - Rules of Golly as they are read -----------------*- C++ -*===//
#ifndef LIB_TARGET_GOLLY_TABLE_H
#define LIB_TARGET_GOLLY_TABLE_H

#include "Neighbourhood.h"
#include "Sections.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace mlir::lci::golly {

/// Which states a cell may have.
using States = llvm::BitVector;

/// What a rule asks of the places of its neighbourhood, in the order in which tables have them, and
/// what then becomes of the cell, or of each cell of a block. Variables that occur more than once
/// have one state by now, so that each place stands for itself.
struct Transition {
  SmallVector<States> inputs;
  SmallVector<unsigned> outputs;
  StringRef line; ///< of the text that was read
};

/// A `@TABLE`.
struct Table {
  std::string name;
  unsigned numStates;
  const Neighbourhood *neighbourhood;
  std::string symmetries;              ///< of this neighbourhood
  std::vector<Transition> transitions; ///< the first that fits holds
};

/// Reads a `@TABLE`, or fails with a GollyError.
llvm::Expected<Table> parseTable(const Section &section);

} // namespace mlir::lci::golly

#endif // LIB_TARGET_GOLLY_TABLE_H

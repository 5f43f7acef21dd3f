//===- Matching.h - Decision diagrams of transitions ------------*- C++ -*-===//
#ifndef LIB_TARGET_GOLLY_MATCHING_H
#define LIB_TARGET_GOLLY_MATCHING_H

#include "Diagram.h"
#include "Table.h"

namespace mlir::lci::golly {

/// The diagram with leaf 1 where the states of the places match the transition in one of the
/// orders; else 0. An order names an input of the transition for each place.
Diagram matchOrders(const Transition &transition, unsigned numStates,
                    ArrayRef<SmallVector<unsigned>> orders);

/// The same under all permutations of the neighbours. The first or the last place is the cell
/// itself, the first input.
Diagram matchPermuted(const Transition &transition, unsigned numStates, bool isSelfFirst);

} // namespace mlir::lci::golly

#endif // LIB_TARGET_GOLLY_MATCHING_H

//===- Matching.h - For which states a transition fits -----------*- C++ -*===//
#ifndef LIB_TARGET_GOLLY_MATCHING_H
#define LIB_TARGET_GOLLY_MATCHING_H

#include "Diagram.h"
#include "Table.h"

namespace mlir::lci::golly {

/// A diagram with the leaf 1 where places have the states asked for in one of the orders, each of
/// which names an input of the transition for each place; else 0.
Diagram matchOrders(const Transition &transition, unsigned numStates,
                    ArrayRef<SmallVector<unsigned>> orders);

/// The same in any order of the neighbours. The first or the last place is the cell itself, the
/// first input.
Diagram matchPermuted(const Transition &transition, unsigned numStates, bool isSelfFirst);

} // namespace mlir::lci::golly

#endif // LIB_TARGET_GOLLY_MATCHING_H

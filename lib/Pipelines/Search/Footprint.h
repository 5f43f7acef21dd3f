//===- Footprint.h - The bytes that code accesses ---------------*- C++ -*-===//

#ifndef LCI_LIB_PIPELINES_SEARCH_FOOTPRINT_H
#define LCI_LIB_PIPELINES_SEARCH_FOOTPRINT_H

#include "LCI/Pipelines/Search/Cost.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"

namespace mlir::lci {

/// A part of one buffer: `bytes` of those from `low` to `high`.
struct Extent {
  double low = 0, high = 0, bytes = 0;
};

/// The accessed part of each buffer, which its defining value stands for.
using Footprint = llvm::MapVector<Value, Extent>;

/// The counts of a piece of code.
struct Counts {
  double operations = 0, cycles = 0, launches = 0;
  Footprint data;
  std::array<double, 3> bytes = {0, 0, 0}; ///< as in Cost
};

/// One access.
Counts accessTo(Value buffer, Extent extent);
/// One piece after the other: the second finds the data of the first in a cache.
void append(Counts &counts, const Counts &next, const CostMachine &machine);
/// `trips` times a piece, which the next time is `next`: how far its data move tells how much of it
/// is new.
Counts repeat(const Counts &body, const Counts &next, double trips, const CostMachine &machine);

} // namespace mlir::lci

#endif // LCI_LIB_PIPELINES_SEARCH_FOOTPRINT_H

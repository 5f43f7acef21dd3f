//===- Overflow.h - Witnesses of 64-bit overflow ----------------*- C++ -*-===//
//
// An operation that may overflow 64 bits is rejected; this finds operands for which it does.
// Reads, parameters and draws take the ends of their ranges independently, and everything between
// is computed exactly, so that the result is an actual overflow.
//===----------------------------------------------------------------------===//

#ifndef LCI_ANALYSIS_OVERFLOW_H
#define LCI_ANALYSIS_OVERFLOW_H

#include "LCI/Analysis/Ranges.h"

namespace mlir::lci {

/// The inputs of an operation for which its result overflows 64 bits.
struct OverflowWitness {
  SmallVector<int64_t> cell; ///< where the operands depend on the indices
  /// Reads, parameters, draws and other values known only in a run, with their integers.
  SmallVector<std::pair<Value, int64_t>> numbers;
  SmallVector<int64_t> operands; ///< of the operation
};

/// The first one among the ends of the ranges; nothing if there is none, or there are too many.
std::optional<OverflowWitness> findOverflow(Operation *op, const RangeAnalysis &ranges);

} // namespace mlir::lci

#endif // LCI_ANALYSIS_OVERFLOW_H

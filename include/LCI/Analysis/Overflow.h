//===- Overflow.h - Numbers with which 64 bits are not enough ---*- C++ -*-===//
//
// An operation that may leave 64 bits is refused; this finds what its operands may be when it does.
// What is read, given or drawn takes the ends of its range, each by itself, and everything between
// is computed exactly, so that what is found is a way to get there.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_ANALYSIS_OVERFLOW_H
#define LCI_ANALYSIS_OVERFLOW_H

#include "LCI/Analysis/Ranges.h"

namespace mlir::lci {

/// What an operation is computed from where its result leaves 64 bits.
struct OverflowWitness {
  SmallVector<int64_t> cell; ///< where the operands depend on the indices
  /// What is read, given, drawn or otherwise known in a run only, and what it is.
  SmallVector<std::pair<Value, int64_t>> numbers;
  SmallVector<int64_t> operands; ///< of the operation
};

/// The first one that the ends of the ranges have; nothing if they have none, or are too many.
std::optional<OverflowWitness> findOverflow(Operation *op, const RangeAnalysis &ranges);

} // namespace mlir::lci

#endif // LCI_ANALYSIS_OVERFLOW_H

//===- Join.h - Merge two replicas of a run ---------------------*- C++ -*-===//
//
// Merges two checkpoints of one program that diverged. Of each cell the commit that ranks higher is
// taken: by stamp, satisfied constraints, score, replica (the lower one), token (the lower one).
// Sets and counters are merged by their types. The join is associative, commutative and idempotent:
// replicas may be merged in any order, and repeatedly.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_RUNTIME_JOIN_H
#define LCI_RUNTIME_JOIN_H

#include "LCI/Runtime/Checkpoint.h"
#include "LCI/Runtime/Records.h"

namespace lci {

/// The effect of a join on the cells of one value.
struct JoinedCells {
  /// Cells that differed, by the side that was taken; and those of equal stamps, which no replica
  /// knew to be rivals.
  int64_t fromLeft = 0, fromRight = 0, concurrent = 0;
};

/// Joins `right` into `left`, cell by cell; both are of one type and shape.
JoinedCells joinCells(Array &left, Records &leftRecords, const Array &right,
                      const Records &rightRecords);

/// A joined run, and the effect on each value.
struct JoinedRun {
  Checkpoint checkpoint;
  std::map<std::string, JoinedCells> values;
};

/// Joins two checkpoints of one program and seed; fails if they are not, or if one has no records.
Result<JoinedRun> join(const Checkpoint &left, const Checkpoint &right);

} // namespace lci

#endif // LCI_RUNTIME_JOIN_H

//===- Records.h - Commit records of each cell ------------------*- C++ -*-===//
//
// Stored beside the cells of a value, to decide between two replicas' cells: when they were
// committed (a Lamport stamp), with how many satisfied soft constraints, with what score, and by
// which replica.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_RUNTIME_RECORDS_H
#define LCI_RUNTIME_RECORDS_H

#include "LCI/Runtime/Array.h"

namespace lci {

// The suffixes of the names that compiled code gives the parts of a value's records.
inline constexpr const char kStampSuffix[] = ".stamp";
inline constexpr const char kScoreSuffix[] = ".score";
inline constexpr const char kReplicaSuffix[] = ".replica";
inline constexpr const char kLevelSuffix[] = ".level"; // followed by its number

/// Of every cell, in the shape of its value; zeros where nothing was committed.
struct Records {
  Array stamps;   ///< I64
  Array levels;   ///< I64, with the priorities of soft constraints, highest first, as last axis
  Array scores;   ///< F32, -0 as 0 and NaN canonical
  Array replicas; ///< I64

  bool operator==(const Records &other) const {
    return stamps == other.stamps && levels == other.levels && scores == other.scores &&
           replicas == other.replicas;
  }
};

/// Zero records of a value of this shape with that many priorities.
Records emptyRecords(const std::vector<int64_t> &shape, int64_t priorities);
/// Whether records are of this shape and these priorities.
bool areRecordsOf(const Records &records, const std::vector<int64_t> &shape, int64_t priorities);

} // namespace lci

#endif // LCI_RUNTIME_RECORDS_H

//===- Records.h - Records of commits, as separate states -------*- C++ -*-===//
//
// S-RECORD for compiled code: each part of a value's records (stamp, score, replica, satisfied
// constraints) is a state beside the value, computed by a tick like the value's. Without the option
// `records` none of them exists.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_CONVERSION_PROGRAMTOTICK_RECORDS_H
#define LCI_LIB_CONVERSION_PROGRAMTOTICK_RECORDS_H

#include "LCI/Dialect/LCIOps.h"

namespace mlir::lci {

/// The part of a commit that a tick computes: the cell's new contents, or a part of its record.
struct CommitPart {
  enum Kind { Content, Stamp, Score, Replica, Level };
  Kind kind = Content;
  /// The rank of soft constraints, the highest first.
  unsigned level = 0;
};

/// A part of the records of a value's cells.
struct RecordState {
  ValueOp value;
  CommitPart part;

  /// The name of the state, such as `Cell.stamp`.
  std::string name() const;
  RankedTensorType type() const;
};

/// All parts of a value's records.
SmallVector<RecordState> getRecordStates(ValueOp value, CommitOp commit);

} // namespace mlir::lci

#endif // LCI_LIB_CONVERSION_PROGRAMTOTICK_RECORDS_H

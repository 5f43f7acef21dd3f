//===- Records.h - How commits came about, as states of their own --*- C++ -*===//
//
// S-RECORD for compiled code: each part of a value's records (stamp, score, replica, satisfied
// constraints) is a state beside the value, and a tick like the value's own computes it. Where
// nobody asks for records there is nothing of this.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_CONVERSION_PROGRAMTOTICK_RECORDS_H
#define LCI_LIB_CONVERSION_PROGRAMTOTICK_RECORDS_H

#include "LCI/Dialect/LCIOps.h"

namespace mlir::lci {

/// What a tick computes of a commit: what the cell holds then, or a part of its record.
struct CommitPart {
  enum Kind { Content, Stamp, Score, Replica, Level };
  Kind kind = Content;
  /// Which of the ranks of soft constraints, the highest first.
  unsigned level = 0;
};

/// A part of the records of a value's cells.
struct RecordState {
  ValueOp value;
  CommitPart part;

  /// What the state is called, such as `Cell.stamp`.
  std::string name() const;
  RankedTensorType type() const;
};

/// All parts of a value's records.
SmallVector<RecordState> getRecordStates(ValueOp value, CommitOp commit);

} // namespace mlir::lci

#endif // LCI_LIB_CONVERSION_PROGRAMTOTICK_RECORDS_H

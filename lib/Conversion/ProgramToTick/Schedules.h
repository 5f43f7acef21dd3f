//===- Schedules.h - When which cells of a value are up ---------*- C++ -*-===//

#ifndef LCI_LIB_CONVERSION_PROGRAMTOTICK_SCHEDULES_H
#define LCI_LIB_CONVERSION_PROGRAMTOTICK_SCHEDULES_H

#include "LCI/Dialect/ScheduleOptions.h"

namespace mlir::lci {

/// The phases of a value's epochs as ticks say them. Which cells `masked` and `random` choose is
/// the agreement's business.
struct TickPhases {
  int64_t first = 0, count = 1; ///< of the epoch's phases
  IntegerSetAttr cells;         ///< over the indices, with the phase as symbol; null for all cells
  int64_t classStride = 1;
  /// Phase first + p has the cells whose places on these axes have the row-major number p.
  SmallVector<SweptAxis> visited;
  /// The phase of each cell, where no set says it; null otherwise.
  DenseElementsAttr ofCells;
  /// Of the cells that would change, the part that does: the surest.
  FloatAttr surest;
};

/// The phases of a value that `schedule`, which may be null, says.
FailureOr<TickPhases> getTickPhases(ValueOp value, ScheduleOp schedule);

/// Makes the tick one of the cells that its phase visits.
void addVisitedBox(OpBuilder &builder, TickOp tick, const TickPhases &phases);

} // namespace mlir::lci

#endif // LCI_LIB_CONVERSION_PROGRAMTOTICK_SCHEDULES_H

//===- Schedules.h - Phases of a schedule as sets of cells ------*- C++ -*-===//
//
// The phases of a value's epochs in the form that ticks take: a set of cells with the phase as
// symbol, a box that a phase visits, or the colour of each cell.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_CONVERSION_PROGRAMTOTICK_SCHEDULES_H
#define LCI_LIB_CONVERSION_PROGRAMTOTICK_SCHEDULES_H

#include "LCI/Dialect/ScheduleOptions.h"

namespace mlir::lci {

/// The phases of a value's epochs as attributes and operands of ticks. The agreement selects the
/// cells of `masked` and `random`.
struct TickPhases {
  int64_t first = 0, count = 1; ///< of the epoch's phases
  IntegerSetAttr cells;         ///< over the indices, with the phase as symbol; null for all cells
  int64_t classStride = 1;
  /// Phase first + p has the cells whose positions on these axes have the row-major number p.
  SmallVector<SweptAxis> visited;
  /// The phase of each cell, where no set gives it; null otherwise.
  DenseElementsAttr ofCells;
  /// The fraction of the changing cells that does change: the surest.
  FloatAttr surest;
};

/// The phases of a value under `schedule`, which may be null.
FailureOr<TickPhases> getTickPhases(ValueOp value, ScheduleOp schedule);

/// Restricts the tick to the box of cells that its phase visits.
void addVisitedBox(OpBuilder &builder, TickOp tick, const TickPhases &phases);

} // namespace mlir::lci

#endif // LCI_LIB_CONVERSION_PROGRAMTOTICK_SCHEDULES_H

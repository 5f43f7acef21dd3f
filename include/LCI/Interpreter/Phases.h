//===- Phases.h - The phase of each cell by schedule ------------*- C++ -*-===//
//
// Shared by the interpreters and by views. The compiler lowers schedules separately; its code is
// compared with this.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_INTERPRETER_PHASES_H
#define LCI_INTERPRETER_PHASES_H

#include "LCI/Analysis/Colouring.h"
#include "LCI/Dialect/ScheduleOptions.h"

namespace mlir::lci {

/// The phases of one value's epochs (S-SCHEDULE), and the numbers of its cells in draws (S-CLASS).
class Phases {
public:
  /// A value without a schedule has one phase with all its cells.
  Phases(ValueOp value, ScheduleOp schedule);

  /// Whether the interpreter supports the strategy.
  static LogicalResult verify(ScheduleOp schedule);

  /// The least number of phases of an epoch.
  int64_t getNumPhases() const { return first + getNumSchedulePhases(); }
  /// The current tick, and the seed of draws.
  struct Now {
    uint64_t seed, epoch, phase;
  };
  /// The phase of the cell in an epoch, independent of its content and of draws.
  int64_t getPhaseOf(ArrayRef<int64_t> cell) const { return first + getSchedulePhaseOf(cell); }
  /// Whether the cell is scheduled now; `isAbsent` tells that it has no token.
  bool contains(ArrayRef<int64_t> cell, const Now &now, bool isAbsent) const;
  /// The fraction of the changing cells that are committed, the surest first (S-SELECT).
  std::optional<float> getSurestFraction() const {
    return strategy == Strategy::Confidence ? std::optional(fraction) : std::nullopt;
  }
  /// The number of a cell for draws in this value's phases.
  uint64_t getCellNumber(ArrayRef<int64_t> cell) const;

  /// The number of a cell in a class that is the whole value, as `init` draws use it.
  static uint64_t getCellNumber(ArrayRef<int64_t> cell, ArrayRef<int64_t> extents, int64_t stride);

private:
  /// Both are relative to the schedule's first phase.
  int64_t getNumSchedulePhases() const;
  int64_t getSchedulePhaseOf(ArrayRef<int64_t> cell) const;

  SmallVector<int64_t> extents, tile;
  SmallVector<SweptAxis> axes;
  Strategy strategy = Strategy::All;
  int64_t first = 0;       ///< the first phase of the schedule in an epoch
  float fraction = 1;      ///< of `random` and `confidence`
  int64_t declaration = 0; ///< the schedule's number
  Colouring colouring;     ///< of `recolor`
};

} // namespace mlir::lci

#endif // LCI_INTERPRETER_PHASES_H

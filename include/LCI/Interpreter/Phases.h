//===- Phases.h - When a cell is up for agreement ---------------*- C++ -*-===//

#ifndef LCI_INTERPRETER_PHASES_H
#define LCI_INTERPRETER_PHASES_H

#include "LCI/Analysis/Colouring.h"
#include "LCI/Dialect/ScheduleOptions.h"

namespace mlir::lci {

/// The phases of one value's epochs (S-SCHEDULE), and what its draws count (S-CLASS).
class Phases {
public:
  /// A value without a schedule has one phase with all its cells.
  Phases(ValueOp value, ScheduleOp schedule);

  /// Whether the interpreter knows the strategy.
  static LogicalResult verify(ScheduleOp schedule);

  /// How many phases an epoch has at least.
  int64_t getNumPhases() const { return first + getNumOwnPhases(); }
  /// When it is, and what is drawn then.
  struct Now {
    uint64_t seed, epoch, phase;
  };
  /// The phase of the epoch that the cell is in, whatever it holds and whatever is drawn.
  int64_t getPhaseOf(ArrayRef<int64_t> cell) const { return first + getOwnPhaseOf(cell); }
  /// Whether the cell is up now; `isAbsent` says that it holds nothing.
  bool contains(ArrayRef<int64_t> cell, const Now &now, bool isAbsent) const;
  /// The part of the cells that would change that do, the surest first (S-SELECT).
  std::optional<float> getSurestFraction() const {
    return strategy == Strategy::Confidence ? std::optional(fraction) : std::nullopt;
  }
  /// The number of a cell that its draws have in this value's phases.
  uint64_t getCellNumber(ArrayRef<int64_t> cell) const;

  /// The number of a cell in a class that is the whole value, as `init` draws have it.
  static uint64_t getCellNumber(ArrayRef<int64_t> cell, ArrayRef<int64_t> extents, int64_t stride);

private:
  /// Both count from the schedule's first phase.
  int64_t getNumOwnPhases() const;
  int64_t getOwnPhaseOf(ArrayRef<int64_t> cell) const;

  SmallVector<int64_t> extents, tile;
  SmallVector<SweptAxis> axes;
  Strategy strategy = Strategy::All;
  int64_t first = 0;       ///< the phase of the epoch that the schedule begins in
  float fraction = 1;      ///< of `random` and `confidence`
  int64_t declaration = 0; ///< the schedule's number
  Colouring colouring;     ///< of `recolor`
};

} // namespace mlir::lci

#endif // LCI_INTERPRETER_PHASES_H

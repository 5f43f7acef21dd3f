//===- Independence.h - Reads among cells of one phase ----------*- C++ -*-===//
//
// A phase is independent when no active cell reads another: then updating in place equals the
// snapshot. Decided exactly, on bound programs for diagnostics, and on ticks for sharing
// storage. The result is not recorded; passes that need it recompute it.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_ANALYSIS_INDEPENDENCE_H
#define LCI_ANALYSIS_INDEPENDENCE_H

#include "LCI/Analysis/Colouring.h"

namespace mlir::lci {

/// The schedule of a value in a bound program, or null.
ScheduleOp getSchedule(ValueOp value);

/// Two cells of one phase, the first of which reads the second.
struct DependentPair {
  ValueOp value, source;
  SmallVector<int64_t> reader, written;
  int64_t phase;
  ReadOp read;             ///< where its index is computed, it may be any cell
  RuleOp reading, writing; ///< rules by which the two are decided in this phase
};

/// The first pair of cells of one phase, in lexicographic order, of which one of `value` reads
/// another one of `source` that a rule may change in the same phase. Nothing: independent.
std::optional<DependentPair> findDependentPair(ValueOp value, ValueOp source);

/// The first dependent pair of a schedule: among the value's cells, then between the value's cells
/// and those of other ruled values.
std::optional<DependentPair> findDependentPair(ScheduleOp schedule);
/// The first such pair whose written cell is of another value: the only kind possible where the
/// value's cells are known to be coloured.
std::optional<DependentPair> findForeignPair(ScheduleOp schedule);
/// The first pair of cells of one phase that a constraint's reads relate: of its value, then of
/// its value and other ruled ones.
std::optional<DependentPair> findDependentPair(ConstraintOp constraint);
inline bool isIndependent(ScheduleOp schedule) { return !findDependentPair(schedule); }

/// The phases of the epoch in which the cells of a value are scheduled. Colours take time, and are
/// computed once, on demand.
class CellPhases {
public:
  explicit CellPhases(ValueOp value);

  int64_t of(ArrayRef<int64_t> cell);
  /// Whether the phase is a form of the indices.
  bool hasForm() const { return !isColoured; }
  /// The first phase of the schedule.
  int64_t getFirst() const;
  /// Nothing where colours are unknown: that is an error that is reported elsewhere.
  const std::optional<Colouring> &getColouring();

private:
  ValueOp value;
  bool isColoured, isComputed = false;
  std::optional<Colouring> colouring;
};

/// A cell of one tick that loads what another tick, or the same one for another cell, writes.
struct TickConflict {
  SmallVector<int64_t> reader, written;
  LoadOp load;
};

/// Decides whether `reader`, through one of the inputs given by their positions, loads a cell that
/// `writer` writes in the same phase. If both are one tick, a cell's load of itself does not count.
/// The phase, unless it is constant, and dynamic box offsets are unknown, the same for both ticks
/// where they are the same value. Indices that are neither the cell's nor of a loop with constant
/// bounds are unknown too.
std::optional<TickConflict> findConflict(TickOp reader, ArrayRef<unsigned> inputs, TickOp writer);

} // namespace mlir::lci

#endif // LCI_ANALYSIS_INDEPENDENCE_H

//===- History.h - Switches, events and counters of a run -------*- C++ -*-===//
//
// The history of a run by all replicas that took part: enabled declarations, scheduled strategies
// and counters. A checkpoint stores it beside the cells.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_RUNTIME_HISTORY_H
#define LCI_RUNTIME_HISTORY_H

#include "LCI/Runtime/Backend.h"
#include "LCI/Runtime/Checkpoint.h"
#include "LCI/Runtime/EventLog.h"
#include "LCI/Runtime/RunLoop.h"
#include "LCI/Runtime/Switches.h"

namespace lci {

/// The event that each epoch adds, by the name of the set of events.
using Schedules = std::map<std::string, EventLog::Event>;

struct History {
  Switches switches;
  /// By the name of the set of events.
  std::map<std::string, EventLog> logs;
  /// The counters of each replica, which only that replica changes.
  std::map<uint64_t, Counters> counters;
  /// What was on in the last epoch, if that changed nothing and would be the last of the run.
  std::optional<std::map<std::string, bool>> fixpoint;

  /// Sums over all replicas.
  Counters total() const;
  /// The history once `replica` has run from the epoch `first` on and has come to `reached`.
  History after(uint64_t replica, const Schedules &schedules, int64_t first,
                const LoopOutcome &reached) const;
  /// Whether the run is at its end: nothing changed, and what is on now was on then.
  bool isAtFixpoint() const { return fixpoint && haveSame(*fixpoint, switches.states()); }

  /// The union of both: associative, commutative, idempotent.
  void join(const History &other);

  /// Stores it into a checkpoint, and loads it from one.
  void store(Checkpoint &checkpoint) const;
  static Result<History> load(const Checkpoint &checkpoint);
};

} // namespace lci

#endif // LCI_RUNTIME_HISTORY_H

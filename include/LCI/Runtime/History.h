//===- History.h - What a run did besides its cells -------------*- C++ -*-===//
//
// What is on, what was scheduled and what was counted, by all replicas that took part. A checkpoint
// carries it along with the cells.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_RUNTIME_HISTORY_H
#define LCI_RUNTIME_HISTORY_H

#include "LCI/Runtime/Backend.h"
#include "LCI/Runtime/Checkpoint.h"
#include "LCI/Runtime/EventLog.h"
#include "LCI/Runtime/Switches.h"

namespace lci {

/// Which rule schedules, by the set of events it says so to.
using Schedules = std::map<std::string, EventLog::Event>;

struct History {
  Switches switches;
  /// By the name of the set of events.
  std::map<std::string, EventLog> logs;
  /// What each replica counted; nobody else changes its share.
  std::map<uint64_t, Counters> counters;

  /// Sums over all replicas.
  Counters total() const;
  /// The history once `replica` has run the epochs first … last-1 and the sums are `total`.
  History after(uint64_t replica, const Schedules &schedules, int64_t first, int64_t last,
                const Counters &total) const;

  /// What both know: associative, commutative, idempotent.
  void join(const History &other);

  /// Puts it into a checkpoint, and takes it out of one.
  void store(Checkpoint &checkpoint) const;
  static Result<History> load(const Checkpoint &checkpoint);
};

} // namespace lci

#endif // LCI_RUNTIME_HISTORY_H

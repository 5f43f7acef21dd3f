//===- EventLog.h - What was scheduled, when and by whom --------*- C++ -*-===//
//
// A set of events: a rule said a strategy for an epoch, and a replica ran it. It only grows. Events
// are kept by what they say, as ranges of epochs, and not cell by cell: the cells of an event
// follow from its strategy.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_RUNTIME_EVENTLOG_H
#define LCI_RUNTIME_EVENTLOG_H

#include "LCI/Runtime/Result.h"
#include <cstdint>
#include <map>
#include <tuple>

namespace lci {

class EventLog {
public:
  /// What the events of one kind have in common.
  struct Event {
    std::string rule, strategy;
    uint64_t replica = 0;

    bool operator<(const Event &other) const {
      return std::tie(rule, strategy, replica) <
             std::tie(other.rule, other.strategy, other.replica);
    }
    bool operator==(const Event &other) const { return !(*this < other) && !(other < *this); }
  };
  /// Ranges of epochs that neither meet nor touch: the first of each, and its last.
  using Epochs = std::map<int64_t, int64_t>;

  /// Adds the epochs first … last; none if last is before first.
  void add(const Event &event, int64_t first, int64_t last);
  bool contains(const Event &event, int64_t epoch) const;
  const std::map<Event, Epochs> &events() const { return log; }

  /// All events of both: associative, commutative, idempotent.
  void join(const EventLog &other);

  /// A line for each range, and back.
  std::string text() const;
  static Result<EventLog> parse(const std::string &text);

  bool operator==(const EventLog &other) const { return log == other.log; }

private:
  std::map<Event, Epochs> log;
};

} // namespace lci

#endif // LCI_RUNTIME_EVENTLOG_H

//===- EventLog.h - The log of scheduled strategies -------------*- C++ -*-===//
//
// A set of events: a rule scheduled a strategy for an epoch, and a replica executed it. It only
// grows. Events are stored by kind, as ranges of epochs, and not cell by cell: the cells of an
// event follow from its strategy.
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
  /// The fields that events of one kind share.
  struct Event {
    std::string rule, strategy;
    uint64_t replica = 0;

    bool operator<(const Event &other) const {
      return std::tie(rule, strategy, replica) <
             std::tie(other.rule, other.strategy, other.replica);
    }
    bool operator==(const Event &other) const { return !(*this < other) && !(other < *this); }
  };
  /// Disjoint ranges of epochs that are not adjacent: the first of each, and its last.
  using Epochs = std::map<int64_t, int64_t>;

  /// Adds the epochs first … last; none if last is before first.
  void add(const Event &event, int64_t first, int64_t last);
  bool contains(const Event &event, int64_t epoch) const;
  const std::map<Event, Epochs> &events() const { return log; }

  /// All events of both: associative, commutative, idempotent.
  void join(const EventLog &other);

  /// Prints a line for each range, and parses them.
  std::string text() const;
  static Result<EventLog> parse(const std::string &text);

  bool operator==(const EventLog &other) const { return log == other.log; }

private:
  std::map<Event, Epochs> log;
};

} // namespace lci

#endif // LCI_RUNTIME_EVENTLOG_H

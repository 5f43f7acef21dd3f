//===- EventLog.cpp - The log of scheduled strategies ---------------------===//
#include "LCI/Runtime/EventLog.h"
#include <algorithm>
#include <sstream>

using namespace lci;

void EventLog::add(const Event &event, int64_t first, int64_t last) {
  if (last < first)
    return;
  Epochs &epochs = log[event];
  // The first range that may meet or touch the new one; those that do become part of it.
  auto range = epochs.upper_bound(first);
  if (range != epochs.begin() && std::prev(range)->second >= first - 1)
    --range;
  while (range != epochs.end() && range->first - 1 <= last) {
    first = std::min(first, range->first);
    last = std::max(last, range->second);
    range = epochs.erase(range);
  }
  epochs[first] = last;
}

bool EventLog::contains(const Event &event, int64_t epoch) const {
  auto known = log.find(event);
  if (known == log.end())
    return false;
  auto after = known->second.upper_bound(epoch);
  return after != known->second.begin() && std::prev(after)->second >= epoch;
}

// S-EVENTS
void EventLog::join(const EventLog &other) {
  for (const auto &[event, epochs] : other.log)
    for (const auto &[first, last] : epochs)
      add(event, first, last);
}

std::string EventLog::text() const {
  std::ostringstream lines;
  for (const auto &[event, epochs] : log)
    for (const auto &[first, last] : epochs)
      lines << event.rule << ' ' << event.strategy << ' ' << event.replica << ' ' << first << ' '
            << last << '\n';
  return lines.str();
}

Result<EventLog> EventLog::parse(const std::string &text) {
  EventLog log;
  std::istringstream lines(text);
  Event event;
  while (lines >> event.rule) {
    int64_t first = 0, last = 0;
    if (!(lines >> event.strategy >> event.replica >> first >> last) || first < 0 || last < first)
      return Failure{ErrorId::MalformedFile,
                     "expected a strategy, a replica and a range of epochs for the events of '" +
                         event.rule + "'"};
    log.add(event, first, last);
  }
  return log;
}

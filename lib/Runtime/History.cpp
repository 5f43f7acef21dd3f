//===- History.cpp - Switches, events and counters of a run ---------------===//
#include "LCI/Runtime/History.h"
#include "Text.h"
#include <algorithm>
#include <cstdlib>

using namespace lci;

// Prefixes or names of a checkpoint's arrays and texts.
static constexpr const char counterPrefix[] = "counter/"; // and the replica, and the counter
static constexpr const char logPrefix[] = "log/";
static constexpr const char switchesName[] = "switches";
static constexpr const char fixpointName[] = "fixpoint";

Counters History::total() const {
  Counters sums;
  for (const auto &[replica, counted] : counters)
    for (const auto &[name, count] : counted)
      sums[name] += count;
  return sums;
}

History History::after(uint64_t replica, const Schedules &schedules, int64_t first,
                       const LoopOutcome &reached) const {
  History history = *this;
  for (const auto &[set, schedule] : schedules) {
    EventLog::Event event = schedule;
    event.replica = replica;
    history.logs[set].add(event, first, reached.epochs - 1);
  }
  Counters before = this->total();
  for (const auto &[name, count] : reached.counters)
    history.counters[replica][name] += count - before[name];
  history.fixpoint.reset();
  if (reached.fixpoint)
    history.fixpoint = switches.states();
  return history;
}

// S-REPLICA
void History::join(const History &other) {
  if (!fixpoint || !other.fixpoint || !haveSame(*fixpoint, *other.fixpoint))
    fixpoint.reset();
  switches.join(other.switches);
  for (const auto &[set, log] : other.logs)
    logs[set].join(log);
  for (const auto &[replica, counted] : other.counters)
    for (const auto &[name, count] : counted) {
      auto [known, isNew] = counters[replica].insert({name, count});
      known->second = std::max(known->second, count); // counters only grow
    }
}

void History::store(Checkpoint &checkpoint) const {
  checkpoint.texts[switchesName] = switches.text();
  checkpoint.texts.erase(fixpointName);
  if (isAtFixpoint())
    checkpoint.texts[fixpointName] = "reached";
  for (const auto &[set, log] : logs)
    checkpoint.texts[logPrefix + set] = log.text();
  for (const auto &[replica, counted] : counters)
    for (const auto &[name, count] : counted)
      if (count != 0) // not every back end lists its zero counters
        checkpoint.arrays.insert_or_assign(counterPrefix + std::to_string(replica) + "/" + name,
                                           Array::scalar(count));
}

Result<History> History::load(const Checkpoint &checkpoint) {
  History history;
  if (auto text = checkpoint.texts.find(switchesName); text != checkpoint.texts.end()) {
    Result<Switches> switches = Switches::parse(text->second);
    if (!switches)
      return switches.failure();
    history.switches = std::move(*switches);
  }
  if (checkpoint.texts.count(fixpointName))
    history.fixpoint = history.switches.states();
  for (const auto &[name, text] : checkpoint.texts) {
    if (!startsWith(name, logPrefix))
      continue;
    Result<EventLog> log = EventLog::parse(text);
    if (!log)
      return log.failure();
    history.logs[name.substr(std::strlen(logPrefix))] = std::move(*log);
  }
  for (const auto &[name, array] : checkpoint.arrays) {
    if (!startsWith(name, counterPrefix) || array.size() != 1)
      continue;
    char *end = nullptr;
    uint64_t replica = std::strtoull(name.c_str() + std::strlen(counterPrefix), &end, 10);
    if (*end != '/')
      return Failure{ErrorId::MalformedFile, "expected a replica in '" + name + "'"};
    history.counters[replica][end + 1] = array.intAt(0);
  }
  return history;
}

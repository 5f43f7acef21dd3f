//===- RunState.cpp - A run between two epochs, kept and restored ---------===//
#include "LCI/Runtime/RunState.h"
#include "Text.h"

using namespace lci;

// What the names of a checkpoint's arrays and texts begin with.
static constexpr const char valuePrefix[] = "value/";
static constexpr const char stampPrefix[] = "stamp/";
static constexpr const char counterPrefix[] = "counter/";
static constexpr const char enablePrefix[] = "enable/";

Result<Checkpoint> lci::takeCheckpoint(Backend &backend, const std::vector<std::string> &values,
                                       const RunIdentity &identity, int64_t epoch,
                                       const Counters &counters) {
  Checkpoint checkpoint;
  checkpoint.epoch = static_cast<uint64_t>(epoch);
  checkpoint.seed = identity.seed;
  checkpoint.program = identity.program;
  for (const std::string &name : values) {
    Result<Array> value = backend.value(name);
    if (!value)
      return value.failure();
    checkpoint.arrays.emplace(valuePrefix + name, std::move(*value));
    if (std::optional<Array> stamps = backend.stamps(name))
      checkpoint.arrays.emplace(stampPrefix + name, std::move(*stamps));
  }
  for (const auto &[name, count] : counters)
    checkpoint.arrays.emplace(counterPrefix + name, Array::scalar(count));
  for (const auto &[name, on] : identity.enables)
    checkpoint.texts.emplace(enablePrefix + name, on ? "on" : "off");
  return checkpoint;
}

Result<Counters> lci::restoreCheckpoint(Backend &backend, const std::vector<std::string> &values,
                                        const Checkpoint &checkpoint, const Digest &program) {
  if (checkpoint.program != program)
    return Failure{"the checkpoint belongs to another program or other bindings (digest " +
                   hexText(checkpoint.program).substr(0, 12) + "…, expected " +
                   hexText(program).substr(0, 12) + "…)"};
  for (const std::string &name : values) {
    auto value = checkpoint.arrays.find(valuePrefix + name);
    if (value == checkpoint.arrays.end())
      return Failure{"the checkpoint has no value '" + name + "'"};
    if (Status status = backend.setValue(name, value->second); !status)
      return status.failure();
    if (auto stamps = checkpoint.arrays.find(stampPrefix + name); stamps != checkpoint.arrays.end())
      backend.setStamps(name, stamps->second);
  }
  Counters counters;
  for (const auto &[key, array] : checkpoint.arrays)
    if (startsWith(key, counterPrefix) && array.size() == 1)
      counters[key.substr(std::strlen(counterPrefix))] = array.intAt(0);
  return counters;
}

Result<Checkpoint> lci::readToResume(const std::string &path, const std::optional<uint64_t> &seed) {
  Result<Checkpoint> read = readCheckpoint(path);
  if (read && seed && *seed != read->seed)
    return Failure{"'" + path + "': expected the seed " + std::to_string(read->seed) +
                   " that the run began with, but got --seed " + std::to_string(*seed)};
  return read;
}

std::map<std::string, bool> lci::enablesOf(const Checkpoint &checkpoint) {
  std::map<std::string, bool> enables;
  for (const auto &[key, text] : checkpoint.texts)
    if (startsWith(key, enablePrefix))
      enables[key.substr(std::strlen(enablePrefix))] = text == "on";
  return enables;
}

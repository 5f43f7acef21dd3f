//===- RunState.cpp - A run between two epochs, kept and restored ---------===//
#include "LCI/Runtime/RunState.h"
#include "Text.h"

using namespace lci;

// What the names of a checkpoint's arrays begin with.
static constexpr const char valuePrefix[] = "value/";
static constexpr const char stampPrefix[] = "stamp/";
static constexpr const char levelPrefix[] = "level/";
static constexpr const char scorePrefix[] = "score/";
static constexpr const char replicaPrefix[] = "replica/";

//===----------------------------------------------------------------------===//
// What a checkpoint holds of a value
//===----------------------------------------------------------------------===//

std::vector<std::string> lci::valuesIn(const Checkpoint &checkpoint) {
  std::vector<std::string> names;
  for (const auto &[name, array] : checkpoint.arrays)
    if (startsWith(name, valuePrefix))
      names.push_back(name.substr(std::strlen(valuePrefix)));
  return names;
}

Array *lci::findValue(Checkpoint &checkpoint, const std::string &name) {
  auto found = checkpoint.arrays.find(valuePrefix + name);
  return found == checkpoint.arrays.end() ? nullptr : &found->second;
}

const Array *lci::findValue(const Checkpoint &checkpoint, const std::string &name) {
  return findValue(const_cast<Checkpoint &>(checkpoint), name);
}

void lci::storeRecords(Checkpoint &checkpoint, const std::string &name, Records records) {
  checkpoint.arrays.insert_or_assign(stampPrefix + name, std::move(records.stamps));
  checkpoint.arrays.insert_or_assign(levelPrefix + name, std::move(records.levels));
  checkpoint.arrays.insert_or_assign(scorePrefix + name, std::move(records.scores));
  checkpoint.arrays.insert_or_assign(replicaPrefix + name, std::move(records.replicas));
}

std::optional<Records> lci::recordsOf(const Checkpoint &checkpoint, const std::string &name) {
  Records records;
  bool isWhole = true;
  auto load = [&](const char *prefix, Array &to) {
    auto found = checkpoint.arrays.find(prefix + name);
    isWhole &= found != checkpoint.arrays.end();
    if (isWhole)
      to = found->second;
  };
  load(stampPrefix, records.stamps);
  load(levelPrefix, records.levels);
  load(scorePrefix, records.scores);
  load(replicaPrefix, records.replicas);
  isWhole = isWhole && records.levels.rank() > 0 &&
            areRecordsOf(records, records.stamps.shape(), records.levels.shape().back());
  return isWhole ? std::optional<Records>(std::move(records)) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Back ends
//===----------------------------------------------------------------------===//

Result<Checkpoint> lci::takeCheckpoint(Backend &backend, const std::vector<std::string> &values,
                                       const RunIdentity &identity, int64_t epoch,
                                       const History &history) {
  Checkpoint checkpoint;
  checkpoint.epoch = static_cast<uint64_t>(epoch);
  checkpoint.seed = identity.seed;
  checkpoint.program = identity.program;
  for (const std::string &name : values) {
    Result<Array> value = backend.value(name);
    if (!value)
      return value.failure();
    checkpoint.arrays.emplace(valuePrefix + name, std::move(*value));
    if (std::optional<Records> records = backend.records(name))
      storeRecords(checkpoint, name, std::move(*records));
  }
  history.store(checkpoint);
  return checkpoint;
}

Status lci::restoreCheckpoint(Backend &backend, const std::vector<std::string> &values,
                              const Checkpoint &checkpoint, const Digest &program) {
  if (checkpoint.program != program)
    return Failure{ErrorId::OtherProgram,
                   "the checkpoint belongs to another program or other bindings (digest " +
                       hexText(checkpoint.program).substr(0, 12) + "…, expected " +
                       hexText(program).substr(0, 12) + "…)"};
  for (const std::string &name : values) {
    const Array *value = findValue(checkpoint, name);
    if (!value)
      return Failure{ErrorId::OtherProgram, "the checkpoint has no value '" + name + "'"};
    if (Status status = backend.setValue(name, *value); !status)
      return status.failure();
    if (std::optional<Records> records = recordsOf(checkpoint, name))
      if (Status status = backend.setRecords(name, *records); !status)
        return status.failure();
  }
  return Done{};
}

Result<Checkpoint> lci::readToResume(const std::string &path, const std::optional<uint64_t> &seed) {
  Result<Checkpoint> read = readCheckpoint(path);
  if (read && seed && *seed != read->seed)
    return Failure{ErrorId::OtherProgram,
                   "'" + path + "': expected the seed " + std::to_string(read->seed) +
                       " that the run began with, but got --seed " + std::to_string(*seed)};
  return read;
}

//===- RunState.cpp - A run between two epochs, kept and restored ---------===//
#include "LCI/Driver/RunState.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::lci;
using ::lci::Array;
using ::lci::Checkpoint;
using ::lci::Failure;
using ::lci::Result;

// What the names of a checkpoint's arrays and texts begin with.
static constexpr StringRef valuePrefix = "value/";
static constexpr StringRef stampPrefix = "stamp/";
static constexpr StringRef counterPrefix = "counter/";
static constexpr StringRef enablePrefix = "enable/";

static std::string keyOf(StringRef prefix, StringRef name) { return (prefix + name).str(); }

Result<Checkpoint> mlir::lci::takeCheckpoint(Backend &backend, ArrayRef<ValueInfo> values,
                                             const RunIdentity &identity, int64_t epoch,
                                             const Counters &counters) {
  Checkpoint checkpoint;
  checkpoint.epoch = static_cast<uint64_t>(epoch);
  checkpoint.seed = identity.seed;
  checkpoint.program = identity.program;
  for (const ValueInfo &info : values) {
    Result<Array> value = backend.value(info.name);
    if (!value)
      return value.failure();
    checkpoint.arrays.emplace(keyOf(valuePrefix, info.name), std::move(*value));
    if (std::optional<Array> stamps = backend.stamps(info.name))
      checkpoint.arrays.emplace(keyOf(stampPrefix, info.name), std::move(*stamps));
  }
  for (const auto &[name, count] : counters)
    checkpoint.arrays.emplace(keyOf(counterPrefix, name), Array::scalar(count));
  for (const auto &[name, on] : identity.enables)
    checkpoint.texts.emplace(keyOf(enablePrefix, name), on ? "on" : "off");
  return checkpoint;
}

Result<Counters> mlir::lci::restoreCheckpoint(Backend &backend, ArrayRef<ValueInfo> values,
                                              const Checkpoint &checkpoint,
                                              const ::lci::Digest &program) {
  if (checkpoint.program != program)
    return Failure{"the checkpoint belongs to another program or other bindings (digest " +
                   ::lci::hexText(checkpoint.program).substr(0, 12) + "…, expected " +
                   ::lci::hexText(program).substr(0, 12) + "…)"};
  for (const ValueInfo &info : values) {
    auto value = checkpoint.arrays.find(keyOf(valuePrefix, info.name));
    if (value == checkpoint.arrays.end())
      return Failure{"the checkpoint has no value '" + info.name + "'"};
    if (::lci::Status status = backend.setValue(info.name, value->second); !status)
      return status.failure();
    if (auto stamps = checkpoint.arrays.find(keyOf(stampPrefix, info.name));
        stamps != checkpoint.arrays.end())
      backend.setStamps(info.name, stamps->second);
  }
  Counters counters;
  for (const auto &[key, array] : checkpoint.arrays)
    if (StringRef name = key; name.consume_front(counterPrefix) && array.size() == 1)
      counters[name.str()] = array.intAt(0);
  return counters;
}

std::map<std::string, bool> mlir::lci::enablesOf(const Checkpoint &checkpoint) {
  std::map<std::string, bool> enables;
  for (const auto &[key, text] : checkpoint.texts)
    if (StringRef name = key; name.consume_front(enablePrefix))
      enables[name.str()] = text == "on";
  return enables;
}

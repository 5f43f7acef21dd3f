//===- RunState.cpp - Save and restore a run between two epochs -----------===//
//
// Moves values and commit records between a back end and a checkpoint, and checks that a checkpoint
// belongs to the run that resumes it: the same program, the same arguments, the same inputs where
// they are given again. Large arrays are compared by fingerprint.
//
//===----------------------------------------------------------------------===//
#include "LCI/Runtime/RunState.h"
#include "LCI/Runtime/File.h"
#include "Text.h"

using namespace lci;

// The prefix of names of a checkpoint's arrays.
static constexpr const char valuePrefix[] = "value/";
static constexpr const char stampPrefix[] = "stamp/";
static constexpr const char levelPrefix[] = "level/";
static constexpr const char scorePrefix[] = "score/";
static constexpr const char replicaPrefix[] = "replica/";
static constexpr const char givenPrefix[] = "given/";
static constexpr const char describedPrefix[] = "described/";

//===----------------------------------------------------------------------===//
// Values of a checkpoint
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
// Arguments and inputs of a run
//===----------------------------------------------------------------------===//

static std::string summaryOf(const Array &array) {
  return std::string(nameOf(array.dtype())) + shapeText(array.shape()) +
         std::to_string(fingerprintOf(array.bytes().data(), array.bytes().size()));
}

static constexpr const char inputKind[] = "input";

static std::string keyOf(const char *kind, const std::string &name) {
  return std::string(kind) + " '" + name + "'";
}

std::string lci::inputNamed(const std::string &value) { return keyOf(inputKind, value); }

Given lci::givenBy(const RunArguments &arguments, const std::map<std::string, Array> &inputs) {
  Given given;
  auto add = [&](const char *kind, const std::map<std::string, Array> &arrays) {
    for (const auto &[name, array] : arrays)
      given[keyOf(kind, name)] = summaryOf(array);
  };
  add("parameter", arguments.params);
  add("palette", arguments.palettes);
  add("region", arguments.regions);
  add("weight", arguments.weights);
  add(inputKind, inputs);
  return given;
}

static Given textsBehind(const Checkpoint &checkpoint, const char *prefix) {
  Given texts;
  for (const auto &[name, text] : checkpoint.texts)
    if (startsWith(name, prefix))
      texts[name.substr(std::strlen(prefix))] = text;
  return texts;
}

Given lci::givenIn(const Checkpoint &checkpoint) { return textsBehind(checkpoint, givenPrefix); }

/// Parameters that are given their default values count as not given.
static void dropDefaults(Given &given, const Given &defaults) {
  for (const auto &[key, text] : defaults)
    if (auto found = given.find(key); found != given.end() && found->second == text)
      given.erase(found);
}

/// The error of a run that was given something else; null where it was or is given nothing.
static Failure otherGiven(const std::string &key, const std::string *began,
                          const std::string *now) {
  std::string what = "expected ", but = ", but got ";
  if (startsWith(key, "--") && began && now)
    what += key + "=" + *began + ", with which the run began" + but + key + "=" + *now;
  else if (!began)
    what += "no " + key + ", because the run began without it" + but + "one";
  else if (now && (*began == kOnDevice || *now == kOnDevice))
    what += "no " + key + ", because one on a device cannot be compared" + but + "one";
  else
    what += "the " + key + " that the run began with" + but + (now ? "another one" : "none");
  return {ErrorId::OtherProgram, what};
}

Status lci::checkSame(const Given &began, const Given &now) {
  for (const auto &[key, text] : now) {
    auto before = began.find(key);
    bool isSame = before != began.end() && before->second == text && text != kOnDevice;
    if (!isSame)
      return otherGiven(key, before == began.end() ? nullptr : &before->second, &text);
  }
  for (const auto &[key, text] : began)
    if (!now.count(key) && !startsWith(key, inputKind))
      return otherGiven(key, &text, nullptr);
  return Done();
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
  Given given = identity.given;
  dropDefaults(given, identity.defaults);
  for (const auto &[key, text] : given)
    checkpoint.texts[givenPrefix + key] = text;
  for (const auto &[key, text] : identity.described)
    checkpoint.texts[describedPrefix + key] = text;
  for (const std::string &name : values) {
    Result<Array> value = backend.value(name);
    if (!value)
      return value.failure();
    checkpoint.arrays.emplace(valuePrefix + name, std::move(*value));
    if (std::optional<Records> records = backend.records(name); records && identity.keepsRecords)
      storeRecords(checkpoint, name, std::move(*records));
  }
  history.store(checkpoint);
  return checkpoint;
}

/// Converts a value of a checkpoint into canonical form.
static Status admitValue(Checkpoint &checkpoint, const std::string &name,
                         const CanonicalForm &form) {
  Array *value = findValue(checkpoint, name);
  if (!value)
    return Failure{ErrorId::OtherProgram, "the checkpoint has no value '" + name + "'"};
  Result<Array> canonical = toCanonical(*value, form, name);
  if (!canonical)
    return canonical.failure();
  *value = std::move(*canonical);
  if (std::optional<Records> records = recordsOf(checkpoint, name)) {
    Result<Array> scores = toFloats(records->scores, "the scores of '" + name + "'");
    if (!scores)
      return scores.failure();
    records->scores = std::move(*scores);
    storeRecords(checkpoint, name, std::move(*records));
  }
  return Done();
}

/// The error of a checkpoint of another program: names the difference of their descriptions, if it
/// is not the text.
static Failure otherProgram(const Checkpoint &checkpoint, const RunIdentity &identity) {
  Given began = textsBehind(checkpoint, describedPrefix);
  Given::const_iterator text = began.find(kProgramText),
                        ours = identity.described.find(kProgramText);
  bool knowsBoth = text != began.end() && ours != identity.described.end();
  bool isSameText = knowsBoth && text->second == ours->second;
  for (const auto &[key, now] : identity.described)
    if (auto before = began.find(key); isSameText && before != began.end() && before->second != now)
      return {ErrorId::OtherProgram, "expected " + key + " = " + before->second +
                                         ", with which the run began, but got " + now};
  return {ErrorId::OtherProgram, std::string("the checkpoint belongs to another program") +
                                     (!knowsBoth   ? ", other sizes or other models"
                                      : isSameText ? ""
                                                   : ": its text differs, comments included") +
                                     " (digest " + hexText(checkpoint.program).substr(0, 12) +
                                     "…, expected " + hexText(identity.program).substr(0, 12) +
                                     "…)"};
}

Status lci::admitCheckpoint(Checkpoint &checkpoint, const ValueForms &values,
                            RunIdentity &identity) {
  if (checkpoint.program != identity.program)
    return otherProgram(checkpoint, identity);
  Given began = givenIn(checkpoint);
  dropDefaults(began, identity.defaults);
  dropDefaults(identity.given, identity.defaults);
  if (Status same = checkSame(began, identity.given); !same)
    return same;
  identity.given = std::move(began);
  identity.seed = checkpoint.seed;
  for (const auto &[name, form] : values)
    if (Status admitted = admitValue(checkpoint, name, form); !admitted)
      return admitted;
  return Done();
}

Status lci::restoreCheckpoint(Backend &backend, const std::vector<std::string> &values,
                              const Checkpoint &checkpoint) {
  for (const std::string &name : values) {
    const Array *value = findValue(checkpoint, name);
    assert(value && "an admitted checkpoint has all values");
    if (Status status = backend.setValue(name, *value); !status)
      return status.failure();
    if (std::optional<Records> records = recordsOf(checkpoint, name))
      if (Status status = backend.setRecords(name, *records); !status)
        return status.failure();
  }
  return Done{};
}

std::string lci::ownCheckpoint(const std::string &program, const std::string &resumed) {
  static constexpr char kExtension[] = "checkpoint";
  std::string usual = program + "." + kExtension;
  bool isOwn = !resumed.empty() && placeOf(usual) == placeOf(resumed);
  return isOwn ? usual : unusedPath(program, kExtension);
}

Result<Checkpoint> lci::readToResume(const std::string &path, const std::optional<uint64_t> &seed) {
  Result<Checkpoint> read = readCheckpoint(path);
  if (read && seed && *seed != read->seed)
    return Failure{ErrorId::OtherProgram,
                   "'" + path + "': expected the seed " + std::to_string(read->seed) +
                       " that the run began with, but got " + std::to_string(*seed)};
  return read;
}

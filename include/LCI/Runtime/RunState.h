//===- RunState.h - Save and restore a run between two epochs ---*- C++ -*-===//
//
// Takes the committed state out of a back end into a checkpoint and restores it, so that a resumed
// run equals one that never stopped, bit for bit.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_RUNTIME_RUNSTATE_H
#define LCI_RUNTIME_RUNSTATE_H

#include "LCI/Runtime/History.h"
#include "LCI/Runtime/Tokens.h"

namespace lci {

/// The arguments of a run besides its program, by name (`parameter 'w'`, `--tf32`): arrays by a
/// summary of their contents.
using Given = std::map<std::string, std::string>;

/// The parameters, palettes, regions, weights and inputs of a run.
Given givenBy(const RunArguments &arguments, const std::map<std::string, Array> &inputs);
/// The name of an input there, and the summary of one whose contents are on a device.
std::string inputNamed(const std::string &value);
inline constexpr const char kOnDevice[] = "on the device";

/// The flag that selects the counters of a run, and its value for counters of changes.
inline constexpr const char kCountersFlag[] = "--counters";
inline constexpr const char kCountsChanges[] = "changed";

/// The identity of a run.
struct RunIdentity {
  Digest program{};
  uint64_t seed = 0;
  Given given;
  /// For each parameter that the program itself defines, the summary of that value.
  Given defaults;
  /// The parts that the digest covers, by name (`the size 'W'`): to name those that differ.
  Given described;
  /// Whether commit records were requested: the interpreter always has them, but only of epochs
  /// that it ran.
  bool keepsRecords = true;
};

/// The name of the program's text there.
inline constexpr const char kProgramText[] = "the text";

/// The values of a checkpoint, and one of them, or null.
std::vector<std::string> valuesIn(const Checkpoint &checkpoint);
Array *findValue(Checkpoint &checkpoint, const std::string &name);
const Array *findValue(const Checkpoint &checkpoint, const std::string &name);
/// The commit records of a value, if they were kept.
std::optional<Records> recordsOf(const Checkpoint &checkpoint, const std::string &name);
void storeRecords(Checkpoint &checkpoint, const std::string &name, Records records);

/// The state after `epoch` epochs; `values` are names.
Result<Checkpoint> takeCheckpoint(Backend &backend, const std::vector<std::string> &values,
                                  const RunIdentity &identity, int64_t epoch,
                                  const History &history);

/// The arguments of the run of a checkpoint, and whether two runs had the same.
Given givenIn(const Checkpoint &checkpoint);
Status checkSame(const Given &began, const Given &now);

/// The canonical form of each value's array.
using ValueForms = std::map<std::string, CanonicalForm>;

/// Whether a run can continue from a checkpoint: it has the same program and arguments (of inputs
/// only those given again are compared: the cells have replaced them), and all values exist, which
/// are converted to canonical form. Then the arguments of the first run are taken over.
Status admitCheckpoint(Checkpoint &checkpoint, const ValueForms &values, RunIdentity &identity);

/// Puts a checkpoint's values into a back end.
Status restoreCheckpoint(Backend &backend, const std::vector<std::string> &values,
                         const Checkpoint &checkpoint);

/// The default file of a run's state: the file that it resumes from, if that is named after its
/// program, or one that does not exist yet.
std::string ownCheckpoint(const std::string &program, const std::string &resumed);

/// Reads the checkpoint that a run resumes from; a requested seed must be equal.
Result<Checkpoint> readToResume(const std::string &path, const std::optional<uint64_t> &seed);

} // namespace lci

#endif // LCI_RUNTIME_RUNSTATE_H

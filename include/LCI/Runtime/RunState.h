//===- RunState.h - A run between two epochs, kept and restored -*- C++ -*-===//
//
// Takes the committed state out of a back end into a checkpoint and puts it
// back, so that a resumed run equals one that never stopped, bit for bit.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_RUNTIME_RUNSTATE_H
#define LCI_RUNTIME_RUNSTATE_H

#include "LCI/Runtime/History.h"
#include "LCI/Runtime/Tokens.h"

namespace lci {

/// What a run is given besides its program, by what it is called (`parameter 'w'`, `--tf32`): of
/// arrays their contents in short.
using Given = std::map<std::string, std::string>;

/// Its parameters, palettes, regions and weights, and the inputs of its values.
Given givenBy(const RunArguments &arguments, const std::map<std::string, Array> &inputs);
/// What an input is called there, and what stands for one whose contents are on a device.
std::string inputNamed(const std::string &value);
inline constexpr const char kOnDevice[] = "on the device";

/// The flag that says what a run counts, and what it says of one that counts changes.
inline constexpr const char kCountersFlag[] = "--counters";
inline constexpr const char kCountsChanges[] = "changed";

/// Whose run it is.
struct RunIdentity {
  Digest program{};
  uint64_t seed = 0;
  Given given;
  /// Of the parameters that the program says itself, what says that it is given that.
  Given defaults;
  /// What the digest is of, by what it is called (`the size 'W'`): to name what differs.
  Given described;
  /// Whether it was asked how cells were committed: the interpreter always knows, but of the epochs
  /// that it ran itself.
  bool keepsRecords = true;
};

/// What the text of a program is called there.
inline constexpr const char kProgramText[] = "the text";

/// The values a checkpoint holds, and one of them, or null.
std::vector<std::string> valuesIn(const Checkpoint &checkpoint);
Array *findValue(Checkpoint &checkpoint, const std::string &name);
const Array *findValue(const Checkpoint &checkpoint, const std::string &name);
/// How its cells came about, where that was recorded.
std::optional<Records> recordsOf(const Checkpoint &checkpoint, const std::string &name);
void storeRecords(Checkpoint &checkpoint, const std::string &name, Records records);

/// The state after `epoch` epochs; `values` are names.
Result<Checkpoint> takeCheckpoint(Backend &backend, const std::vector<std::string> &values,
                                  const RunIdentity &identity, int64_t epoch,
                                  const History &history);

/// What was given to the run that a checkpoint is of, and whether two were given the same.
Given givenIn(const Checkpoint &checkpoint);
Status checkSame(const Given &began, const Given &now);

/// What the array of each value must be.
using ValueForms = std::map<std::string, CanonicalForm>;

/// Whether a run can go on from a checkpoint: it has the program, was given the same (of inputs
/// those that are given again: the cells have replaced them), and all values are there, which
/// become canonical. Then the run was given what the first one was.
Status admitCheckpoint(Checkpoint &checkpoint, const ValueForms &values, RunIdentity &identity);

/// Puts a checkpoint's values into a back end.
Status restoreCheckpoint(Backend &backend, const std::vector<std::string> &values,
                         const Checkpoint &checkpoint);

/// Where a run that says nothing of it leaves its state: the file it goes on from, if that is
/// called after its program, or one that is not there yet.
std::string ownCheckpoint(const std::string &program, const std::string &resumed);

/// Reads the checkpoint that a run is to go on from; a seed that is asked for must be its.
Result<Checkpoint> readToResume(const std::string &path, const std::optional<uint64_t> &seed);

} // namespace lci

#endif // LCI_RUNTIME_RUNSTATE_H

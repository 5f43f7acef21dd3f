//===- RunState.h - A run between two epochs, kept and restored -*- C++ -*-===//
//
// Takes the committed state out of a back end into a checkpoint and puts it
// back, so that a resumed run equals one that never stopped, bit for bit.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_RUNTIME_RUNSTATE_H
#define LCI_RUNTIME_RUNSTATE_H

#include "LCI/Runtime/History.h"

namespace lci {

/// Whose run it is.
struct RunIdentity {
  Digest program{};
  uint64_t seed = 0;
};

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

/// Puts a checkpoint's values into a back end; fails if it is one of another
/// program or of other bindings.
Status restoreCheckpoint(Backend &backend, const std::vector<std::string> &values,
                         const Checkpoint &checkpoint, const Digest &program);

/// Reads the checkpoint that a run is to go on from; a seed that is asked for must be its.
Result<Checkpoint> readToResume(const std::string &path, const std::optional<uint64_t> &seed);

} // namespace lci

#endif // LCI_RUNTIME_RUNSTATE_H

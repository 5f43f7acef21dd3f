//===- RunState.h - A run between two epochs, kept and restored -*- C++ -*-===//
//
// Takes the committed state out of a back end into a checkpoint and puts it
// back, so that a resumed run equals one that never stopped, bit for bit.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_RUNTIME_RUNSTATE_H
#define LCI_RUNTIME_RUNSTATE_H

#include "LCI/Runtime/Backend.h"
#include "LCI/Runtime/Checkpoint.h"

namespace lci {

/// What belongs to a run beside the state of its back end.
struct RunIdentity {
  Digest program{};
  uint64_t seed = 0;
  /// Rules and constraints that are switched off.
  std::map<std::string, bool> enables;
};

/// The state after `epoch` epochs; `values` are names.
Result<Checkpoint> takeCheckpoint(Backend &backend, const std::vector<std::string> &values,
                                  const RunIdentity &identity, int64_t epoch,
                                  const Counters &counters);

/// Puts a checkpoint's values into a back end and returns its counters; fails
/// if it is one of another program or of other bindings.
Result<Counters> restoreCheckpoint(Backend &backend, const std::vector<std::string> &values,
                                   const Checkpoint &checkpoint, const Digest &program);

/// Reads the checkpoint that a run is to go on from; a seed that is asked for must be its.
Result<Checkpoint> readToResume(const std::string &path, const std::optional<uint64_t> &seed);

/// The switches a checkpoint was taken with.
std::map<std::string, bool> enablesOf(const Checkpoint &checkpoint);

} // namespace lci

#endif // LCI_RUNTIME_RUNSTATE_H

//===- RunState.h - A run between two epochs, kept and restored -*- C++ -*-===//
//
// Takes the committed state out of a back end into a checkpoint and puts it
// back, so that a resumed run equals one that never stopped, bit for bit.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_DRIVER_RUNSTATE_H
#define LCI_DRIVER_RUNSTATE_H

#include "LCI/Driver/ValueInfo.h"
#include "LCI/Execution/Backend.h"
#include "LCI/Runtime/Checkpoint.h"

namespace mlir::lci {

/// What belongs to a run beside the state of its back end.
struct RunIdentity {
  ::lci::Digest program{};
  uint64_t seed = 0;
  /// Rules and constraints that are switched off.
  std::map<std::string, bool> enables;
};

/// The state after `epoch` epochs.
::lci::Result<::lci::Checkpoint> takeCheckpoint(Backend &backend, ArrayRef<ValueInfo> values,
                                                const RunIdentity &identity, int64_t epoch,
                                                const Counters &counters);

/// Puts a checkpoint's values into a back end and returns its counters; fails
/// if it is one of another program or of other bindings.
::lci::Result<Counters> restoreCheckpoint(Backend &backend, ArrayRef<ValueInfo> values,
                                          const ::lci::Checkpoint &checkpoint,
                                          const ::lci::Digest &program);

/// The switches a checkpoint was taken with.
std::map<std::string, bool> enablesOf(const ::lci::Checkpoint &checkpoint);

} // namespace mlir::lci

#endif // LCI_DRIVER_RUNSTATE_H

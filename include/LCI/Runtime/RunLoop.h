//===- RunLoop.h - The loop over epochs -------------------------*- C++ -*-===//
//
// Runs a back end from one epoch to another: in stretches that end where a hook is due (an
// observer, a checkpoint), that are short enough for a progress bar and for Ctrl-C, and that never
// change a bit of the result.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_RUNTIME_RUNLOOP_H
#define LCI_RUNTIME_RUNLOOP_H

#include "LCI/Runtime/Backend.h"
#include <functional>
#include <set>

namespace lci {

/// The options of a loop.
struct LoopOptions {
  int64_t firstEpoch = 0;
  int64_t epochs = 1;
  /// The program neither draws nor depends on the epoch: an epoch without changes is the last one
  /// that could have any.
  bool stopsAtFixpoint = false;
  /// The epoch before the first one changed nothing: such a run is at its end (S-FIXPOINT).
  bool isAtFixpoint = false;
  /// The period in epochs of the hooks; 0: never.
  int64_t observeEvery = 0;
  int64_t checkpointEvery = 0;
  /// The time between two checks of an interrupt; one epoch may take longer.
  double stretchSeconds = 0.5;
  /// Whether the back end's flag may be raised, to stop a long epoch between two ticks.
  bool stopsTicks = false;
  /// Epochs before which the loop stops to let `look` see the state.
  std::set<int64_t> looks;
  /// Counters of the run so far, for one that is resumed.
  Counters counters;
  /// The progress bar and the check of an interrupt; tests replace them.
  std::function<void(int64_t done)> progress = [](int64_t) {};
  std::function<bool()> interrupted = [] { return false; };
};

/// Called between epochs, with the number of epochs that are done.
using EpochHook = std::function<Status(int64_t done, const Counters &counters)>;

/// Epochs that ran without a stop in between.
struct Stretch {
  int64_t epochs = 0;
  double seconds = 0;
};

/// How a loop ended.
struct LoopOutcome {
  int64_t epochs = 0;
  bool fixpoint = false;
  bool interrupted = false;
  Counters counters;
  double seconds = 0;
  /// The longest stretch, whose speed excludes the warm-up of the loop.
  Stretch longest;
  /// By counter, the first epoch of this loop with rejected proposals, where it is known.
  std::map<std::string, int64_t> rejectedIn;
};

/// The sum of all counters `<value>.changed`.
int64_t changesIn(const Counters &counters);

/// Callbacks between epochs.
struct LoopHooks {
  /// At the start, at every multiple of `observeEvery`, and at the end.
  EpochHook observe;
  /// At every multiple of `checkpointEvery`, with what the loop has come to.
  std::function<Status(const LoopOutcome &reached)> checkpoint;
  /// Before each of `looks` that the run reaches; after a fixpoint nothing changes any more, so all
  /// remaining ones are due then.
  EpochHook look;
  /// For each epoch that was the first in which proposals of some value were rejected, once it is
  /// known: the back end is then in the state before it.
  std::function<Status(int64_t epoch)> rejected = [](int64_t) { return Status(Done{}); };
};

/// Runs the loop.
Result<LoopOutcome> runLoop(Backend &backend, const LoopOptions &options, const LoopHooks &hooks);

/// The message of a run that stopped before its end and left its state in a file.
std::string stoppedText(int64_t done, int64_t epochs, const std::string &checkpoint);
/// The message of a run that is to continue from a state at or after its end.
std::string nothingLeftText(const std::string &state, int64_t epoch, int64_t epochs);

/// Runs it with a progress bar, until Ctrl-C or until its time is over.
Result<LoopOutcome> runLoopOnTerminal(Backend &backend, LoopOptions options,
                                      const LoopHooks &hooks);

} // namespace lci

#endif // LCI_RUNTIME_RUNLOOP_H

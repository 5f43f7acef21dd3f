//===- RunLoop.cpp - The loop over epochs ---------------------------------===//
//
// Runs epochs in stretches and calls the hooks between them. The length of a stretch adapts to the
// speed of the epochs, so that Ctrl-C and the progress bar respond within a second and the overhead
// of a call stays small. A saved state lets the loop go back: to the first epoch without a change,
// to the first with a rejected proposal, or out of a stopped epoch.
//
//===----------------------------------------------------------------------===//
#include "LCI/Runtime/RunLoop.h"
#include "LCI/Runtime/Limits.h"
#include "LCI/Runtime/Progress.h"
#include "LCI/Runtime/StopFlag.h"
#include "Text.h"
#include <algorithm>
#include <chrono>

using namespace lci;

int64_t lci::changesIn(const Counters &counters) {
  int64_t changes = 0;
  for (const auto &[name, count] : counters)
    if (endsWith(name, ".changed"))
      changes += count;
  return changes;
}

namespace {
/// One loop in progress.
class Loop {
public:
  Loop(Backend &backend, const LoopOptions &options, const LoopHooks &hooks)
      : backend(backend), options(options), hooks(hooks), looks(options.looks) {
    outcome.epochs = options.firstEpoch;
    outcome.counters = options.counters;
    outcome.fixpoint = options.stopsAtFixpoint && options.isAtFixpoint;
    if (options.stopsAtFixpoint && !outcome.fixpoint)
      keepState();
  }

  Result<LoopOutcome> run() {
    if (Status status = callHooks(); !status)
      return status.failure();
    while (!ended()) {
      if (options.interrupted()) {
        outcome.interrupted = true;
        return outcome;
      }
      if (Status status = stretch(); !status)
        return status.failure();
      options.progress(outcome.epochs);
      if (Status status = callHooks(); !status)
        return status.failure();
    }
    return outcome;
  }

private:
  bool ended() const { return outcome.epochs >= options.epochs || outcome.fixpoint; }

  /// Runs up to the next stop, or at most to the first epoch in which nothing changes.
  Status stretch() {
    int64_t first = outcome.epochs, last = nextStop();
    Counters before = outcome.counters;
    bool canFindRejected = backend.mayReject() && keepState();
    auto start = std::chrono::steady_clock::now();
    wasStopped = false;
    if (Status status = runUpTo(last); !status || wasStopped)
      return status;
    // The epoch at which nothing changed is part of the result. If the last one of a stretch is not
    // the first such, that one lies before it: the stretch is repeated with half the length.
    while (outcome.fixpoint && last - first > 1) {
      backend.recall();
      outcome.counters = countersBefore;
      outcome.epochs = first;
      outcome.fixpoint = false;
      batch = (last - first) / 2;
      last = first + batch;
      if (Status status = runUpTo(last); !status)
        return status;
    }
    std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    outcome.seconds += taken.count();
    if (last - first > outcome.longest.epochs)
      outcome.longest = {last - first, taken.count()};
    setBatch(last - first, taken.count());
    return canFindRejected ? findRejected(first, before) : Status(Done());
  }

  /// The counters of rejections that have grown since `before`.
  std::set<std::string> findNewRejections(Counters before) const {
    std::set<std::string> names;
    for (const auto &[name, count] : outcome.counters)
      if (isRejectionCount(name) && count > before[name] && !outcome.rejectedIn.count(name))
        names.insert(name);
    return names;
  }

  static int64_t sumOf(const std::set<std::string> &names, Counters counters) {
    int64_t sum = 0;
    for (const std::string &name : names)
      sum += counters[name];
    return sum;
  }

  /// Finds the epochs, from `first` on, whose state is saved, in which proposals were rejected for
  /// the first time; then restores the state.
  Status findRejected(int64_t first, const Counters &before) {
    std::set<std::string> names = findNewRejections(before);
    if (names.empty())
      return Done();
    while (!names.empty()) {
      Result<Counters> counted = goToRejection(first, names);
      if (!counted)
        return counted.failure();
      for (const auto &[name, count] : *counted)
        if (count > 0 && names.erase(name))
          outcome.rejectedIn[name] = first;
      backend.recall();
      if (Status looked = hooks.rejected(first); !looked)
        return looked;
    }
    Result<Counters> again = backend.runEpochs(first, outcome.epochs);
    return again ? Status(Done()) : again.failure();
  }

  /// Moves `first` to the next epoch that counts one of the names, by bisection, and returns its
  /// counters; the state before it is saved.
  Result<Counters> goToRejection(int64_t &first, const std::set<std::string> &names) {
    for (int64_t end = outcome.epochs; end - first > 1;) {
      int64_t middle = first + (end - first) / 2;
      backend.recall();
      Result<Counters> half = backend.runEpochs(first, middle);
      if (!half)
        return half;
      if (sumOf(names, *half) > 0) {
        end = middle;
      } else {
        backend.remember();
        keptAt = first = middle;
      }
    }
    backend.recall();
    return backend.runEpochs(first, first + 1);
  }

  /// A stretch takes half a second (`stretchSeconds`), so that Ctrl-C responds soon; or up to ten
  /// times that, where a call takes long before and after its epochs, since large arrays are
  /// converted. That overhead is estimated from the time of one epoch and of several. The first
  /// stretches are short, and their times inexact; but they are long enough compared with the state
  /// that is saved before each.
  void setBatch(int64_t epochs, double seconds) {
    if (epochs == 1)
      secondsOfOne = seconds;
    auto number = static_cast<double>(epochs);
    double around = epochs > 1 ? (number * secondsOfOne - seconds) / (number - 1) : 0;
    double wanted = std::clamp(20 * around, options.stretchSeconds, 10 * options.stretchSeconds) *
                    number / std::max(seconds, 1e-9);
    double worth = 20 * secondsOfCopy() * number / std::max(seconds, 1e-9);
    double most = std::min(std::max(32 * number, worth), 1048576.0);
    batch = static_cast<int64_t>(std::clamp(wanted, 1.0, most));
  }

  /// About how long it takes to save the state.
  double secondsOfCopy() const {
    constexpr double kBytesPerSecond = 1e9;
    return static_cast<double>(backend.stateSize()) / kBytesPerSecond;
  }

  /// Whether an epoch may take so long that it should be interruptible, and saving the state takes
  /// negligible time and memory beside it. Of the first epoch only the size of the state is known.
  bool isWorthStopping() const {
    constexpr size_t kSmallState = 16 << 20;
    constexpr double kLongEpoch = 0.1;
    if (!options.stopsTicks || batch > 1 || !backend.stopFlag())
      return false;
    return secondsOfOne == 0 ? backend.stateSize() <= kSmallState
                             : secondsOfOne > kLongEpoch && secondsOfCopy() < 0.05 * secondsOfOne;
  }

  /// Saves the state, at most once for each epoch. Returns whether it can be saved.
  bool keepState() {
    if (keptAt != outcome.epochs) {
      canGoBack = backend.remember();
      keptAt = outcome.epochs;
    }
    return canGoBack;
  }

  /// Runs epochs; if they are stopped, the state before them is restored.
  Result<Counters> runEpochs(int64_t first, int64_t last) {
    StopFlag *flag = isWorthStopping() && keepState() ? backend.stopFlag() : nullptr;
    if (!flag || !flag->arm())
      return backend.runEpochs(first, last);
    Result<Counters> counters = backend.runEpochs(first, last);
    wasStopped = flag->disarm();
    if (wasStopped)
      backend.recall();
    return counters;
  }

  /// Runs epochs, the last one separately where it may be one in which nothing changes.
  Status runUpTo(int64_t last) {
    int64_t first = outcome.epochs;
    bool isLong = options.stopsAtFixpoint && last - first > 1;
    if (isLong) {
      keepState();
      countersBefore = outcome.counters;
    }
    for (int64_t end : {isLong ? last - 1 : first, last}) {
      if (end == outcome.epochs)
        continue;
      Result<Counters> counters = runEpochs(outcome.epochs, end);
      if (!counters)
        return counters.failure();
      if (wasStopped)
        return Done();
      for (const auto &[name, count] : *counters)
        outcome.counters[name] += count;
      outcome.fixpoint = options.stopsAtFixpoint && changesIn(*counters) == 0;
      outcome.epochs = end;
    }
    return Done();
  }

  int64_t nextStop() const {
    int64_t first = outcome.epochs, last = std::min(options.epochs, first + batch);
    for (int64_t every : {options.observeEvery, options.checkpointEvery})
      if (every > 0)
        last = std::min(last, first + std::min(every - first % every, last - first));
    if (!looks.empty())
      last = std::min(last, *looks.begin());
    // Without a saved state, each epoch that may be the first without a change must be a stop.
    return options.stopsAtFixpoint && !canGoBack ? first + 1 : last;
  }

  /// Calls the hooks that are due now.
  Status callHooks() {
    bool isStart = outcome.epochs == options.firstEpoch;
    while (!looks.empty() && (*looks.begin() <= outcome.epochs || outcome.fixpoint)) {
      int64_t epoch = *looks.begin();
      looks.erase(looks.begin());
      if (Status status = hooks.look(epoch, outcome.counters); !status)
        return status;
    }
    int64_t every = options.observeEvery;
    if (every > 0 && (isStart || ended() || outcome.epochs % every == 0))
      if (Status status = hooks.observe(outcome.epochs, outcome.counters); !status)
        return status;
    every = options.checkpointEvery;
    if (every > 0 && !isStart && outcome.epochs % every == 0)
      return hooks.checkpoint(outcome);
    return Done();
  }

  Backend &backend;
  const LoopOptions &options;
  const LoopHooks &hooks;
  std::set<int64_t> looks;
  LoopOutcome outcome;
  Counters countersBefore;
  bool canGoBack = false;
  std::optional<int64_t> keptAt; ///< the epoch whose state is saved
  int64_t batch = 1;
  double secondsOfOne = 0;
  bool wasStopped = false;
};
} // namespace

Result<LoopOutcome> lci::runLoop(Backend &backend, const LoopOptions &options,
                                 const LoopHooks &hooks) {
  return Loop(backend, options, hooks).run();
}

std::string lci::nothingLeftText(const std::string &state, int64_t epoch, int64_t epochs) {
  return "nothing is left to run: " + state + " is of epoch " + std::to_string(epoch) +
         ", and the run is to have " + std::to_string(epochs) + " epochs in all";
}

std::string lci::stoppedText(int64_t done, int64_t epochs, const std::string &checkpoint) {
  std::string how = " after " + std::to_string(done) + " of " + std::to_string(epochs) +
                    " epochs; go on with --resume " + checkpoint;
  return isTimeOver() ? lmpm::withErrorId("error: out of time" + how, ErrorId::OutOfTime)
                      : "interrupted" + how;
}

Result<LoopOutcome> lci::runLoopOnTerminal(Backend &backend, LoopOptions options,
                                           const LoopHooks &hooks) {
  catchInterrupt();
  options.stopsTicks = true;
  Progress bar(static_cast<uint64_t>(std::max<int64_t>(options.epochs, 0)));
  options.progress = [&](int64_t done) { bar.update(static_cast<uint64_t>(done)); };
  options.interrupted = [] { return interrupted() || isTimeOver(); };
  return runLoop(backend, options, hooks);
}

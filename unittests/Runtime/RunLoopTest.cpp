//===- RunLoopTest.cpp - Stretches, hooks, fixpoints, interrupts ----------===//
#include "LCI/Runtime/RunLoop.h"
#include "CounterBackend.h"
#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>

using namespace lci;

namespace {
/// The outcome of a loop, and the calls of its hooks.
struct Observed {
  LoopOutcome outcome;
  std::vector<int64_t> seen, saved, looked;
};

Observed run(Backend &backend, const LoopOptions &options) {
  Observed observed;
  auto into = [](std::vector<int64_t> &list) {
    return [&list](int64_t epoch, const Counters &) {
      list.push_back(epoch);
      return Status(Done());
    };
  };
  auto save = [&](const LoopOutcome &reached) {
    observed.saved.push_back(reached.epochs);
    return Status(Done());
  };
  Result<LoopOutcome> outcome =
      runLoop(backend, options, {into(observed.seen), save, into(observed.looked)});
  EXPECT_TRUE(outcome);
  if (outcome)
    observed.outcome = *outcome;
  return observed;
}

using Epochs = std::vector<int64_t>;

TEST(RunLoopTest, RunsEveryEpochOnceInOrder) {
  CounterBackend backend;
  LoopOptions options;
  options.epochs = 1000;
  Observed observed = run(backend, options);
  EXPECT_EQ(observed.outcome.epochs, 1000);
  EXPECT_EQ(observed.outcome.counters["A.changed"], 1000);
  int64_t at = 0;
  for (auto [first, last] : backend.stretches) {
    EXPECT_EQ(first, at);
    EXPECT_LT(first, last);
    at = last;
  }
  EXPECT_EQ(at, 1000);
  EXPECT_LT(backend.stretches.size(), 100u) << "cheap epochs are run many at a time";
  EXPECT_TRUE(observed.seen.empty());
}

TEST(RunLoopTest, ObserversSeeStartMultiplesAndEnd) {
  CounterBackend backend;
  LoopOptions options;
  options.epochs = 10;
  options.observeEvery = 4;
  EXPECT_EQ(run(backend, options).seen, (Epochs{0, 4, 8, 10}));
  options.epochs = 8;
  EXPECT_EQ(run(backend, options).seen, (Epochs{0, 4, 8}));
  options.epochs = 0;
  EXPECT_EQ(run(backend, options).seen, (Epochs{0}));
}

TEST(RunLoopTest, CheckpointsFallOnMultiplesAlsoAfterAResume) {
  CounterBackend backend;
  LoopOptions options;
  options.epochs = 17;
  options.checkpointEvery = 5;
  EXPECT_EQ(run(backend, options).saved, (Epochs{5, 10, 15}));
  options.firstEpoch = 7;
  options.observeEvery = 6;
  Observed observed = run(backend, options);
  EXPECT_EQ(observed.saved, (Epochs{10, 15}));
  EXPECT_EQ(observed.seen, (Epochs{7, 12, 17}));
}

// S-INVALID: found by bisection, each once, with the state before its epoch; the run is unchanged.
TEST(RunLoopTest, FindsTheFirstEpochsThatReject) {
  CounterBackend plain, backend;
  backend.canGoBack = true;
  backend.rejectsFrom = {{"A.invalid", 137}, {"B.invalid", 137}, {"C.invalid", 731}};
  LoopOptions options;
  options.epochs = 1000;
  Observed expected = run(plain, options);
  Epochs told;
  LoopHooks hooks;
  hooks.rejected = [&](int64_t epoch) {
    told.push_back(epoch);
    int64_t sum = 0;
    for (int64_t i = 0; i < backend.state.size(); ++i)
      sum += backend.state.intAt(i);
    EXPECT_EQ(sum, epoch * (epoch - 1) / 2);
    return Status(Done());
  };
  Result<LoopOutcome> outcome = runLoop(backend, options, hooks);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(told, (Epochs{137, 731}));
  std::map<std::string, int64_t> firsts{{"A.invalid", 137}, {"B.invalid", 137}, {"C.invalid", 731}};
  EXPECT_EQ(outcome->rejectedIn, firsts);
  EXPECT_EQ(outcome->counters["A.changed"], expected.outcome.counters["A.changed"]);
  EXPECT_EQ(outcome->counters["C.invalid"], 1000 - 731);
  EXPECT_EQ(backend.state, plain.state);
}

TEST(RunLoopTest, AFixpointIsTheFirstEpochThatChangesNothing) {
  CounterBackend backend;
  backend.quietFrom = 5;
  LoopOptions options;
  options.epochs = 100;
  options.stopsAtFixpoint = true;
  options.observeEvery = 50;
  Observed observed = run(backend, options);
  EXPECT_TRUE(observed.outcome.fixpoint);
  EXPECT_EQ(observed.outcome.epochs, 6);
  EXPECT_EQ(observed.seen, (Epochs{0, 6}));
  options.stopsAtFixpoint = false;
  EXPECT_EQ(run(backend, options).outcome.epochs, 100);
}

// S-FIXPOINT: it ran its last epoch before.
TEST(RunLoopTest, ARunAtItsFixpointIsAtItsEnd) {
  CounterBackend backend;
  LoopOptions options;
  options.firstEpoch = 6;
  options.epochs = 100;
  options.observeEvery = 50;
  options.looks = {8};
  options.counters = {{"A.changed", 5}};
  options.isAtFixpoint = options.stopsAtFixpoint = true;
  Observed observed = run(backend, options);
  EXPECT_TRUE(observed.outcome.fixpoint);
  EXPECT_EQ(observed.outcome.epochs, 6);
  EXPECT_EQ(observed.outcome.counters, options.counters);
  EXPECT_EQ(observed.seen, (Epochs{6}));
  EXPECT_EQ(observed.looked, (Epochs{8}));
  EXPECT_TRUE(backend.stretches.empty());
  options.stopsAtFixpoint = false;
  EXPECT_EQ(run(backend, options).outcome.epochs, 100);
}

TEST(RunLoopTest, AFixpointIsFoundInsideOfAStretch) {
  for (int64_t quietFrom : {0, 1, 2, 3, 4, 6, 7, 11, 200, 997, 5000}) {
    CounterBackend stepping, jumping;
    stepping.quietFrom = jumping.quietFrom = quietFrom;
    jumping.canGoBack = true;
    LoopOptions options;
    options.epochs = 2000;
    options.stopsAtFixpoint = true;
    Observed expected = run(stepping, options), observed = run(jumping, options);
    EXPECT_EQ(observed.outcome.fixpoint, quietFrom < 2000);
    EXPECT_EQ(observed.outcome.epochs, expected.outcome.epochs);
    EXPECT_EQ(observed.outcome.counters, expected.outcome.counters);
    EXPECT_EQ(jumping.state, stepping.state);
    EXPECT_LE(jumping.stretches.size(), 80u);
  }
}

TEST(RunLoopTest, LooksSeeTheStateBeforeTheirEpoch) {
  CounterBackend backend;
  LoopOptions options;
  options.epochs = 100;
  options.looks = {0, 13, 100};
  EXPECT_EQ(run(backend, options).looked, (Epochs{0, 13, 100}));
  EXPECT_TRUE(llvm::any_of(backend.stretches, [](auto stretch) { return stretch.second == 13; }));
  backend.quietFrom = 5;
  options.stopsAtFixpoint = true;
  EXPECT_EQ(run(backend, options).looked, (Epochs{0, 13, 100}));
}

TEST(RunLoopTest, AnInterruptEndsBetweenEpochs) {
  CounterBackend backend;
  LoopOptions options;
  options.epochs = 1 << 30;
  int polls = 0;
  options.interrupted = [&] { return ++polls > 3; };
  Observed observed = run(backend, options);
  EXPECT_TRUE(observed.outcome.interrupted);
  EXPECT_EQ(observed.outcome.epochs, backend.stretches.back().second);
  EXPECT_EQ(backend.stretches.size(), 3u);
}

/// A loop whose back end is stopped in its first epoch.
static LoopOutcome runStopped(CounterBackend &backend, bool isInterrupted) {
  LoopOptions options;
  options.epochs = 6;
  options.stopsTicks = true;
  options.interrupted = [&] { return isInterrupted && backend.stopAt < 0; };
  backend.canGoBack = true;
  backend.stopAt = 0;
  EXPECT_TRUE(backend.initialise());
  return run(backend, options).outcome;
}

TEST(RunLoopTest, AnEpochThatIsStoppedIsTakenBack) {
  CounterBackend backend;
  LoopOutcome outcome = runStopped(backend, /*isInterrupted=*/true);
  EXPECT_TRUE(outcome.interrupted);
  EXPECT_EQ(outcome.epochs, 0);
  EXPECT_EQ(outcome.counters["A.changed"], 0);
  EXPECT_EQ(backend.state.intAt(0), 0);
}

TEST(RunLoopTest, WhoWasNotMeantRunsItAgain) {
  CounterBackend backend;
  LoopOutcome outcome = runStopped(backend, /*isInterrupted=*/false);
  EXPECT_FALSE(outcome.interrupted);
  EXPECT_EQ(outcome.epochs, 6);
  EXPECT_EQ(outcome.counters["A.changed"], 6);
  EXPECT_EQ(backend.state.intAt(0), 4); // of the epochs 0 and 4
}

TEST(RunLoopTest, LargeStatesAreNotKeptForTheFirstEpoch) {
  CounterBackend backend;
  backend.size = size_t(1) << 30;
  LoopOutcome outcome = runStopped(backend, /*isInterrupted=*/false);
  EXPECT_EQ(outcome.epochs, 6); // nobody armed the flag
  EXPECT_EQ(outcome.counters["A.changed"], 6);
}

TEST(RunLoopTest, CountersOfAResumedRunGoOn) {
  CounterBackend backend;
  LoopOptions options;
  options.firstEpoch = 4;
  options.epochs = 6;
  options.counters = {{"A.changed", 4}};
  EXPECT_EQ(run(backend, options).outcome.counters["A.changed"], 6);
}

TEST(RunLoopTest, AFailureEndsTheRun) {
  CounterBackend backend;
  backend.failAt = 3;
  LoopOptions options;
  options.epochs = 10;
  auto nothing = [](const auto &...) { return Status(Done()); };
  Result<LoopOutcome> outcome = runLoop(backend, options, {nothing, nothing, nothing});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error(), "out of order");
  auto full = [](const LoopOutcome &) { return Status(Failure{ErrorId::FileAccess, "disk full"}); };
  backend.failAt = -1;
  options.checkpointEvery = 2;
  EXPECT_EQ(runLoop(backend, options, {nothing, full, nothing}).error(), "disk full");
}
} // namespace

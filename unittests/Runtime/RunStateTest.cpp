//===- RunStateTest.cpp - A resumed run equals an uninterrupted one -------===//
#include "LCI/Runtime/RunState.h"
#include "CounterBackend.h"
#include "LCI/Runtime/ObservationTable.h"
#include "LCI/Runtime/RunLoop.h"
#include "TempFolder.h"

using namespace lci;

namespace {
class RunStateTest : public FolderTest {
protected:
  std::vector<std::string> values = {"A"};
  RunIdentity identity{digestOf("p", 1), 42};
  History history;

  /// The state and counters after some epochs, from a checkpoint on if there is one.
  LoopOutcome run(CounterBackend &backend, int64_t epochs, const Checkpoint *from = nullptr) {
    LoopOptions options;
    options.epochs = epochs;
    EXPECT_TRUE(backend.initialise());
    if (from) {
      EXPECT_TRUE(restoreCheckpoint(backend, values, *from, identity.program));
      options.counters = History::load(*from)->total();
      options.firstEpoch = static_cast<int64_t>(from->epoch);
    }
    auto nothing = [](int64_t, const Counters &) { return Status(Done()); };
    return *runLoop(backend, options, {nothing, nothing, nothing});
  }
};

TEST_F(RunStateTest, ResumedEqualsUninterrupted) {
  CounterBackend whole, first, second;
  LoopOutcome expected = run(whole, 23);
  LoopOutcome half = run(first, 9);
  history.switches.switchOff("HardLock");
  History after = history.after(0, {}, 0, 9, half.counters);
  Result<Checkpoint> taken = takeCheckpoint(first, values, identity, 9, after);
  ASSERT_TRUE(taken);
  ASSERT_TRUE(writeCheckpoint(path("c"), *taken));
  Result<Checkpoint> read = readCheckpoint(path("c"));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->seed, 42u);
  EXPECT_FALSE(History::load(*read)->switches.isOn("HardLock"));
  LoopOutcome resumed = run(second, 23, &*read);
  EXPECT_EQ(second.state, whole.state);
  EXPECT_EQ(resumed.counters, expected.counters);
  EXPECT_EQ(second.stretches.front().first, 9);
}

TEST_F(RunStateTest, ForeignCheckpointsAreRefused) {
  CounterBackend backend;
  Result<Checkpoint> taken = takeCheckpoint(backend, values, identity, 0, history);
  ASSERT_TRUE(taken);
  Status other = restoreCheckpoint(backend, values, *taken, digestOf("q", 1));
  ASSERT_FALSE(other);
  EXPECT_NE(other.error().find("belongs to another program or other bindings"), std::string::npos);
  taken->arrays.clear();
  EXPECT_EQ(restoreCheckpoint(backend, values, *taken, identity.program).error(),
            "the checkpoint has no value 'A'");
}

TEST_F(RunStateTest, TablesGoOnWhereTheCheckpointStands) {
  Observation seen{"mean", Array::scalar(int64_t(1))}, none{"none", std::nullopt};
  auto text = [&] {
    std::ifstream file(path("o.csv"));
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  {
    Result<ObservationTable> table = ObservationTable::open(path("o.csv"), {"mean", "none"}, 0);
    ASSERT_TRUE(table);
    for (int64_t epoch : {0, 2, 4, 6})
      ASSERT_TRUE(table->row(epoch, {seen, none}));
  }
  {
    Result<ObservationTable> table = ObservationTable::open(path("o.csv"), {"mean", "none"}, 4);
    ASSERT_TRUE(table);
    EXPECT_EQ(text(), "epoch,mean,none\n0,1,\n2,1,\n");
    ASSERT_TRUE(table->row(4, {seen, none}));
  }
  EXPECT_EQ(text(), "epoch,mean,none\n0,1,\n2,1,\n4,1,\n");
  ASSERT_TRUE(ObservationTable::open(path("new.csv"), {"mean"}, 4));
}
} // namespace

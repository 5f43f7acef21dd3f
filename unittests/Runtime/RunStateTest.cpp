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
  ValueForms forms = {{"A", {{}, std::nullopt, /*isInteger=*/true}}};
  RunIdentity identity{digestOf("p", 1), 42, {{"parameter 'p'", "1"}, {"input 'A'", "2"}}, {}, {}};
  History history;

  /// The state and counters after some epochs, from a checkpoint on if there is one.
  LoopOutcome run(CounterBackend &backend, int64_t epochs, const Checkpoint *from = nullptr) {
    LoopOptions options;
    options.epochs = epochs;
    options.stopsAtFixpoint = true;
    EXPECT_TRUE(backend.initialise());
    if (from) {
      EXPECT_TRUE(restoreCheckpoint(backend, values, *from));
      options.counters = History::load(*from)->total();
      options.isAtFixpoint = History::load(*from)->isAtFixpoint();
      options.firstEpoch = static_cast<int64_t>(from->epoch);
    }
    auto nothing = [](const auto &...) { return Status(Done()); };
    return *runLoop(backend, options, {nothing, nothing, nothing});
  }
};

TEST_F(RunStateTest, ResumedEqualsUninterrupted) {
  CounterBackend whole, first, second;
  LoopOutcome expected = run(whole, 23);
  LoopOutcome half = run(first, 9);
  history.switches.switchOff("HardLock");
  History after = history.after(0, {}, 0, half);
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

// S-FIXPOINT: wherever a run is split, also at its end, it has the epochs and the checkpoint of one
// that was not.
TEST_F(RunStateTest, AResumedRunEndsWhereTheWholeOneDoes) {
  auto save = [&](CounterBackend &backend, const LoopOutcome &reached, const Checkpoint *from) {
    History before = from ? *History::load(*from) : History();
    int64_t first = from ? static_cast<int64_t>(from->epoch) : 0;
    return *takeCheckpoint(backend, values, identity, reached.epochs,
                           before.after(0, {}, first, reached));
  };
  for (int64_t split = 0; split <= 9; ++split) {
    CounterBackend whole, first, second;
    whole.quietFrom = first.quietFrom = second.quietFrom = 5;
    LoopOutcome expected = run(whole, 20), part = run(first, split);
    Checkpoint half = save(first, part, nullptr);
    LoopOutcome resumed = run(second, 20, &half);
    EXPECT_EQ(resumed.epochs, 6) << split;
    EXPECT_TRUE(resumed.fixpoint) << split;
    EXPECT_EQ(resumed.counters, expected.counters) << split;
    EXPECT_EQ(encodeCheckpoint(save(second, resumed, &half)),
              encodeCheckpoint(save(whole, expected, nullptr)))
        << split;
  }
}

TEST_F(RunStateTest, WhatIsSwitchedGoesOnFromAFixpoint) {
  LoopOutcome reached;
  reached.fixpoint = true;
  CounterBackend backend;
  Checkpoint taken =
      *takeCheckpoint(backend, values, identity, 6, history.after(0, {}, 0, reached));
  History loaded = *History::load(taken);
  EXPECT_TRUE(loaded.isAtFixpoint());
  loaded.switches.switchOn("Rule", 0);
  EXPECT_TRUE(loaded.isAtFixpoint()) << "it was on";
  loaded.switches.switchOff("Rule");
  EXPECT_FALSE(loaded.isAtFixpoint());
  reached.fixpoint = false;
  EXPECT_FALSE(history.after(0, {}, 0, reached).isAtFixpoint());
}

TEST_F(RunStateTest, ForeignCheckpointsAreRefused) {
  CounterBackend backend;
  Result<Checkpoint> taken = takeCheckpoint(backend, values, identity, 0, history);
  ASSERT_TRUE(taken);
  RunIdentity other{digestOf("q", 1), 42, {}, {}, {}};
  Status refused = admitCheckpoint(*taken, forms, other);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().find("belongs to another program, other sizes or other models"),
            std::string::npos);
  taken->arrays.clear();
  EXPECT_EQ(admitCheckpoint(*taken, forms, identity).error(), "the checkpoint has no value 'A'");
}

TEST_F(RunStateTest, WhatAParameterIsByItselfNeedNotBeGiven) {
  CounterBackend backend;
  RunIdentity plain{digestOf("p", 1), 42, {}, {{"parameter 'p'", "1"}}, {}};
  RunIdentity explicitly = plain, other = plain;
  explicitly.given = {{"parameter 'p'", "1"}};
  other.given = {{"parameter 'p'", "2"}};
  for (const RunIdentity &began : {plain, explicitly})
    for (RunIdentity now : {plain, explicitly}) {
      Checkpoint taken = *takeCheckpoint(backend, values, began, 0, history);
      taken.arrays["value/A"] = Array::scalar(int64_t(1));
      EXPECT_TRUE(admitCheckpoint(taken, forms, now));
    }
  Checkpoint taken = *takeCheckpoint(backend, values, plain, 0, history);
  EXPECT_EQ(admitCheckpoint(taken, forms, other).error(),
            "expected no parameter 'p', because the run began without it, but got one");
}

TEST_F(RunStateTest, WhatDiffersOfAnotherProgramIsNamed) {
  CounterBackend backend;
  RunIdentity began{digestOf("p", 1), 42, {}, {}, {{kProgramText, "p"}, {"the size 'N'", "8"}}};
  Checkpoint taken = *takeCheckpoint(backend, values, began, 0, history);
  RunIdentity now = began;
  now.program = digestOf("q", 1);
  now.described["the size 'N'"] = "9";
  EXPECT_EQ(admitCheckpoint(taken, forms, now).error(),
            "expected the size 'N' = 8, with which the run began, but got 9");
  now.described[kProgramText] = "q";
  EXPECT_NE(admitCheckpoint(taken, forms, now)
                .error()
                .find("the checkpoint belongs to another program: its text differs, comments "
                      "included (digest "),
            std::string::npos);
}

TEST_F(RunStateTest, WhatGoesOnIsGivenTheSame) {
  const Given began = identity.given;
  const struct {
    Given now;
    const char *message;
  } cases[] = {
      {began, ""},
      {{{"parameter 'p'", "1"}}, ""}, // the cells have replaced the input
      {{{"parameter 'p'", "3"}},
       "expected the parameter 'p' that the run began with, but got another one"},
      {{{"parameter 'p'", "1"}, {"input 'A'", "3"}},
       "expected the input 'A' that the run began with, but got another one"},
      {{{"parameter 'p'", "1"}, {"input 'B'", "3"}},
       "expected no input 'B', because the run began without it, but got one"},
      {{{"parameter 'p'", "1"}, {"input 'A'", kOnDevice}},
       "expected no input 'A', because one on a device cannot be compared, but got one"},
      {{}, "expected the parameter 'p' that the run began with, but got none"},
  };
  for (const auto &[now, message] : cases) {
    Status same = checkSame(began, now);
    EXPECT_EQ(same ? "" : same.error(), message);
  }
  EXPECT_EQ(checkSame({{"--counters", "changed"}}, {{"--counters", "full"}}).error(),
            "expected --counters=changed, with which the run began, but got --counters=full");
}

TEST_F(RunStateTest, GivenArraysAreToldApartByEachBit) {
  RunArguments arguments;
  arguments.params["p"] = Array(DType::F32, {2});
  Given zeros = givenBy(arguments, {});
  arguments.params["p"].setDouble(1, -0.0);
  EXPECT_NE(givenBy(arguments, {}), zeros);
  arguments.params["p"] = Array(DType::F32, {1, 2});
  EXPECT_NE(givenBy(arguments, {}), zeros);
  arguments.params.clear();
  arguments.weights["p"] = Array(DType::F32, {2});
  EXPECT_NE(givenBy(arguments, {}), zeros);
}

TEST_F(RunStateTest, ValuesOfACheckpointAreMadeCanonicalOrRefused) {
  CounterBackend backend;
  Checkpoint taken = *takeCheckpoint(backend, values, identity, 0, history);
  Array number(DType::F32, {});
  *number.data<uint32_t>() = 0xffc12345;
  taken.arrays["value/A"] = number;
  ValueForms numbers = {{"A", {{}, std::nullopt, false}}}, tokens = {{"A", {{}, 2, false}}};
  ASSERT_TRUE(admitCheckpoint(taken, numbers, identity));
  EXPECT_EQ(*findValue(taken, "A")->data<uint32_t>(), 0x7fc00000u);
  EXPECT_EQ(admitCheckpoint(taken, tokens, identity).error(),
            "expected tokens of 'A' in -1 .. 1, but got nan");
  taken.arrays["value/A"] = Array::scalar(int64_t(2));
  EXPECT_EQ(admitCheckpoint(taken, tokens, identity).error(),
            "expected tokens of 'A' in -1 .. 1, but got 2");
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

//===- JoinTest.cpp - Replicas join in any order --------------------------===//
//
// S-P6, S-JOIN: random replicas of everything that joins, and the three laws on them.
//
//===----------------------------------------------------------------------===//

#include "LCI/Runtime/Join.h"
#include "LCI/Runtime/RunState.h"
#include "gtest/gtest.h"
#include <limits>
#include <random>

using namespace lci;

namespace {
/// Few different numbers, so that replicas often disagree about the same thing.
class JoinTest : public ::testing::Test {
protected:
  std::mt19937 random{20};
  int64_t below(int64_t bound) {
    return std::uniform_int_distribution<int64_t>(0, bound - 1)(random);
  }
};

/// Whether joins of three are the same in any order, and joining again changes nothing.
template <typename T, typename Join>
void expectLaws(const T &a, const T &b, const T &c, Join join) {
  EXPECT_TRUE(join(a, b) == join(b, a));
  EXPECT_TRUE(join(join(a, b), c) == join(a, join(b, c)));
  EXPECT_TRUE(join(a, a) == a);
  EXPECT_TRUE(join(join(a, b), b) == join(a, b));
}

template <typename T>
T joined(T left, const T &right) {
  left.join(right);
  return left;
}

//===----------------------------------------------------------------------===//
// Sets
//===----------------------------------------------------------------------===//

// S-SWITCH
TEST_F(JoinTest, SwitchesBeginOnAndOnWins) {
  Switches base, left, right;
  EXPECT_TRUE(base.isOn("Lock"));
  base.switchOff("Lock");
  EXPECT_FALSE(base.isOn("Lock"));
  left = right = base;
  left.switchOn("Lock", 1);
  EXPECT_TRUE(joined(left, right).isOn("Lock"));
  left.switchOff("Lock"); // who has seen it switched on can take that back
  EXPECT_FALSE(joined(left, right).isOn("Lock"));
  right.switchOn("Lock", 2); // who has not seen that cannot
  EXPECT_TRUE(joined(left, right).isOn("Lock"));
  EXPECT_EQ(joined(left, right).states(), (std::map<std::string, bool>{{"Lock", true}}));
}

// S-SWITCH
TEST_F(JoinTest, SwitchesFormASemilattice) {
  for (int round = 0; round < 300; ++round) {
    Switches base, replicas[3];
    auto touch = [&](Switches &switches, uint64_t replica) {
      for (int64_t i = below(5); i > 0; --i) {
        std::string name(1, static_cast<char>('A' + below(3)));
        below(2) ? switches.switchOn(name, replica) : switches.switchOff(name);
      }
    };
    touch(base, 0);
    for (uint64_t i = 0; i < 3; ++i)
      touch(replicas[i] = base, i + 1);
    expectLaws(replicas[0], replicas[1], replicas[2], joined<Switches>);
    Result<Switches> read = Switches::parse(replicas[0].text());
    ASSERT_TRUE(read);
    EXPECT_TRUE(*read == replicas[0]);
  }
}

// S-EVENTS
TEST_F(JoinTest, LogsKeepRangesAndFormASemilattice) {
  EventLog::Event event{"Schedule", "red_black", 0};
  for (int round = 0; round < 300; ++round) {
    EventLog logs[3];
    std::vector<bool> ran(40);
    for (EventLog &log : logs)
      for (int64_t i = below(6); i > 0; --i) {
        int64_t first = below(30), last = first + below(10) - 1;
        log.add(event, first, last);
        if (&log == &logs[0])
          for (int64_t epoch = first; epoch <= last; ++epoch)
            ran[epoch] = true;
      }
    for (int64_t epoch = 0; epoch < 40; ++epoch)
      EXPECT_EQ(logs[0].contains(event, epoch), ran[epoch]);
    expectLaws(logs[0], logs[1], logs[2], joined<EventLog>);
    Result<EventLog> read = EventLog::parse(logs[0].text());
    ASSERT_TRUE(read);
    EXPECT_TRUE(*read == logs[0]);
  }
}

TEST_F(JoinTest, WhatIsNoSetIsRefused) {
  EXPECT_EQ(Switches::parse("Lock 0 0 maybe").error(),
            "expected a tag and 'on' or 'off' for the switch 'Lock'");
  EXPECT_EQ(EventLog::parse("Schedule all 0 7 3").error(),
            "expected a strategy, a replica and a range of epochs for the events of 'Schedule'");
  Checkpoint checkpoint;
  checkpoint.arrays["counter/x/Cell.changed"] = Array::scalar(int64_t(1));
  EXPECT_EQ(History::load(checkpoint).error(), "expected a replica in 'counter/x/Cell.changed'");
}

// S-REPLICA: no replica's commits are counted twice.
TEST_F(JoinTest, CountersAreSumsOverReplicas) {
  History base;
  auto at = [](int64_t epoch, int64_t changed) {
    LoopOutcome reached;
    reached.epochs = epoch;
    reached.fixpoint = true;
    reached.counters = {{"Cell.changed", changed}};
    return reached;
  };
  base = base.after(0, {{"Log", {"Schedule", "all", 0}}}, 0, at(10, 100));
  History left = base.after(1, {}, 10, at(12, 120));
  History right = base.after(2, {}, 10, at(15, 130));
  left.join(right);
  EXPECT_EQ(left.total(), (Counters{{"Cell.changed", 150}}));
  left.join(right);
  EXPECT_EQ(left.total(), (Counters{{"Cell.changed", 150}}));
  EXPECT_TRUE(left.isAtFixpoint());
  right.switches.switchOff("Rule");
  left.join(right);
  EXPECT_FALSE(left.isAtFixpoint());
  EXPECT_EQ(left.logs["Log"].text(), "Schedule all 0 0 9\n");
}

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

struct Cells {
  Array content;
  Records records;
  bool operator==(const Cells &other) const {
    return content == other.content && records == other.records;
  }
};

Cells joinedCells(Cells left, const Cells &right) {
  joinCells(left.content, left.records, right.content, right.records);
  return left;
}

// S-JOIN: tokens that may be absent, integers, numbers with their two zeros and NaN, vectors.
TEST_F(JoinTest, CellsFormASemilattice) {
  const float numbers[] = {0.0f, -0.0f, 1.0f, -1.0f, std::numeric_limits<float>::quiet_NaN()};
  for (DType dtype : {DType::I8, DType::I64, DType::F32})
    for (int64_t components :
         dtype == DType::F32 ? std::vector<int64_t>{1, 3} : std::vector{int64_t(1)})
      for (int64_t priorities : {0, 2}) {
        auto make = [&] {
          Cells cells{Array(dtype, {200, components}), emptyRecords({200}, priorities)};
          for (int64_t i = 0; i < cells.content.size(); ++i)
            dtype == DType::F32 ? cells.content.setDouble(i, numbers[below(5)])
                                : cells.content.setInt(i, below(3) - 1);
          for (int64_t i = 0; i < 200; ++i) {
            cells.records.stamps.setInt(i, below(2));
            cells.records.replicas.setInt(i, below(2));
            cells.records.scores.setDouble(i, numbers[2 * below(3)]);
          }
          for (int64_t i = 0; i < cells.records.levels.size(); ++i)
            cells.records.levels.setInt(i, below(2));
          return cells;
        };
        Cells a = make(), b = make(), c = make();
        SCOPED_TRACE(std::string(nameOf(dtype)) + " " + std::to_string(components) + " " +
                     std::to_string(priorities));
        expectLaws(a, b, c, joinedCells);
      }
}

// S-JOIN: the criteria, in order.
TEST_F(JoinTest, LaterThenBetterThenLowerCounts) {
  auto cell = [](int64_t token, int64_t stamp, int64_t level, float score, int64_t replica) {
    Cells cells{Array(DType::I8, {1}), emptyRecords({1}, 1)};
    cells.content.setInt(0, token);
    cells.records.stamps.setInt(0, stamp);
    cells.records.levels.setInt(0, level);
    cells.records.scores.setDouble(0, score);
    cells.records.replicas.setInt(0, replica);
    return cells;
  };
  // Each outranks the next one.
  Cells ranked[] = {cell(3, 5, 0, 0, 9), cell(3, 4, 2, 0, 9), cell(3, 4, 1, 7, 9),
                    cell(3, 4, 1, 6, 1), cell(1, 4, 1, 6, 2), cell(2, 4, 1, 6, 2),
                    cell(-1, 4, 1, 6, 2)};
  for (size_t i = 0; i < std::size(ranked); ++i)
    for (size_t j = i; j < std::size(ranked); ++j) {
      EXPECT_TRUE(joinedCells(ranked[i], ranked[j]) == ranked[i]) << i << ", " << j;
      EXPECT_TRUE(joinedCells(ranked[j], ranked[i]) == ranked[i]) << i << ", " << j;
    }
}

TEST_F(JoinTest, OnlyReplicasOfOneRunJoin) {
  Checkpoint left;
  left.arrays["value/A"] = Array(DType::I8, {2});
  storeRecords(left, "A", emptyRecords({2}, 0));
  Checkpoint right = left;
  ASSERT_TRUE(join(left, right));
  right.seed = 3;
  EXPECT_EQ(join(left, right).error(), "expected checkpoints of one seed, but got 0 and 3");
  right = left;
  right.program = digestOf("p", 1);
  EXPECT_EQ(join(left, right).error(),
            "expected checkpoints of one program with the same bindings, but they are of two");
  right = left;
  right.arrays.erase("stamp/A");
  EXPECT_EQ(join(left, right).error(),
            "a checkpoint has no stamps of 'A': expected one of a run with --replica");
  right = left;
  right.arrays["value/A"] = Array(DType::I8, {3});
  EXPECT_EQ(join(left, right).error(), "the checkpoints have different forms of 'A'");
  right = left;
  right.texts["switches"] = "Lock";
  EXPECT_EQ(join(left, right).error(), "expected a tag and 'on' or 'off' for the switch 'Lock'");
}
} // namespace

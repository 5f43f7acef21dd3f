//===- PropertiesTest.cpp - Invariants on random programs -----------------===//
//
// The properties of docs/semantics.md section 8 that one back end can show. That all back ends
// agree (S-P1), also with phases in place of snapshots, is tested by DifferentialTest.
//
//===----------------------------------------------------------------------===//

#include "LCI/Driver/InterpreterBackend.h"
#include "LCI/Execution/Compile.h"
#include "LCI/InitAllDialects.h"
#include "LCI/Runtime/Join.h"
#include "LCI/Runtime/RunState.h"
#include "Rungs.h"
#include "mlir/InitAllDialects.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace mlir::lci;
using ::lci::Array;
using ::lci::Checkpoint;
using ::lci::History;
using ::lci::JoinedRun;
using ::lci::Records;
using ::lci::Result;

namespace {
/// So many programs for each property, from this seed on.
constexpr uint64_t kPrograms = 150, kFirst = 1;

/// A program, its interpreter at the start, and its inputs.
struct Trial {
  std::unique_ptr<MLIRContext> context;
  Case test;
  std::unique_ptr<Interpreter> interpreter;

  SmallVector<ValueOp> values() { return getValues(test); }
  SmallVector<ValueOp> ruledValues() {
    return llvm::to_vector(llvm::make_filter_range(values(), [&](ValueOp value) {
      return interpreter->getNumPhases(value.getSymName()) > 0;
    }));
  }
};

class PropertiesTest : public ::testing::Test {
protected:
  PropertiesTest() {
    mlir::registerAllDialects(registry);
    mlir::lci::registerAllDialects(registry);
  }

  DialectRegistry registry;
  std::mt19937_64 random{1};
  int64_t below(int64_t bound) {
    return std::uniform_int_distribution<int64_t>(0, bound - 1)(random);
  }

  Trial start(uint64_t seed) {
    Trial run;
    run.context = std::make_unique<MLIRContext>(registry);
    prepareContext(*run.context);
    run.context->getDiagEngine().registerHandler([](Diagnostic &) { return success(); });
    FailureOr<Case> test = makeCase(::lci::forgeProgram(seed), *run.context);
    if (failed(test))
      return run;
    run.test = std::move(*test);
    FailureOr<std::unique_ptr<Interpreter>> made = Interpreter::create(run.test.program);
    if (failed(made) || failed((*made)->setEnvironment(run.test.environment)) ||
        failed((*made)->initialise()))
      return run;
    run.interpreter = std::move(*made);
    for (const auto &[name, array] : run.test.inputs)
      if (failed(run.interpreter->setValue(name, array)))
        run.interpreter.reset();
    return run;
  }

  /// The state of a run, as a replica leaves it.
  Checkpoint take(Trial &run, int64_t epoch, const History &history) {
    Checkpoint checkpoint;
    checkpoint.epoch = epoch;
    for (ValueOp value : run.values()) {
      std::string name = value.getSymName().str();
      checkpoint.arrays["value/" + name] = run.interpreter->getValue(name);
      ::lci::storeRecords(checkpoint, name, run.interpreter->getRecords(name));
    }
    history.store(checkpoint);
    return checkpoint;
  }

  void restore(Trial &run, const Checkpoint &checkpoint) {
    for (ValueOp value : run.values()) {
      std::string name = value.getSymName().str();
      ASSERT_TRUE(succeeded(run.interpreter->setValue(name, *::lci::findValue(checkpoint, name))));
      ASSERT_TRUE(
          succeeded(run.interpreter->setRecords(name, *::lci::recordsOf(checkpoint, name))));
    }
  }

  SmallVector<int64_t> anyCell(ValueOp value) {
    return llvm::map_to_vector(*value.getExtents(), [&](int64_t extent) { return below(extent); });
  }

  /// Visits random cells before random ticks of random programs.
  template <typename Visit>
  void visitCells(Visit visit) {
    for (uint64_t seed = kFirst; seed < kFirst + kPrograms; ++seed) {
      Trial run = start(seed);
      ASSERT_TRUE(run.interpreter) << seed;
      for (int64_t epoch = 0; epoch < 2; ++epoch)
        for (int64_t phase = 0; phase < std::min<int64_t>(run.interpreter->getNumPhases(), 4);
             ++phase) {
          for (ValueOp value : run.ruledValues())
            for (int i = 0; i < 4; ++i)
              if (phase < run.interpreter->getNumPhases(value.getSymName()))
                visit(run, value, anyCell(value), epoch, phase);
          ASSERT_TRUE(succeeded(run.interpreter->runTick(epoch, phase)));
        }
    }
  }
};

/// Whether an explanation of a cell says unconditionally that it commits.
bool surelyChanges(const Explanation &why) { return why.changes && !why.isIfSurest; }

// S-P3: a commit is later than the cell's previous stamp, and than every stamp it read; others do
// not matter.
TEST_F(PropertiesTest, StampsAreLaterThanWhatWasRead) {
  int64_t commits = 0, seen = 0;
  visitCells([&](Trial &run, ValueOp value, ArrayRef<int64_t> cell, int64_t epoch, int64_t phase) {
    auto explain = [&] { return *run.interpreter->explain(value.getName(), cell, epoch, phase); };
    Explanation why = explain();
    EXPECT_EQ(why.changes, why.stampAfter > why.stampBefore);
    if (!surelyChanges(why))
      return;
    ++commits;
    // Another cell becomes late: either the commit is later still, or it is unchanged.
    ValueOp other = run.values()[below(run.values().size())];
    Records before = run.interpreter->getRecords(other.getName()), late = before;
    late.stamps.setInt(below(late.stamps.size()), 1000);
    ASSERT_TRUE(succeeded(run.interpreter->setRecords(other.getName(), late)));
    int64_t after = explain().stampAfter;
    EXPECT_TRUE(after == why.stampAfter || after == 1001);
    seen += after == 1001;
    ASSERT_TRUE(succeeded(run.interpreter->setRecords(other.getName(), before)));
  });
  EXPECT_GT(commits, 200);
  EXPECT_GT(seen, 20);
}

// S-P4: commits violate no hard constraint, and locked cells do not change.
TEST_F(PropertiesTest, NoCommitViolatesAHardConstraint) {
  int64_t decided = 0;
  visitCells([&](Trial &run, ValueOp value, ArrayRef<int64_t> cell, int64_t epoch, int64_t phase) {
    Explanation why = *run.interpreter->explain(value.getName(), cell, epoch, phase);
    if (!why.winner)
      return;
    for (const auto &[name, holds] : why.candidates[*why.winner].checks) {
      auto constraint = run.test.program.lookupSymbol<ConstraintOp>(name);
      decided += constraint.cannotBeOutvoted();
      EXPECT_TRUE(holds || !constraint.cannotBeOutvoted()) << name;
    }
  });
  EXPECT_GT(decided, 50);
}

// S-P5: an epoch that changes nothing is followed by another one, where the program may end.
TEST_F(PropertiesTest, FixpointsStay) {
  int64_t fixpoints = 0;
  for (uint64_t seed = kFirst; seed < kFirst + 3 * kPrograms; ++seed) {
    Trial run = start(seed);
    ASSERT_TRUE(run.interpreter) << seed;
    if (!run.interpreter->canReachFixpoint())
      continue;
    for (int64_t epoch = 0; epoch < 6; ++epoch) {
      Checkpoint before = take(run, 0, {});
      FailureOr<int64_t> changed = run.interpreter->runEpoch(epoch);
      ASSERT_TRUE(succeeded(changed));
      if (*changed > 0)
        continue;
      ++fixpoints;
      EXPECT_EQ(take(run, 0, {}).arrays, before.arrays) << seed;
      ASSERT_EQ(*run.interpreter->runEpoch(epoch + 1), 0) << seed;
      break;
    }
  }
  EXPECT_GT(fixpoints, 10);
}

/// The number of constraints except one that hold for the winner, highest priority first.
SmallVector<int64_t> keyWithout(Trial &run, const Explanation &why, StringRef without) {
  std::map<int64_t, int64_t, std::greater<>> levels;
  for (const auto &[name, holds] : why.candidates[*why.winner].checks) {
    auto constraint = run.test.program.lookupSymbol<ConstraintOp>(name);
    if (name != without && !constraint.cannotBeOutvoted())
      levels[constraint.getPriority()] += holds;
  }
  return llvm::map_to_vector(levels, [](const auto &level) { return level.second; });
}

// S-P7: losing a constraint does not cost another one.
TEST_F(PropertiesTest, WithoutAConstraintTheOthersHoldNoLess) {
  int64_t compared = 0;
  visitCells([&](Trial &run, ValueOp value, ArrayRef<int64_t> cell, int64_t epoch, int64_t phase) {
    Explanation why = *run.interpreter->explain(value.getName(), cell, epoch, phase);
    if (!why.winner || why.policy != "satisfy_max")
      return;
    for (const auto &[name, holds] : why.candidates[*why.winner].checks) {
      Environment without = run.test.environment;
      without.enables[name] = false;
      ASSERT_TRUE(succeeded(run.interpreter->setEnvironment(without)));
      Explanation freed = *run.interpreter->explain(value.getName(), cell, epoch, phase);
      ASSERT_TRUE(freed.winner.has_value());
      EXPECT_GE(keyWithout(run, freed, name), keyWithout(run, why, name)) << name;
      ++compared;
    }
    ASSERT_TRUE(succeeded(run.interpreter->setEnvironment(run.test.environment)));
  });
  EXPECT_GT(compared, 50);
}

// S-P6, S-JOIN, S-RECORD: replicas that ran with other rules and constraints join in any order, and
// continue from there.
TEST_F(PropertiesTest, ReplicasFormASemilattice) {
  int64_t differ = 0;
  for (uint64_t seed = kFirst; seed < kFirst + kPrograms; ++seed) {
    Trial run = start(seed);
    ASSERT_TRUE(run.interpreter) << seed;
    ASSERT_TRUE(succeeded(run.interpreter->runEpoch(0)));
    Checkpoint base = take(run, 1, {});
    Checkpoint replicas[3];
    for (uint64_t i = 0; i < 3; ++i) {
      Environment own = run.test.environment;
      own.replica = i + 1;
      for (Operation &op : run.test.program.getBody().front())
        if (isa<RuleOp, ConstraintOp>(op) && below(3) == 0)
          own.enables[SymbolTable::getSymbolName(&op).str()] = false;
      restore(run, base);
      ASSERT_TRUE(succeeded(run.interpreter->setEnvironment(own)));
      int64_t last = 2 + below(2);
      for (int64_t epoch = 1; epoch < last; ++epoch)
        ASSERT_TRUE(succeeded(run.interpreter->runEpoch(epoch)));
      replicas[i] = take(run, last, {});
    }
    auto join = [&](const Checkpoint &left, const Checkpoint &right) {
      Result<JoinedRun> joined = ::lci::join(left, right);
      EXPECT_TRUE(joined) << seed << ": " << joined.error();
      for (const auto &[name, cells] : joined->values)
        differ += cells.fromRight;
      return joined->checkpoint;
    };
    const auto &[a, b, c] = replicas;
    Checkpoint all = join(join(a, b), c);
    EXPECT_EQ(all.arrays, join(join(c, b), a).arrays) << seed;
    EXPECT_EQ(all.arrays, join(a, join(b, c)).arrays) << seed;
    EXPECT_EQ(all.arrays, join(all, b).arrays) << seed;
    EXPECT_EQ(all.epoch, std::max({a.epoch, b.epoch, c.epoch}));
    // No replica's commit is older than the stamps that the others knew.
    for (ValueOp value : run.values())
      for (const Checkpoint &replica : replicas) {
        Array known = ::lci::recordsOf(replica, value.getSymName().str())->stamps;
        Array stamps = ::lci::recordsOf(all, value.getSymName().str())->stamps;
        for (int64_t i = 0; i < stamps.size(); ++i)
          EXPECT_GE(stamps.intAt(i), known.intAt(i));
      }
    restore(run, all);
    ASSERT_TRUE(succeeded(run.interpreter->setEnvironment(run.test.environment)));
    EXPECT_TRUE(succeeded(run.interpreter->runEpoch(static_cast<int64_t>(all.epoch)))) << seed;
  }
  EXPECT_GT(differ, 500);
}
} // namespace

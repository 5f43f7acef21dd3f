//===- CheckedBackendTest.cpp - The first differing bit ends the run ------===//
#include "LCI/Driver/CheckedBackend.h"
#include "CounterBackend.h"
#include <gtest/gtest.h>

using namespace mlir::lci;
using ::lci::Array;
using ::lci::CounterBackend;
using ::lci::DType;

namespace {
/// Compiled code, the same code stepping, and the interpreter.
struct CheckedBackendTest : testing::Test {
  CounterBackend subject{"cpu"}, stepper{"cpu"}, reference{"interp"};
  CheckedBackend checked{subject, stepper, reference, {"A"}, /*phases=*/2};
};

TEST_F(CheckedBackendTest, AgreementCountsOnce) {
  ASSERT_TRUE(checked.initialise());
  auto counters = checked.runEpochs(0, 8);
  ASSERT_TRUE(counters);
  EXPECT_EQ((*counters)["A.changed"], 8);
  EXPECT_EQ(*checked.value("A"), reference.state);
}

TEST_F(CheckedBackendTest, EveryTickIsTaken) {
  ASSERT_TRUE(checked.initialise());
  ASSERT_TRUE(checked.runEpochs(3, 5));
  std::vector<std::pair<int64_t, int64_t>> all = {{3, 0}, {3, 1}, {4, 0}, {4, 1}};
  EXPECT_EQ(stepper.ticks, all);
  EXPECT_EQ(reference.ticks, all);
  EXPECT_TRUE(subject.ticks.empty());
}

TEST_F(CheckedBackendTest, ADifferenceNamesTickCellAndBothValues) {
  stepper.wrongAt = 6;
  ASSERT_TRUE(checked.initialise());
  auto counters = checked.runEpochs(0, 8);
  ASSERT_FALSE(counters);
  EXPECT_EQ(counters.error(),
            "check failed in epoch 6, phase 0, at A[1, 0]: interp has 8, but cpu has 9");
}

TEST_F(CheckedBackendTest, ALaterPhaseIsCheckedToo) {
  stepper.wrongLaterAt = 1;
  ASSERT_TRUE(checked.initialise());
  EXPECT_EQ(checked.runEpochs(0, 8).error(),
            "check failed in epoch 1, phase 1, at A[1, 1]: interp has 0, but cpu has -7");
}

TEST_F(CheckedBackendTest, WhatRunsWithoutCheckIsCheckedAfterEachEpoch) {
  subject.wrongAt = 6;
  ASSERT_TRUE(checked.initialise());
  EXPECT_EQ(checked.runEpochs(0, 8).error(),
            "check failed after epoch 6, run as a whole, at A[1, 0]: interp has 8, but cpu has 9");
}

TEST_F(CheckedBackendTest, CountersMustAgreeToo) {
  class Miscounting : public CounterBackend {
    ::lci::Result<Counters> runEpochs(int64_t first, int64_t last) override {
      auto counters = CounterBackend::runEpochs(first, last);
      ++(*counters)["A.changed"];
      return counters;
    }
  } wrong;
  CheckedBackend steps(subject, wrong, reference, {"A"}, 2);
  ASSERT_TRUE(steps.initialise());
  EXPECT_EQ(steps.runEpochs(0, 1).error(), "check failed in epoch 0, phase 0, at the counter "
                                           "'A.changed': interp has 1, but cpu has 2");
  CheckedBackend whole(wrong, stepper, reference, {"A"}, 2);
  ASSERT_TRUE(whole.initialise());
  EXPECT_EQ(whole.runEpochs(0, 1).error(),
            "check failed after epoch 0, run as a whole, at the counter 'A.changed': interp has "
            "1, but counter has 2");
}

TEST_F(CheckedBackendTest, ObserversMustAgreeToo) {
  ASSERT_TRUE(checked.initialise());
  ASSERT_TRUE(checked.runEpochs(0, 4));
  auto seen = checked.observe(4);
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->front().value, Array::scalar(int64_t(6)));
  subject.overseen = 1;
  EXPECT_EQ(checked.observe(4).error(),
            "check failed after 4 epochs at the observer 'sum': interp has 6, but cpu has 7");
}

TEST_F(CheckedBackendTest, AGivenValueGoesToAll) {
  Array given(DType::I64, {2, 2});
  given.setInt(3, 7);
  ASSERT_TRUE(checked.setValue("A", given));
  EXPECT_EQ(reference.state, given);
  EXPECT_EQ(stepper.state, given);
  EXPECT_EQ(subject.state, given);
}

TEST(ElementTest, BitsAreCompared) {
  Array left(DType::F32, {2}), right(DType::F32, {2});
  EXPECT_EQ(firstDifference(left, right), std::nullopt);
  right.setDouble(1, -0.0);
  EXPECT_EQ(firstDifference(left, right), 1);
  EXPECT_EQ(elementText(right, 1), "-0 (bits 0x80000000)");
  EXPECT_EQ(elementText(Array(DType::I8, {1}, {0xff}), 0), "absent");
  EXPECT_EQ(elementText(Array::scalar(int64_t(-1)), 0), "-1");
}
} // namespace

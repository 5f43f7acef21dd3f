//===- CheckedBackendTest.cpp - The first different bit ends the run ------===//
#include "LCI/Driver/CheckedBackend.h"
#include "CounterBackend.h"
#include <gtest/gtest.h>

using namespace mlir::lci;
using ::lci::Array;
using ::lci::DType;

namespace {
TEST(CheckedBackendTest, AgreementCountsOnce) {
  CounterBackend subject("cpu"), reference("interp");
  CheckedBackend checked(subject, reference, {"A"});
  ASSERT_TRUE(checked.initialise());
  auto counters = checked.runEpochs(0, 8);
  ASSERT_TRUE(counters);
  EXPECT_EQ((*counters)["A.changed"], 8);
  EXPECT_EQ(*checked.value("A"), reference.state);
}

TEST(CheckedBackendTest, ADifferenceNamesTheCellAndBothValues) {
  CounterBackend subject("cpu"), reference("interp");
  subject.wrongAt = 6;
  CheckedBackend checked(subject, reference, {"A"});
  ASSERT_TRUE(checked.initialise());
  auto counters = checked.runEpochs(0, 8);
  ASSERT_FALSE(counters);
  EXPECT_EQ(counters.error(), "check failed after epoch 6 at A[1, 0]: interp has 8, but cpu has 9");
}

TEST(CheckedBackendTest, CountersMustAgreeToo) {
  class Miscounting : public CounterBackend {
    ::lci::Result<Counters> runEpochs(int64_t first, int64_t last) override {
      auto counters = CounterBackend::runEpochs(first, last);
      ++(*counters)["A.changed"];
      return counters;
    }
  } subject;
  CounterBackend reference("interp");
  CheckedBackend checked(subject, reference, {"A"});
  ASSERT_TRUE(checked.initialise());
  EXPECT_EQ(checked.runEpochs(0, 1).error(), "check failed after epoch 0: interp counts 1 for "
                                             "'A.changed', but counter counts 2");
}

TEST(CheckedBackendTest, AGivenValueGoesToBoth) {
  CounterBackend subject, reference;
  CheckedBackend checked(subject, reference, {"A"});
  Array given(DType::I64, {2, 2});
  given.setInt(3, 7);
  ASSERT_TRUE(checked.setValue("A", given));
  EXPECT_EQ(reference.state, given);
  EXPECT_EQ(subject.state, given);
}

TEST(CheckedBackendTest, BitsAreCompared) {
  Array left(DType::F32, {2}), right(DType::F32, {2});
  EXPECT_EQ(firstDifference(left, right), std::nullopt);
  right.setDouble(1, -0.0);
  EXPECT_EQ(firstDifference(left, right), 1);
  EXPECT_EQ(elementText(right, 1), "-0 (bits 0x80000000)");
  EXPECT_EQ(elementText(Array(DType::I8, {1}, {0xff}), 0), "absent");
  EXPECT_EQ(elementText(Array::scalar(int64_t(-1)), 0), "-1");
}
} // namespace

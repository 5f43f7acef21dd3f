//===- HalvingTest.cpp - The fastest of several candidates ----------------===//

#include "LCI/Tune/Halving.h"
#include <gtest/gtest.h>
#include <map>

using namespace lci;

namespace {
/// A clock that is known: each candidate takes a time, which the machine lengthens now and then.
class FakeClock final : public Measurer {
public:
  explicit FakeClock(std::vector<double> seconds) : seconds(std::move(seconds)) {}

  Result<Sample> run(size_t candidate, int64_t epochs, bool wantsDigest) override {
    ++runs[candidate];
    if (failing.count(candidate))
      return Failure{ErrorId::OutOfTime, "took more than 60 seconds"};
    double noise = 1 + spread * (turn++ % 5) / 4.0;
    std::string digest = other.count(candidate) ? "other" : "same";
    return Sample{seconds[candidate] * noise * epochs, wantsDigest ? digest : ""};
  }

  std::vector<double> seconds;
  double spread = 0;
  std::set<size_t> failing, other;
  std::map<size_t, int> runs;

private:
  int turn = 0;
};
} // namespace

TEST(HalvingTest, TheFastestIsFound) {
  FakeClock clock({10, 9, 8, 7, 12, 6, 11, 9.5, 13, 15, 7.5});
  HalvingResult result = findFastest(clock, 11, {});
  EXPECT_EQ(result.best, 5U);
  EXPECT_DOUBLE_EQ(result.tracks[5].median(), 0.6);
  EXPECT_EQ(result.tracks[5].outcome, Outcome::Measured);
  // The slow half is run once, the last ones often.
  EXPECT_EQ(clock.runs[9], 1);
  EXPECT_EQ(clock.runs[5], clock.runs[0]);
  EXPECT_GE(clock.runs[5], 9);
  EXPECT_FALSE(result.isInterrupted);
}

TEST(HalvingTest, TheDefaultStaysWithinTheSpread) {
  FakeClock noisy({10, 9.7, 10.1});
  noisy.spread = 0.2;
  EXPECT_EQ(findFastest(noisy, 3, {}).best, 0U);
  FakeClock close({10, 9.95});
  EXPECT_EQ(findFastest(close, 2, {}).best, 0U);
  FakeClock alone({10});
  EXPECT_EQ(findFastest(alone, 1, {}).best, 0U);
}

TEST(HalvingTest, OtherBitsAreReportedAndNeverChosen) {
  FakeClock clock({10, 1, 9});
  clock.other = {1};
  HalvingResult result = findFastest(clock, 3, {});
  EXPECT_EQ(result.tracks[1].outcome, Outcome::Wrong);
  EXPECT_EQ(result.tracks[1].reason, "other bits than the default's");
  EXPECT_EQ(result.best, 2U);
  EXPECT_EQ(clock.runs[1], 1);
}

TEST(HalvingTest, WhatFailsIsLeftOut) {
  FakeClock clock({10, 5, 9, 30});
  clock.failing = {1};
  HalvingResult result = findFastest(clock, 4, {});
  EXPECT_EQ(result.tracks[1].outcome, Outcome::Failed);
  EXPECT_EQ(result.tracks[1].reason, "took more than 60 seconds");
  EXPECT_EQ(result.tracks[3].outcome, Outcome::Hopeless);
  EXPECT_EQ(clock.runs[1], 1);
  EXPECT_EQ(clock.runs[3], 1);
  EXPECT_EQ(result.best, 2U);
}

TEST(HalvingTest, WithoutTheDefaultNothingIsChosen) {
  FakeClock clock({10, 5, 9});
  clock.failing = {0};
  HalvingResult result = findFastest(clock, 3, {});
  EXPECT_EQ(result.tracks[0].outcome, Outcome::Failed);
  EXPECT_EQ(result.tracks[1].outcome, Outcome::Untried);
  EXPECT_EQ(result.best, 0U);
}

TEST(HalvingTest, AnInterruptKeepsTheBestSoFar) {
  FakeClock clock({10, 5, 9});
  HalvingOptions options;
  options.progress = [](size_t done, size_t all, double) {
    EXPECT_LE(done, all);
    return done < 7;
  };
  HalvingResult result = findFastest(clock, 3, options);
  EXPECT_TRUE(result.isInterrupted);
  EXPECT_EQ(result.best, 1U);
  EXPECT_EQ(clock.runs[0] + clock.runs[1] + clock.runs[2], 7);
}

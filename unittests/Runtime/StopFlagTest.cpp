//===- StopFlagTest.cpp - Flags that stop ticks ---------------------------===//

#include "LCI/Runtime/StopFlag.h"
#include "gtest/gtest.h"
#include <memory>
#include <vector>

using namespace lci;

TEST(StopFlag, OnlyWhatIsArmedIsRaised) {
  StopFlag flag, other;
  flag.raise();
  EXPECT_FALSE(flag.isRaised());
  EXPECT_TRUE(flag.arm());
  flag.raise();
  EXPECT_TRUE(flag.isRaised());
  EXPECT_FALSE(other.isRaised());
  EXPECT_TRUE(flag.disarm());
  EXPECT_FALSE(flag.isRaised());
  EXPECT_FALSE(flag.disarm());
}

TEST(StopFlag, AllThatAreArmedAreRaisedTogether) {
  StopFlag first, second, idle;
  first.arm();
  second.arm();
  StopFlag::raiseAll();
  EXPECT_TRUE(first.disarm());
  EXPECT_TRUE(second.disarm());
  EXPECT_FALSE(idle.isRaised());
}

TEST(StopFlag, ThereAreAlwaysSomeAgain) {
  for (int round = 0; round < 2; ++round) {
    std::vector<std::unique_ptr<StopFlag>> flags;
    for (int i = 0; i < 300; ++i)
      flags.push_back(std::make_unique<StopFlag>());
    EXPECT_TRUE(flags.front()->arm());
    // Without a flag a run cannot be stopped.
    EXPECT_FALSE(flags.back()->arm());
    flags.back()->raise();
    EXPECT_FALSE(flags.back()->isRaised());
  }
}

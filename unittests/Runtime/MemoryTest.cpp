//===- MemoryTest.cpp - Memory is checked before allocation ---------------===//
#include "LCI/Runtime/Memory.h"
#include <gtest/gtest.h>

using namespace lci;

namespace {
TEST(MemoryTest, SaysHowMuchIsMissing) {
  EXPECT_TRUE(checkFits(100, "'Spin'", 100));
  Status status = checkFits(uint64_t(3) << 30, "'Spin'", uint64_t(1) << 30);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error(), "'Spin' is too large for memory: it needs 3.0 GiB, but 1.0 GiB are "
                            "available");
}

TEST(MemoryTest, TheMachineHasSome) {
  EXPECT_GT(availableMemory(), uint64_t(1) << 20);
  EXPECT_FALSE(checkFits(UINT64_MAX, "everything"));
}

TEST(MemoryTest, SizesSaturate) {
  EXPECT_EQ(saturatingMultiply(uint64_t(1) << 40, uint64_t(1) << 40), UINT64_MAX);
  EXPECT_EQ(saturatingMultiply(3, 4), 12u);
  EXPECT_EQ(saturatingAdd(UINT64_MAX, 1), UINT64_MAX);
  EXPECT_EQ(bytesText(0), "0 bytes");
  EXPECT_EQ(bytesText(1536), "1.5 KiB");
  EXPECT_EQ(bytesText(UINT64_MAX), "16.0 EiB");
}
} // namespace

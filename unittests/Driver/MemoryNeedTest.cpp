//===- MemoryNeedTest.cpp - Memory that a run will allocate ---------------===//
#include "LCI/Driver/MemoryNeed.h"
#include "mlir/IR/MLIRContext.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::lci;

namespace {
struct MemoryNeedTest : testing::Test {
  uint64_t need(Kind kind, int64_t vocabulary, std::vector<int64_t> shape) {
    ValueInfo value{"A",
                    kind,
                    vocabulary,
                    std::move(shape),
                    /*ruled=*/true,
                    /*hasInit=*/true,
                    UnknownLoc::get(&context)};
    return bytesNeeded(value, options);
  }
  MLIRContext context;
  RunOptions options;
};

TEST_F(MemoryNeedTest, TokensAreStoredInTheLeastBytesThatHoldTheAbsentOneToo) {
  EXPECT_EQ(need(Kind::Token, 2, {1000, 1000}), 3'000'000u);
  EXPECT_EQ(need(Kind::Token, 255, {1}), 2u + 2); // -1 for an absent one takes a bit in files
  EXPECT_EQ(need(Kind::Token, 256, {1}), 4u + 2);
  EXPECT_EQ(need(Kind::Token, 65536, {1}), 8u + 4);
  EXPECT_EQ(need(Kind::F32, 0, {1}), 12u);
  EXPECT_EQ(need(Kind::I32, 0, {1}), 24u);
}

TEST_F(MemoryNeedTest, WhatRunsBesideCountsToo) {
  options.check = true;
  EXPECT_EQ(need(Kind::Token, 2, {1}), 1u + 4 + 80);
  options.explain = {"A[0]"};
  EXPECT_EQ(need(Kind::Token, 2, {1}), 1u + 6 + 80 + 80);
  options = RunOptions();
  options.backend = BackendKind::Interpreter;
  EXPECT_EQ(need(Kind::Token, 2, {1}), 1u + 80);
}

TEST_F(MemoryNeedTest, AGridOfBitsThatFitsIsNotRefused) {
  EXPECT_LT(need(Kind::Token, 2, {70'000, 65'536}), uint64_t(24) << 30);
}

TEST_F(MemoryNeedTest, MoreThanCanBeCountedIsTheLargestNumber) {
  EXPECT_EQ(need(Kind::Token, 2, {int64_t(1) << 40, int64_t(1) << 40}), UINT64_MAX);
}
} // namespace

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
  EXPECT_EQ(need(Kind::Token, 2, {1000, 1000}), 6'000'000u);
  EXPECT_EQ(need(Kind::Token, 255, {1}), 6u);
  EXPECT_EQ(need(Kind::Token, 256, {1}), 12u);
  EXPECT_EQ(need(Kind::Token, 65536, {1}), 24u);
  EXPECT_EQ(need(Kind::F32, 0, {1}), 24u);
  EXPECT_EQ(need(Kind::I32, 0, {1}), 48u);
}

TEST_F(MemoryNeedTest, WhatRunsBesideCountsToo) {
  options.check = true;
  EXPECT_EQ(need(Kind::Token, 2, {1}), 2u + 8 + 80);
  options.explain = {"A[0]"};
  EXPECT_EQ(need(Kind::Token, 2, {1}), 2u + 12 + 80 + 80);
  options = RunOptions();
  options.backend = BackendKind::Interpreter;
  EXPECT_EQ(need(Kind::Token, 2, {1}), 2u + 80);
}

TEST_F(MemoryNeedTest, MoreThanCanBeCountedIsTheLargestNumber) {
  EXPECT_EQ(need(Kind::Token, 2, {int64_t(1) << 40, int64_t(1) << 40}), UINT64_MAX);
}
} // namespace

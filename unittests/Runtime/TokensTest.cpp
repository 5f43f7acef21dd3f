//===- TokensTest.cpp - Token arrays from files of any integer type -------===//
#include "LCI/Runtime/Tokens.h"
#include "LCI/Runtime/Csv.h"
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace lci;

namespace {
TEST(TokensTest, SmallestSignedTypeThatHoldsThem) {
  EXPECT_EQ(tokenType(2), DType::I8);
  EXPECT_EQ(tokenType(128), DType::I8);
  EXPECT_EQ(tokenType(129), DType::I16);
  EXPECT_EQ(tokenType(32768), DType::I16);
  EXPECT_EQ(tokenType(32769), DType::I32);
  EXPECT_EQ(tokenType(int64_t(1) << 31), DType::I32);
  EXPECT_EQ(tokenType((int64_t(1) << 31) + 1), DType::I64);
}

TEST(TokensTest, AcceptsEveryIntegerType) {
  for (DType dtype : {DType::Bool, DType::I8, DType::I16, DType::I32, DType::I64, DType::U8,
                      DType::U16, DType::U32, DType::U64}) {
    Array array(dtype, {3});
    array.setInt(1, 1);
    Result<Array> tokens = toTokens(array, 300, "Vid");
    ASSERT_TRUE(tokens) << nameOf(dtype);
    EXPECT_EQ(tokens->dtype(), DType::I16);
    EXPECT_EQ(tokens->intAt(1), 1);
  }
}

TEST(TokensTest, MinusOneIsAbsent) {
  Array array(DType::I64, {2, 3});
  array.setInt(4, -1);
  Result<Array> tokens = toTokens(array, 5, "Vid");
  ASSERT_TRUE(tokens);
  EXPECT_EQ(firstAbsent(*tokens), 4);
  EXPECT_EQ(firstAbsent(Array(DType::I8, {2})), std::nullopt);
}

TEST(TokensTest, RefusesWhatIsNoToken) {
  Array array(DType::I16, {2, 3});
  array.setInt(5, 7);
  EXPECT_EQ(toTokens(array, 7, "Vid").error(),
            "expected tokens of 'Vid' in -1 .. 6, but got 7 at [1, 2]");
  array.setInt(5, -2);
  EXPECT_EQ(toTokens(array, 7, "Vid").error(),
            "expected tokens of 'Vid' in -1 .. 6, but got -2 at [1, 2]");
  Array large(DType::U64, {1}, std::vector<uint8_t>(8, 0xff));
  EXPECT_EQ(toTokens(large, 7, "Vid").error(),
            "expected tokens of 'Vid' in -1 .. 6, but got 18446744073709551615 at [0]");
}

TEST(TokensTest, FloatsAreTokensWhereTheyAreIntegers) {
  Array array(DType::F64, {2, 2});
  array.setDouble(1, 3.0);
  array.setDouble(2, -1.0);
  array.setDouble(3, -0.0);
  Result<Array> tokens = toTokens(array, 4, "Vid");
  ASSERT_TRUE(tokens);
  EXPECT_TRUE(tokens->holds({0, 3, -1, 0}));
  for (double wrong : {0.5, 4.0, -2.0, 1e300, std::numeric_limits<double>::quiet_NaN()}) {
    array.setDouble(2, wrong);
    EXPECT_EQ(toTokens(array, 4, "Vid").error(),
              "expected tokens of 'Vid' in -1 .. 3, but got " + numberText(wrong) + " at [1, 0]");
  }
}

TEST(TokensTest, RoundingMakesNoNumberInfinite) {
  const double kLargest = std::numeric_limits<float>::max(), kBorder = 0x1.ffffffp127;
  Array array(DType::F64, {3});
  array.setDouble(0, std::numeric_limits<double>::infinity());
  array.setDouble(1, kLargest);
  array.setDouble(2, std::nextafter(kBorder, 0.0));
  Result<Array> numbers = toFloats(array, "'A'");
  ASSERT_TRUE(numbers);
  EXPECT_EQ(numbers->doubleAt(1), kLargest);
  EXPECT_EQ(numbers->doubleAt(2), kLargest);
  array.setDouble(2, -kBorder);
  EXPECT_EQ(toFloats(array, "'A'").error(),
            "expected numbers that F32 holds, up to 3.4028235e38, for 'A', but got " +
                numberText(-kBorder) + " at [2]");
}
} // namespace

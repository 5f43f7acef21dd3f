//===- ArrayTest.cpp - Element types, conversions and indices -------------===//
#include "LCI/Runtime/Array.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace lci;

namespace {
TEST(ArrayTest, StoresAndLoadsEveryWritableType) {
  for (DType dtype : {DType::I8, DType::I16, DType::I32, DType::I64, DType::U8, DType::U16,
                      DType::U32, DType::U64, DType::F32, DType::F64}) {
    Array array(dtype, {2, 3});
    array.setInt(4, 100);
    EXPECT_EQ(array.intAt(4), 100) << nameOf(dtype);
    EXPECT_EQ(array.doubleAt(4), 100.0) << nameOf(dtype);
    EXPECT_EQ(array.intAt(3), 0) << nameOf(dtype);
    EXPECT_EQ(static_cast<int64_t>(array.bytes().size()), 6 * byteWidth(dtype));
  }
  Array flags(DType::Bool, {2});
  flags.setInt(1, 7);
  EXPECT_EQ(flags.intAt(1), 1);
}

TEST(ArrayTest, SignsFollowTheType) {
  Array array(DType::I8, {1}, {0xff});
  EXPECT_EQ(array.intAt(0), -1);
  EXPECT_EQ(Array(DType::U8, {1}, {0xff}).intAt(0), 255);
}

TEST(ArrayTest, SixteenBitFloatsAreExact) {
  EXPECT_EQ(halfToFloat(0x3c00), 1.0f);
  EXPECT_EQ(halfToFloat(0xc000), -2.0f);
  EXPECT_EQ(halfToFloat(0x0001), 0x1p-24f);
  EXPECT_EQ(halfToFloat(0x03ff), 1023 * 0x1p-24f);
  EXPECT_EQ(halfToFloat(0x7bff), 65504.0f);
  EXPECT_TRUE(std::signbit(halfToFloat(0x8000)));
  EXPECT_TRUE(std::isinf(halfToFloat(0x7c00)));
  EXPECT_TRUE(std::isnan(halfToFloat(0x7e00)));
  EXPECT_EQ(bfloatToFloat(0x3f80), 1.0f);
  EXPECT_EQ(bfloatToFloat(0xc040), -3.0f);
  Array half(DType::F16, {1}, {0x00, 0x3e});
  EXPECT_EQ(*half.asFloat32().data<float>(), 1.5f);
}

TEST(ArrayTest, CompilersHalfAgreesOnEveryBitPattern) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    _Float16 half;
    uint16_t narrow = static_cast<uint16_t>(bits);
    std::memcpy(&half, &narrow, 2);
    float expected = static_cast<float>(half), got = halfToFloat(narrow);
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(got)) << bits;
      continue;
    }
    ASSERT_EQ(expected, got) << bits;
    ASSERT_EQ(std::signbit(expected), std::signbit(got)) << bits;
  }
}

TEST(ArrayTest, ElementCountsRefuseOverflow) {
  EXPECT_EQ(elementCount({}), 1);
  EXPECT_EQ(elementCount({3, 0, 5}), 0);
  EXPECT_EQ(elementCount({3, 4, 5}), 60);
  EXPECT_EQ(elementCount({-1}), std::nullopt);
  EXPECT_EQ(elementCount({int64_t(1) << 32, int64_t(1) << 32}), std::nullopt);
}

TEST(ArrayTest, IntegersAreFoundExactlyOrNotAtAll) {
  Array numbers(DType::F64, {3});
  numbers.setDouble(0, 5);
  numbers.setDouble(1, -0x1p62);
  ASSERT_TRUE(numbers.asInt64());
  EXPECT_EQ(numbers.asInt64()->intAt(1), -(int64_t(1) << 62));
  numbers.setDouble(2, 0.5);
  EXPECT_FALSE(numbers.asInt64());
  numbers.setDouble(2, NAN);
  EXPECT_FALSE(numbers.asInt64());
  Array large(DType::U64, {1}, std::vector<uint8_t>(8, 0xff));
  EXPECT_FALSE(large.fitsInt64(0));
}

TEST(ArrayTest, IndicesAreRowMajor) {
  EXPECT_EQ(Array(DType::I8, {3, 4, 5}).indexText(27), "1, 1, 2");
  EXPECT_EQ(Array(DType::I8, {}).indexText(0), "");
  EXPECT_EQ(shapeText({}), "()");
  EXPECT_EQ(shapeText({3}), "(3,)");
  EXPECT_EQ(shapeText({3, 4}), "(3, 4)");
}

TEST(ArrayTest, BoundsHoldEveryTrueElement) {
  Array mask(DType::Bool, {4, 6});
  EXPECT_EQ(boundsOf(mask).shape(), (std::vector<int64_t>{2, 2}));
  EXPECT_EQ(boundsOf(mask).intAt(0), 0);
  EXPECT_EQ(boundsOf(mask).intAt(1), -1);
  mask.setInt(1 * 6 + 4, 1);
  mask.setInt(3 * 6 + 2, 1);
  Array bounds = boundsOf(mask);
  std::vector<int64_t> expected{1, 3, 2, 4};
  for (int64_t i = 0; i < 4; ++i)
    EXPECT_EQ(bounds.intAt(i), expected[i]);
}
} // namespace

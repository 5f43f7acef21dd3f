//===- NumberTextTest.cpp - Numbers and arrays of them, as text -----------===//
#include "LCI/Runtime/NumberText.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace lci;

namespace {
TEST(NumberTextTest, NumbersAndLists) {
  Result<Array> number = parseNumbers("7");
  ASSERT_TRUE(number);
  EXPECT_TRUE(number->shape().empty() && number->holds({7}));
  EXPECT_EQ(parseNumbers("2.5")->doubleAt(0), 2.5);
  EXPECT_TRUE(std::signbit(parseNumbers("-0")->doubleAt(0)));
  Result<Array> lists = parseNumbers(" [[1, 2],\n[3, -4]] ");
  ASSERT_TRUE(lists);
  EXPECT_EQ(lists->shape(), (std::vector<int64_t>{2, 2}));
  EXPECT_TRUE(lists->holds({1, 2, 3, -4}));
  EXPECT_EQ(parseNumbers("[1, 0.5]")->dtype(), DType::F64);
  EXPECT_EQ(parseNumbers("[]")->shape(), std::vector<int64_t>{0});
  EXPECT_EQ(parseNumbers("1e-400")->doubleAt(0), 0.0);
}

TEST(NumberTextTest, WhatNamesAFile) {
  for (const char *number : {"1", "-2.5", "1e400", "[1", "inf"})
    EXPECT_TRUE(isNumberText(number)) << number;
  for (const char *file : {"1.npy", "w.npy", "", "x"})
    EXPECT_FALSE(isNumberText(file)) << file;
}

TEST(NumberTextTest, WhatIsWrongIsSaid) {
  const std::pair<const char *, const char *> cases[] = {
      {"1e400", "expected numbers that F32 holds, up to 3.4028235e38, but got '1e400'"},
      {"[1, -1e400]", "expected numbers that F32 holds, up to 3.4028235e38, but got '-1e400'"},
      {"[1, [2]]", "expected nested arrays of one shape, but their depths differ"},
      {"[[], 1]", "expected nested arrays of one shape, but their depths differ"},
      {"[[1], 2]", "expected nested arrays of one shape, but their depths differ"},
      {"[[1, 2], [3]]", "expected nested arrays of one shape, but got lengths 2 and 1"},
      {"[1, 2", "expected ',' or ']' in a list, but got the end"},
      {"[1 2]", "expected ',' or ']' in a list, but got '2]'"},
      {"[a]", "expected a number, but got 'a]'"},
      {"inf", "expected a number, but got 'inf'"},
      {"[1] 2", "expected the end behind a number or a list, but got '2'"},
  };
  for (const auto &[text, message] : cases)
    EXPECT_EQ(parseNumbers(text).error(), message) << text;
  EXPECT_EQ(parseNumbers(std::string(100, '[')).error(), "expected at most 64 axes");
}
} // namespace

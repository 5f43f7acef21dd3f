//===- FunctionsTest.cpp - A sample of check-math's inputs ----------------===//
//
// The inputs nearest to ties (found by check-math, decided by MPFR), a stride over all floats with
// the host's double functions as the judge, and special values. check-math takes all inputs.
//
//===----------------------------------------------------------------------===//

#include "HostTruth.h"
#include <gtest/gtest.h>

using namespace lci::numerics;
using namespace lci::numerics::truth;

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

struct HardCase {
  Unary function;
  uint32_t input, nearest;
};

const HardCase hardCases[] = {
#include "HardCases.inc"
};

TEST(Functions, HardCases) {
  for (const HardCase &hard : hardCases)
    EXPECT_EQ(bitsOf(evaluate(hard.function, floatOf(hard.input))), hard.nearest)
        << nameOf(hard.function) << " at " << floatOf(hard.input);
}

TEST(Functions, StrideOverAllFloats) {
  for (Unary function : kAllUnary) {
    for (uint64_t bits = 0; bits < uint64_t(1) << 32; bits += 7001) {
      float x = floatOf(static_cast<uint32_t>(bits));
      if (std::optional<float> nearest = decideByHost(function, x)) {
        ASSERT_EQ(bitsOf(evaluate(function, x)), bitsOf(*nearest)) << nameOf(function) << ' ' << x;
      }
    }
  }
}

TEST(Functions, NanIsCanonical) {
  for (Unary function : kAllUnary)
    for (uint32_t nan : {0x7fc00000u, 0xffc00000u, 0x7f800001u, 0x7fffffffu})
      EXPECT_EQ(bitsOf(evaluate(function, floatOf(nan))), 0x7fc00000u) << nameOf(function);
  for (Unary function : {Unary::Sin, Unary::Cos, Unary::Tan})
    EXPECT_EQ(bitsOf(evaluate(function, -kInf)), 0x7fc00000u) << nameOf(function);
  for (Unary function : {Unary::Log, Unary::Log2, Unary::Sqrt, Unary::Rsqrt})
    EXPECT_EQ(bitsOf(evaluate(function, -1.0f)), 0x7fc00000u) << nameOf(function);
}

TEST(Functions, ZerosAndInfinities) {
  struct Row {
    Unary function;
    float x, value;
  };
  const Row rows[] = {{Unary::Exp, -kInf, 0.0f},          {Unary::Exp, kInf, kInf},
                      {Unary::Exp2, -149.0f, 0x1p-149f},  {Unary::Exp2, 128.0f, kInf},
                      {Unary::Log, 0.0f, -kInf},          {Unary::Log, -0.0f, -kInf},
                      {Unary::Log, 1.0f, 0.0f},           {Unary::Log, kInf, kInf},
                      {Unary::Log2, 0x1p-149f, -149.0f},  {Unary::Sin, -0.0f, -0.0f},
                      {Unary::Cos, 0.0f, 1.0f},           {Unary::Tan, -0.0f, -0.0f},
                      {Unary::Tanh, -kInf, -1.0f},        {Unary::Tanh, -0.0f, -0.0f},
                      {Unary::Sigmoid, -kInf, 0.0f},      {Unary::Sigmoid, 0.0f, 0.5f},
                      {Unary::Erf, kInf, 1.0f},           {Unary::Erf, -0.0f, -0.0f},
                      {Unary::Atan, kInf, 0x1.921fb6p0f}, {Unary::Atan, -0.0f, -0.0f},
                      {Unary::Sqrt, -0.0f, -0.0f},        {Unary::Rsqrt, 0.0f, kInf},
                      {Unary::Rsqrt, -0.0f, -kInf},       {Unary::Rsqrt, kInf, 0.0f}};
  for (const Row &row : rows)
    EXPECT_EQ(bitsOf(evaluate(row.function, row.x)), bitsOf(row.value))
        << nameOf(row.function) << " at " << row.x;
}

/// IEEE 754's special values are the C library's; the rest must not be far from them.
void expectNear(Binary function, float x, float y, double host) {
  float value = evaluate(function, x, y);
  if (host != host)
    EXPECT_EQ(bitsOf(value), 0x7fc00000u) << nameOf(function) << '(' << x << ", " << y << ')';
  else if (host == 0 || std::isinf(static_cast<float>(host)))
    EXPECT_EQ(bitsOf(value), bitsOf(static_cast<float>(host)))
        << nameOf(function) << '(' << x << ", " << y << ')';
  else
    EXPECT_NEAR(value, host, std::fabs(host) * 0x1p-24 + 0x1p-150)
        << nameOf(function) << '(' << x << ", " << y << ')';
}

TEST(Functions, PowAndAtan2AtSpecialValues) {
  const float values[] = {0.0f,    -0.0f,    1.0f,        -1.0f,       2.0f,  -2.0f,   3.0f,
                          -3.0f,   0.5f,     -0.5f,       1.5f,        -1.5f, 4097.0f, 1e30f,
                          -1e30f,  1e-30f,   0x1p-149f,   -0x1p-149f,  kInf,  -kInf,   kNan,
                          0x1p24f, -0x1p24f, 16777215.0f, -16777215.0f};
  for (float x : values)
    for (float y : values) {
      expectNear(Binary::Pow, x, y, std::pow(double(x), double(y)));
      expectNear(Binary::Atan2, x, y, std::atan2(double(x), double(y)));
    }
}

TEST(Functions, PowIsExactAtTies) {
  // Squares and cubes that need 25 bits: a tie, which the last bit of a double decides.
  for (uint64_t n = 4097; n < 5700; n += 2) {
    auto x = static_cast<float>(n);
    EXPECT_EQ(evaluate(Binary::Pow, x, 2.0f), x * x) << x;
  }
  for (uint64_t n = 257; n < 320; n += 2) {
    auto x = static_cast<float>(n);
    EXPECT_EQ(evaluate(Binary::Pow, x, 3.0f), static_cast<float>(n * n * n)) << x;
  }
}

TEST(Functions, MinimumAndMaximumOrderZerosAndKeepNan) {
  EXPECT_EQ(bitsOf(minimum(0.0f, -0.0f)), bitsOf(-0.0f));
  EXPECT_EQ(bitsOf(minimum(-0.0f, 0.0f)), bitsOf(-0.0f));
  EXPECT_EQ(bitsOf(maximum(0.0f, -0.0f)), bitsOf(0.0f));
  EXPECT_EQ(bitsOf(maximum(-0.0f, 0.0f)), bitsOf(0.0f));
  EXPECT_EQ(minimum(1.0f, 2.0f), 1.0f);
  EXPECT_EQ(maximum(1.0f, 2.0f), 2.0f);
  for (float other : {0.0f, kInf, -kInf, kNan}) {
    EXPECT_EQ(bitsOf(minimum(kNan, other)), 0x7fc00000u);
    EXPECT_EQ(bitsOf(maximum(other, floatOf(0xffc00001u))), 0x7fc00000u);
  }
}

TEST(Integers, FloorDivisionRoundsDown) {
  for (int64_t a = -30; a <= 30; ++a)
    for (int64_t b = -7; b <= 7; ++b) {
      if (b == 0)
        continue;
      EXPECT_EQ(floorDiv(a, b), static_cast<int64_t>(std::floor(double(a) / double(b))));
      EXPECT_EQ(floorDiv(a, b) * b + floorMod(a, b), a);
      EXPECT_TRUE(floorMod(a, b) == 0 || (floorMod(a, b) < 0) == (b < 0));
    }
}

TEST(Integers, DivisionIsTotal) {
  constexpr int64_t least = std::numeric_limits<int64_t>::min();
  EXPECT_EQ(floorDiv(17, 0), 0);
  EXPECT_EQ(floorMod(17, 0), 17);
  EXPECT_EQ(floorDiv(least, -1), least);
  EXPECT_EQ(floorMod(least, -1), 0);
  EXPECT_EQ(floorDiv(least, 3), -3074457345618258603);
  EXPECT_EQ(floorMod(least, 3), 1);
}

} // namespace

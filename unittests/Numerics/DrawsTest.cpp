//===- DrawsTest.cpp - Draws against the definition of the semantics ------===//
//
// The draws are recomputed here from Philox alone, bit by bit as the semantics defines them, and
// compared.
//
//===----------------------------------------------------------------------===//

#include "LCI/Numerics/Stream.h"
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <random>

using namespace lci::numerics;

namespace {

constexpr uint64_t kSeed = 0x0123456789abcdefu;

struct DrawsTest : testing::Test {
  DrawSite randomSite() {
    return {random() % 3, random() % 100000, random() % 1000, random() % 40};
  }
  std::mt19937_64 random{7};
  Stream stream{kSeed, 5, 2};
};

Words<ScalarOps> block(uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
  ScalarOps ops;
  auto stream = philox(ops, Words<ScalarOps>{5, 2, 0, 0}, keyOfSeed(ops, kSeed));
  return philox(ops, Words<ScalarOps>{a, b, c, d}, Key<ScalarOps>{stream[0], stream[1]});
}

TEST_F(DrawsTest, ThresholdDrawTakesBitIOfThirtyTwoWords) {
  for (int trial = 0; trial < 500; ++trial) {
    DrawSite site = randomSite();
    uint32_t expected = 0;
    for (unsigned b = 0; b < 32; ++b) {
      auto words = block(site.number, site.cell / 32, site.epoch, site.phase * 16 + b / 4);
      uint32_t bit = words[b % 4] >> (site.cell % 32) & 1;
      expected |= bit << (31 - b);
    }
    EXPECT_EQ(stream.thresholdDraw(site), expected);
  }
}

TEST_F(DrawsTest, NumberDrawTakesAWord) {
  for (int trial = 0; trial < 500; ++trial) {
    DrawSite site = randomSite();
    auto words = block(site.number, site.cell / 4, site.epoch, site.phase * 16 + 8);
    EXPECT_EQ(stream.numberDraw(site), words[site.cell % 4]);
  }
}

TEST_F(DrawsTest, LazyTestEqualsFullDraw) {
  for (int trial = 0; trial < 5000; ++trial) {
    DrawSite site = randomSite();
    uint64_t draw = stream.thresholdDraw(site);
    // Distant, sharing the first eight bits, and the nearest possible.
    uint64_t rest = random() % (uint64_t(1) << 24);
    for (uint64_t limit : {random() % (kAlways + 1), (draw & ~uint64_t(0xffffff)) | rest, draw,
                           draw + 1, draw & ~uint64_t(0xffffff), uint64_t(0), kAlways})
      EXPECT_EQ(stream.isBelow(site, limit), draw < limit) << draw << " against " << limit;
  }
}

TEST_F(DrawsTest, ShareIsDrawnWhereTheQuotientSaysSo) {
  ScalarOps ops;
  auto anyFloat = [&] {
    // All bits, or numbers near one, near the least, and the ends.
    const float ends[] = {0.0f,
                          0x1p-149f,
                          0x1p-126f,
                          1.0f,
                          std::numeric_limits<float>::max(),
                          std::numeric_limits<float>::infinity(),
                          std::numeric_limits<float>::quiet_NaN()};
    uint32_t bits = uint32_t(random());
    float sign = random() % 4 ? 1.0f : -1.0f;
    switch (random() % 5) {
    case 0:
      std::memcpy(&sign, &bits, sizeof sign);
      return sign;
    case 1:
      return sign * float(bits % 64) * 0x1p-149f;
    case 2:
      return sign * ends[bits % std::size(ends)];
    default:
      return sign * std::ldexp(1.0f + float(bits & 0x7fffff) * 0x1p-23f, int(random() % 6));
    }
  };
  for (int trial = 0; trial < 2000000; ++trial) {
    float part = anyFloat(), whole = anyFloat();
    uint64_t limit = threshold(part / whole);
    uint64_t near = std::min<uint64_t>(limit + random() % 5 - 2, 0xffffffff);
    for (uint64_t draw : {uint64_t(0), near, random() >> 32, uint64_t(0xffffffff)}) {
      ASSERT_EQ(isShareDrawn(ops, shareLimit(ops, draw, whole), part, whole), draw < limit)
          << draw << " of " << part << " / " << whole;
      if (hasQuickLimit(ops, uint32_t(draw), whole)) {
        ASSERT_EQ(quickShareLimit(ops, uint32_t(draw), whole), shareLimit(ops, draw, whole))
            << draw << " of " << whole;
      }
    }
  }
}

TEST_F(DrawsTest, QuickLimitIsTheLimitWhereThereIsOne) {
  ScalarOps ops;
  const float infinity = std::numeric_limits<float>::infinity();
  for (float whole : {0.0f, 1.0f, -1.0f, 0x1.fffffep-65f, 0x1p-149f, infinity, -infinity,
                      std::numeric_limits<float>::quiet_NaN()})
    EXPECT_EQ(hasQuickLimit(ops, 1u, whole), whole == 1.0f) << whole;
  EXPECT_FALSE(hasQuickLimit(ops, 0u, 1.0f));
  for (int trial = 0; trial < 2000000; ++trial) {
    // Draws and totals of each magnitude, and neighbours of powers of two.
    auto anyBits = [&] {
      uint64_t bits = random() % 3 ? random() : random() % 9 - 4;
      return uint32_t(bits) >> random() % 32;
    };
    uint32_t draw = anyBits();
    float mantissa = 1.0f + float(anyBits() & 0x7fffff) * 0x1p-23f;
    float whole = std::ldexp(mantissa, int(random() % 192) - 64);
    if (draw == 0)
      continue;
    ASSERT_TRUE(hasQuickLimit(ops, draw, whole)) << draw << " of " << whole;
    ASSERT_EQ(quickShareLimit(ops, draw, whole), shareLimit(ops, draw, whole))
        << draw << " of " << whole;
  }
}

TEST_F(DrawsTest, ThresholdIsTheCeilingOfTheProbability) {
  EXPECT_EQ(threshold(0.0f), 0u);
  EXPECT_EQ(threshold(-0.0f), 0u);
  EXPECT_EQ(threshold(-1.0f), 0u);
  EXPECT_EQ(threshold(std::numeric_limits<float>::quiet_NaN()), 0u);
  EXPECT_EQ(threshold(-std::numeric_limits<float>::infinity()), 0u);
  EXPECT_EQ(threshold(1.0f), kAlways);
  EXPECT_EQ(threshold(1.5f), kAlways);
  EXPECT_EQ(threshold(std::numeric_limits<float>::infinity()), kAlways);
  EXPECT_EQ(threshold(0x1.fffffep-1f), kAlways - 256);
  EXPECT_EQ(threshold(0.5f), kAlways / 2);
  EXPECT_EQ(threshold(0x1p-32f), 1u);
  EXPECT_EQ(threshold(0x1p-149f), 1u);
  EXPECT_EQ(threshold(0x1.000002p-31f), 3u);
}

TEST_F(DrawsTest, ThresholdEqualsExactArithmetic) {
  for (int trial = 0; trial < 20000; ++trial) {
    int exponent = 0;
    float p = std::ldexp(1.0f + random() % (1 << 23) * 0x1p-23f, -1 - int(random() % 60));
    auto mantissa = static_cast<uint64_t>(std::ldexp(std::frexp(p, &exponent), 24));
    int shift = 24 - exponent - 32; // p 2^32 = mantissa / 2^shift
    uint64_t expected = shift <= 0   ? mantissa << -shift
                        : shift > 30 ? 1
                                     : (mantissa + (uint64_t(1) << shift) - 1) >> shift;
    EXPECT_EQ(threshold(p), expected) << p;
  }
}

TEST_F(DrawsTest, BernoulliOneIsAlwaysAndZeroNever) {
  for (uint64_t cell = 0; cell < 2000; ++cell) {
    EXPECT_TRUE(stream.bernoulli({0, cell, 0, 0}, 1.0f));
    EXPECT_FALSE(stream.bernoulli({0, cell, 0, 0}, 0.0f));
  }
}

TEST_F(DrawsTest, BernoulliHasItsMean) {
  int count = 0;
  for (uint64_t cell = 0; cell < 40000; ++cell)
    count += stream.bernoulli({0, cell, 3, 1}, 0.3f);
  EXPECT_NEAR(count, 12000, 5 * std::sqrt(40000 * 0.3 * 0.7));
}

TEST_F(DrawsTest, UniformAndRandintAreTheDrawsFunctions) {
  for (int trial = 0; trial < 500; ++trial) {
    DrawSite site = randomSite();
    uint64_t draw = stream.numberDraw(site);
    EXPECT_EQ(stream.uniform(site), static_cast<float>(draw >> 8) * 0x1p-24f);
    for (int64_t n : {1, 2, 10, 1000003})
      EXPECT_EQ(stream.randint(site, n), static_cast<int64_t>(draw * n / kAlways));
    for (int64_t n : {int64_t(0), int64_t(-1), int64_t(-7), std::numeric_limits<int64_t>::min()})
      EXPECT_EQ(stream.randint(site, n), 0) << n;
    for (int64_t n : {int64_t(1) << 32, int64_t(1) << 40, std::numeric_limits<int64_t>::max()})
      EXPECT_EQ(stream.randint(site, n), static_cast<int64_t>(draw)) << n;
  }
}

TEST_F(DrawsTest, MetropolisTakesWhatIsNoWorse) {
  float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(metropolisThreshold(0.0f, 1.0f), kAlways);
  EXPECT_EQ(metropolisThreshold(-0.0f, 1.0f), kAlways);
  EXPECT_EQ(metropolisThreshold(3.0f, 0.0f), kAlways);
  EXPECT_EQ(metropolisThreshold(infinity, 1.0f), kAlways);
  EXPECT_EQ(metropolisThreshold(-infinity, 1.0f), 0u);
  EXPECT_EQ(metropolisThreshold(-1.0f, 0.0f), 0u);
  EXPECT_EQ(metropolisThreshold(std::numeric_limits<float>::quiet_NaN(), 1.0f), 0u);
  EXPECT_EQ(metropolisThreshold(-1.0f, 2.0f), threshold(0x1.368b30p-1f)); // e^-1/2
}

TEST_F(DrawsTest, NormalIsMonotoneAndOdd) {
  ScalarOps ops;
  float previous = -std::numeric_limits<float>::infinity();
  for (uint64_t draw = 0; draw < kAlways; draw += 65521) {
    float value = normalQuantile(ops, draw);
    EXPECT_LT(previous, value);
    EXPECT_EQ(value, -normalQuantile(ops, ~draw & kLow32));
    previous = value;
  }
}

TEST_F(DrawsTest, NormalQuantilesOfTables) {
  ScalarOps ops;
  auto at = [&](double p) { return normalQuantile(ops, static_cast<uint64_t>(p * 0x1p32)); };
  EXPECT_NEAR(at(0.975), 1.959963984540054, 1e-7);
  EXPECT_NEAR(at(0.5), 0.0, 1e-9);
  EXPECT_NEAR(at(0.841344746068543), 1.0, 1e-7);
  EXPECT_NEAR(at(0.001), -3.090232306167813, 1e-6);
  EXPECT_NEAR(normalQuantile(ops, 0), -6.33795775455, 1e-6);
}

TEST_F(DrawsTest, NormalHasUnitVariance) {
  double sum = 0, squares = 0;
  constexpr int count = 40000;
  for (uint64_t cell = 0; cell < count; ++cell) {
    double value = stream.normal({0, cell, 1, 0});
    sum += value;
    squares += value * value;
  }
  EXPECT_NEAR(sum / count, 0, 5 / std::sqrt(count));
  EXPECT_NEAR(squares / count, 1, 5 * std::sqrt(2.0 / count));
}

TEST_F(DrawsTest, StreamsDiffer) {
  DrawSite site{0, 3, 1, 0};
  uint32_t draw = stream.thresholdDraw(site);
  EXPECT_NE(draw, Stream(kSeed, 5, 3).thresholdDraw(site));
  EXPECT_NE(draw, Stream(kSeed, 6, 2).thresholdDraw(site));
  EXPECT_NE(draw, Stream(kSeed + 1, 5, 2).thresholdDraw(site));
  EXPECT_NE(draw, Stream(kSeed + kAlways, 5, 2).thresholdDraw(site));
}

TEST(CellNumber, RowsArePaddedToGroups) {
  EXPECT_EQ(cellNumber(0, 5, 40), 5u);
  EXPECT_EQ(cellNumber(3, 5, 40), 3u * 64 + 5);
  EXPECT_EQ(cellNumber(3, 5, 32), 3u * 32 + 5);
  EXPECT_EQ(cellNumber(2, 0, 1), 64u);
}

} // namespace

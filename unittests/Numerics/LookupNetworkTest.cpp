//===- LookupNetworkTest.cpp - Functions of six bits as lookups -----------===//

#include "LCI/Numerics/LookupNetwork.h"
#include "LCI/Numerics/Integers.h"
#include "gtest/gtest.h"
#include <random>

using namespace lci::numerics;

/// The number of lookups found, none if there are more than `most`; fails unless they compute the
/// function.
static size_t lookUpsOf(uint64_t table, unsigned most) {
  std::optional<LookupNetwork> network = findNetwork(table, most);
  if (!network)
    return 0;
  std::vector<uint64_t> inputs(kInputs.begin(), kInputs.end());
  EXPECT_EQ(evaluate(*network, inputs, lookUp), table);
  EXPECT_LE(network->size(), most);
  return network->size();
}

TEST(LookupNetwork, OfThreeBitsItIsOne) {
  for (unsigned table = 0; table < 256; ++table)
    for (std::array<unsigned, 3> inputs : {std::array{0u, 1u, 2u}, {5u, 3u, 0u}, {1u, 4u, 5u}})
      EXPECT_EQ(
          lookUpsOf(lookUp(kInputs[inputs[0]], kInputs[inputs[1]], kInputs[inputs[2]], table), 1),
          1u);
}

// Conway's rule on r + y of weight one and three bits of weight two: a SAT solver had found that
// four are enough (see benchmarks/gpu/hand/life.cu).
TEST(LookupNetwork, ConwaysRuleIsFour) {
  uint64_t table = 0;
  for (unsigned i = 0; i < 64; ++i) {
    auto bit = [i](unsigned input) { return i >> input & 1; };
    unsigned around = bit(0) + bit(1) + 2 * (bit(2) + bit(3) + bit(4)), self = bit(5);
    table |= uint64_t(around == 3 || (around == 2 && self)) << i;
  }
  EXPECT_EQ(lookUpsOf(table, 3), 0u);
  EXPECT_EQ(lookUpsOf(table, 4), 4u);
}

TEST(LookupNetwork, SumsOfSixBits) {
  uint64_t parity = 0;
  for (uint64_t input : kInputs)
    parity ^= input;
  EXPECT_EQ(lookUpsOf(parity, 2), 0u);
  EXPECT_EQ(lookUpsOf(parity, 9), 3u);
}

// Lookups of two dead values and one live value; where a value does not matter, the remaining table
// may be chosen so that it takes one more.
TEST(LookupNetwork, NetworksAreFoundAgain) {
  std::mt19937_64 random(11);
  int missed = 0;
  for (int round = 0; round < 300; ++round) {
    std::vector<uint64_t> values(kInputs.begin(), kInputs.end());
    unsigned lookups = 0;
    auto draw = [&] {
      size_t which = random() % values.size();
      std::swap(values[which], values.back());
      uint64_t value = values.back();
      values.pop_back();
      return value;
    };
    for (; values.size() > 3; ++lookups) {
      uint64_t a = draw(), b = draw(), shared = values[random() % values.size()];
      values.push_back(lookUp(a, b, shared, random() % 256));
    }
    uint64_t table = lookUp(values[0], values[1], values[2], random() % 256);
    missed += lookUpsOf(table, lookups + 1) == 0;
  }
  EXPECT_LE(missed, 3);
}

// Most functions of six bits need more lookups than any network that is tried.
TEST(LookupNetwork, WhatIsNotFoundIsSaid) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 100; ++round)
    EXPECT_EQ(lookUpsOf(random(), 5), 0u);
}

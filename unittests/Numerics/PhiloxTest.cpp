//===- PhiloxTest.cpp - Philox4x32-10 against its published vectors -------===//

#include "LCI/Numerics/Philox.h"
#include "LCI/Numerics/ScalarOps.h"
#include <gtest/gtest.h>

using namespace lci::numerics;

namespace {

struct KnownAnswer {
  uint64_t counter[4];
  uint64_t key[2];
  uint64_t expected[4];
};

// The rows "philox4x32 10" of Random123's kat_vectors.
const KnownAnswer knownAnswers[] = {
    {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
    {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
     {0xffffffff, 0xffffffff},
     {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
    {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
     {0xa4093822, 0x299f31d0},
     {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}};

TEST(Philox, KnownAnswers) {
  ScalarOps ops;
  for (const KnownAnswer &answer : knownAnswers) {
    Words<ScalarOps> counter{answer.counter[0], answer.counter[1], answer.counter[2],
                             answer.counter[3]};
    auto words = philox(ops, counter, Key<ScalarOps>{answer.key[0], answer.key[1]});
    for (int i = 0; i < 4; ++i)
      EXPECT_EQ(words[i], answer.expected[i]) << "word " << i;
  }
}

TEST(Philox, SeedIsKeyLowWordFirst) {
  ScalarOps ops;
  auto key = keyOfSeed(ops, 0x299f31d0a4093822u);
  EXPECT_EQ(key.low, 0xa4093822u);
  EXPECT_EQ(key.high, 0x299f31d0u);
}

} // namespace

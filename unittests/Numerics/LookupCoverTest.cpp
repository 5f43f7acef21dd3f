//===- LookupCoverTest.cpp - Covers of circuits by lookups of three bits --===//

#include "LCI/Numerics/LookupCover.h"
#include "LCI/Numerics/Integers.h"
#include "gtest/gtest.h"
#include <random>

using namespace lci::numerics;
using Kind = LookupCover::Kind;

namespace {
/// A circuit, the values of its gates for 64 cells, and those that its cover computes.
class Circuit {
public:
  unsigned input(uint64_t word) { return record(cover.add(Kind::Input), word); }
  unsigned gate(Kind kind, unsigned left, unsigned right) {
    uint64_t a = words[left], b = words[right];
    uint64_t word = kind == Kind::And ? a & b : kind == Kind::Or ? a | b : a ^ b;
    gates.push_back(cover.add(kind, left, right));
    return record(gates.back(), word);
  }
  unsigned ones() { return record(cover.add(Kind::Ones), ~uint64_t(0)); }
  unsigned zeros() { return record(cover.add(Kind::Zeros), 0); }
  void use(unsigned gate) { cover.addUse(gate); }

  /// Covers it, and evaluates each gate that is kept; returns the number of lookups.
  unsigned check() {
    cover.cover();
    std::vector<uint64_t> made = words;
    unsigned lookups = 0;
    for (unsigned gate : gates) {
      if (!cover.isMade(gate)) {
        made[gate] = ~words[gate]; // nobody may look
        continue;
      }
      LookupImplementation way = cover.implementationOf(gate);
      std::vector<uint64_t> values;
      for (unsigned leaf : way.leaves)
        values.push_back(made[leaf]);
      if (values.empty())
        values.push_back(0); // a constant is one of anything
      made[gate] = evaluate(way.network, values, lookUp);
      EXPECT_EQ(made[gate], words[gate]);
      lookups += static_cast<unsigned>(way.network.size());
    }
    EXPECT_EQ(cover.numLookups(), lookups);
    return lookups;
  }

private:
  unsigned record(unsigned number, uint64_t word) {
    EXPECT_EQ(number, words.size());
    words.push_back(word);
    return number;
  }

  LookupCover cover;
  std::vector<uint64_t> words;
  std::vector<unsigned> gates;
};
} // namespace

TEST(LookupCover, RandomCircuitsComputeWhatTheyDid) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 300; ++round) {
    Circuit circuit;
    unsigned inputs = 1 + random() % 9, gates = 1 + random() % 60;
    for (unsigned i = 0; i < inputs; ++i)
      circuit.input(random());
    unsigned last = circuit.ones();
    last = circuit.zeros();
    for (unsigned i = 0; i < gates; ++i) {
      unsigned left = static_cast<unsigned>(random() % (last + 1));
      unsigned right = static_cast<unsigned>(random() % (last + 1));
      last = circuit.gate(std::array{Kind::And, Kind::Or, Kind::Xor}[random() % 3], left, right);
      if (random() % 8 == 0)
        circuit.use(last);
    }
    circuit.use(last);
    EXPECT_LE(circuit.check(), gates);
  }
}

// Adders share their first gates: two lookups each, where the circuit has seven gates.
TEST(LookupCover, AddersAreTwo) {
  Circuit circuit;
  unsigned a = circuit.input(0x0123456789ABCDEF), b = circuit.input(0xFEDCBA9876543210 ^ 0xFF);
  unsigned c = circuit.input(0x00FF00FF0F0F3355), ones = circuit.ones();
  unsigned half = circuit.gate(Kind::Xor, a, b);
  circuit.use(circuit.gate(Kind::Xor, half, c));
  unsigned yes = circuit.gate(Kind::And, half, c);
  unsigned no = circuit.gate(Kind::And, circuit.gate(Kind::Xor, half, ones), a);
  circuit.use(circuit.gate(Kind::Or, yes, no));
  EXPECT_EQ(circuit.check(), 2u);
}

// A function of two values is one lookup, however many gates it has; nothing recurses without
// bound.
TEST(LookupCover, LongChainsAreOne) {
  Circuit circuit;
  unsigned a = circuit.input(0x0123456789ABCDEF), b = circuit.input(0x00FF00FF0F0F3355);
  unsigned last = circuit.gate(Kind::Xor, a, b);
  for (int i = 0; i < 20'000; ++i)
    last = circuit.gate(i % 2 ? Kind::Xor : Kind::Or, last, i % 3 ? a : b);
  circuit.use(last);
  EXPECT_EQ(circuit.check(), 1u);
}

//===- Philox.h - The counter-based generator Philox4x32-10 ----*- C++ -*-===//
//
// Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3" (SC11). Written in
// 64-bit lanes that hold 32-bit words: one widening multiplication gives both halves of a product,
// which is what vector units have, and no value ever crosses lanes.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_NUMERICS_PHILOX_H
#define LCI_NUMERICS_PHILOX_H

#include <array>
#include <cstddef>
#include <cstdint>

namespace lci::numerics {

inline constexpr uint64_t kLow32 = 0xffffffffu;

/// Four 32-bit words in 64-bit lanes: a counter, or a block of random bits.
template <typename Ops>
using Words = std::array<typename Ops::I64, 4>;

/// The two key words.
template <typename Ops>
struct Key {
  typename Ops::I64 low, high;
};

/// A 64-bit seed as a key.
template <typename Ops>
Key<Ops> keyOfSeed(Ops &ops, typename Ops::I64 seed) {
  return {seed & ops.i64(kLow32), seed >> ops.i64(32)};
}

/// Blocks of random words, in place of their counters, side by side: a processor has something to
/// do while it waits for a product. All words of counters and of the key must be below 2^32.
template <typename Ops, std::size_t count>
std::array<Words<Ops>, count> philox(Ops &ops, std::array<Words<Ops>, count> counters,
                                     Key<Ops> key) {
  constexpr uint64_t multipliers[] = {0xD2511F53u, 0xCD9E8D57u};
  constexpr uint64_t weyl[] = {0x9E3779B9u, 0xBB67AE85u};
  auto low = ops.i64(kLow32), half = ops.i64(32);
  for (uint64_t round = 0; round < 10; ++round) {
    auto keyLow = (key.low + ops.i64(round * weyl[0] & kLow32)) & low;
    auto keyHigh = (key.high + ops.i64(round * weyl[1] & kLow32)) & low;
    for (Words<Ops> &c : counters) {
      auto first = c[0] * ops.i64(multipliers[0]);
      auto second = c[2] * ops.i64(multipliers[1]);
      c = {(second >> half) ^ c[1] ^ keyLow, second & low, (first >> half) ^ c[3] ^ keyHigh,
           first & low};
    }
  }
  return counters;
}

/// One block.
template <typename Ops>
Words<Ops> philox(Ops &ops, const Words<Ops> &counter, Key<Ops> key) {
  return philox(ops, std::array<Words<Ops>, 1>{counter}, key)[0];
}

} // namespace lci::numerics

#endif // LCI_NUMERICS_PHILOX_H

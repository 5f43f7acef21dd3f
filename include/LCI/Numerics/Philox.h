//===- Philox.h - The counter-based generator Philox4x32-10 -----*- C++ -*-===//
//
// Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3" (SC11). Written in
// 64-bit lanes that hold 32-bit words: one widening multiplication gives both halves of a product,
// which vector units have, and no value ever crosses lanes.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_NUMERICS_PHILOX_H
#define LCI_NUMERICS_PHILOX_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

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

/// The increments of the key's words in each round, and the multipliers of a counter's.
inline constexpr uint32_t kWeyl[] = {0x9E3779B9u, 0xBB67AE85u};
inline constexpr uint32_t kMultipliers[] = {0xD2511F53u, 0xCD9E8D57u};
inline constexpr unsigned kRounds = 10;

/// One round of several blocks, in operations on 64-bit lanes, interleaved, to hide the latency of
/// a product.
template <typename Ops, typename Blocks>
void philoxRound(Ops &ops, Blocks &blocks, Key<Ops> key, uint64_t round) {
  auto low = ops.i64(kLow32), half = ops.i64(32);
  auto keyLow = (key.low + ops.i64(round * kWeyl[0] & kLow32)) & low;
  auto keyHigh = (key.high + ops.i64(round * kWeyl[1] & kLow32)) & low;
  for (Words<Ops> &c : blocks) {
    auto first = c[0] * ops.i64(kMultipliers[0]);
    auto second = c[2] * ops.i64(kMultipliers[1]);
    c = {(second >> half) ^ c[1] ^ keyLow, second & low, (first >> half) ^ c[3] ^ keyHigh,
         first & low};
  }
}

/// Whether the policy has a specialized implementation of blocks.
template <typename Ops, std::size_t count, typename = void>
struct HasPhilox : std::false_type {};
template <typename Ops, std::size_t count>
struct HasPhilox<Ops, count,
                 std::void_t<decltype(std::declval<Ops &>().philox(
                     std::declval<std::array<Words<Ops>, count>>(), std::declval<Key<Ops>>()))>>
    : std::true_type {};

/// Blocks of random words, in place of their counters. All words of counters and of the key must be
/// below 2^32.
template <typename Ops, std::size_t count>
std::array<Words<Ops>, count> philox(Ops &ops, std::array<Words<Ops>, count> counters,
                                     Key<Ops> key) {
  if constexpr (HasPhilox<Ops, count>::value)
    return ops.philox(counters, key);
  for (unsigned round = 0; round < kRounds; ++round)
    philoxRound(ops, counters, key, round);
  return counters;
}

/// One block.
template <typename Ops>
Words<Ops> philox(Ops &ops, const Words<Ops> &counter, Key<Ops> key) {
  return philox(ops, std::array<Words<Ops>, 1>{counter}, key)[0];
}

} // namespace lci::numerics

#endif // LCI_NUMERICS_PHILOX_H

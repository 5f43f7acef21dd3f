//===- philox512.h - Philox4x32-10 on AVX-512 -----------------------------===//
//
// Sixteen blocks whose counters differ only in their second word: the threshold draws of sixteen
// groups of cells. Words are in the low halves of 64-bit lanes, eight blocks to a register; the
// multiplication ignores the high halves. The first three rounds are mostly the same for all cells,
// or for all blocks of a cell, and are shared.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_BENCHMARKS_HAND_PHILOX512_H
#define LCI_BENCHMARKS_HAND_PHILOX512_H

#include <cstdint>
#include <immintrin.h>

using Vector = __m512i;
#define INLINE inline __attribute__((always_inline))

inline constexpr uint32_t kMul0 = 0xD2511F53, kMul1 = 0xCD9E8D57;
inline constexpr uint32_t kWeyl0 = 0x9E3779B9, kWeyl1 = 0xBB67AE85;

/// The keys of the ten rounds.
struct RoundKeys {
  uint32_t low[10], high[10];
  RoundKeys(uint32_t key0, uint32_t key1) {
    for (uint32_t round = 0; round < 10; ++round) {
      low[round] = key0 + round * kWeyl0;
      high[round] = key1 + round * kWeyl1;
    }
  }
};

/// One block, by the definition.
inline void philox(const uint32_t counter[4], const RoundKeys &keys, uint32_t words[4]) {
  uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
  for (int round = 0; round < 10; ++round) {
    uint64_t p0 = uint64_t(kMul0) * c0, p1 = uint64_t(kMul1) * c2;
    c0 = uint32_t(p1 >> 32) ^ c1 ^ keys.low[round];
    c1 = uint32_t(p1);
    c2 = uint32_t(p0 >> 32) ^ c3 ^ keys.high[round];
    c3 = uint32_t(p0);
  }
  words[0] = c0, words[1] = c1, words[2] = c2, words[3] = c3;
}

/// The key of a call's stream: the first two words of Philox((declaration, ordinal, 0, 0), seed).
inline RoundKeys keysOfStream(uint64_t seed, uint32_t declaration, uint32_t ordinal) {
  uint32_t counter[4] = {declaration, ordinal, 0, 0}, words[4];
  philox(counter, RoundKeys(uint32_t(seed), uint32_t(seed >> 32)), words);
  return {words[0], words[1]};
}

INLINE Vector all32(uint32_t x) { return _mm512_set1_epi32(int(x)); }
INLINE Vector xor3(Vector a, Vector b, Vector c) {
  return _mm512_ternarylogic_epi32(a, b, c, 0x96);
}
INLINE Vector highHalf(Vector x) { return _mm512_srli_epi64(x, 32); }
/// The same by a shuffle, which runs in parallel with multiplications; the compiler would make it a
/// shift.
INLINE Vector highHalfByShuffle(Vector x) {
  Vector y;
  asm("vmovshdup %1, %0" : "=v"(y) : "v"(x));
  return y;
}

/// The common part of the blocks `first` to `first` + 7 of one epoch, for draw number 0.
struct PhiloxTick {
  PhiloxTick(const RoundKeys &keys, uint32_t epoch, uint32_t firstBlock) : keys(keys) {
    // Round 1 on (0, group, epoch, block), round 2 and half of round 3 where they are uniform.
    uint64_t q1 = uint64_t(kMul1) * epoch;
    group = uint32_t(q1 >> 32) ^ keys.low[0];
    uint32_t c1 = uint32_t(q1);
    third = keys.high[1]; // the low half of kMul0 · 0 is 0
    for (uint32_t block = 0; block < 8; ++block) {
      uint32_t c2 = (firstBlock + block) ^ keys.high[0];
      uint64_t r1 = uint64_t(kMul1) * c2;
      uint32_t d0 = uint32_t(r1 >> 32) ^ c1 ^ keys.low[1];
      uint64_t s0 = uint64_t(kMul0) * d0;
      word0[block] = uint32_t(r1) ^ keys.low[2];
      word2[block] = uint32_t(s0 >> 32) ^ keys.high[2];
      word3[block] = uint32_t(s0) ^ keys.high[3];
    }
  }
  RoundKeys keys;
  uint32_t group, third, word0[8], word2[8], word3[8];
};

/// The part of the first three rounds that eight groups share between blocks.
struct PhiloxGroups {
  INLINE PhiloxGroups(Vector groups, const PhiloxTick &tick) {
    Vector p0 = _mm512_mul_epu32(_mm512_xor_si512(groups, all32(tick.group)), all32(kMul0));
    Vector p1 = _mm512_mul_epu32(_mm512_xor_si512(highHalf(p0), all32(tick.third)), all32(kMul1));
    high1 = highHalf(p1), product0 = p0, product1 = p1;
  }
  Vector high1, product0, product1;
};

/// Eight blocks after three rounds, with the key of the fourth already added to the last word.
struct PhiloxState {
  INLINE void start(const PhiloxGroups &groups, const PhiloxTick &tick, int block) {
    c0 = _mm512_xor_si512(groups.high1, all32(tick.word0[block]));
    c1 = groups.product1;
    c2 = _mm512_xor_si512(groups.product0, all32(tick.word2[block]));
    c3 = all32(tick.word3[block]);
  }
  INLINE void round(Vector low, Vector high) {
    Vector p0 = _mm512_mul_epu32(c0, all32(kMul0)), p1 = _mm512_mul_epu32(c2, all32(kMul1));
    c0 = xor3(highHalf(p1), c1, low);
    c2 = xor3(highHalfByShuffle(p0), c3, high);
    c1 = p1, c3 = p0;
  }
  Vector c0, c1, c2, c3;
};

/// Words of even and of odd blocks, from the low halves of both.
INLINE Vector joinLow(Vector even, Vector odd) {
  return _mm512_mask_blend_epi32(0xAAAA, even, _mm512_slli_epi64(odd, 32));
}
INLINE Vector joinHigh(Vector even, Vector odd) {
  return _mm512_mask_blend_epi32(0xAAAA, highHalf(even), odd);
}

/// The last round, which leaves the words in order in 32-bit lanes.
INLINE void finish(const PhiloxState &even, const PhiloxState &odd, Vector low, Vector high,
                   Vector words[4]) {
  Vector p0e = _mm512_mul_epu32(even.c0, all32(kMul0)),
         p1e = _mm512_mul_epu32(even.c2, all32(kMul1));
  Vector p0o = _mm512_mul_epu32(odd.c0, all32(kMul0)), p1o = _mm512_mul_epu32(odd.c2, all32(kMul1));
  words[0] = xor3(joinHigh(p1e, p1o), joinLow(even.c1, odd.c1), low);
  words[1] = joinLow(p1e, p1o);
  words[2] = xor3(joinHigh(p0e, p0o), joinLow(even.c3, odd.c3), high);
  words[3] = joinLow(p0e, p0o);
}

/// The four words of `count` blocks, from `first` on, of sixteen groups each.
template <int count>
INLINE void philox16(Vector groups, const PhiloxTick &tick, int first, Vector words[count][4]) {
  PhiloxGroups even(groups, tick), odd(highHalf(groups), tick);
  PhiloxState e[count], o[count];
  for (int i = 0; i < count; ++i) {
    e[i].start(even, tick, first + i);
    o[i].start(odd, tick, first + i);
  }
#pragma clang loop unroll(full)
  for (int round = 3; round < 9; ++round) {
    Vector low = all32(tick.keys.low[round]);
    // The counter already includes the key of the fourth round.
    Vector high = round == 3 ? _mm512_setzero_si512() : all32(tick.keys.high[round]);
    for (int i = 0; i < count; ++i) {
      e[i].round(low, high);
      o[i].round(low, high);
    }
  }
  Vector low = all32(tick.keys.low[9]), high = all32(tick.keys.high[9]);
  for (int i = 0; i < count; ++i)
    finish(e[i], o[i], low, high, words[i]);
}

#endif // LCI_BENCHMARKS_HAND_PHILOX512_H

//===- Draws.h - The definition of draws at a cell --------------*- C++ -*-===//
//
// A draw depends only on its stream, epoch, phase, cell and number. Cells are numbered by n, in
// groups of 32. Threshold draws are bit-sliced: bit b of the draw (0 the most significant) is bit n
// mod 32 of word b mod 4 of block b div 4, so that one block is four planes of 32 cells. Number
// draws use one whole word for each cell. The kind of each built-in is fixed here, independent of
// layouts.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_NUMERICS_DRAWS_H
#define LCI_NUMERICS_DRAWS_H

#include "LCI/Numerics/Exponential.h"
#include "LCI/Numerics/Normal.h"
#include "LCI/Numerics/Philox.h"

namespace lci::numerics {

/// The block of a phase that serves number draws; threshold draws take the blocks 0 to 7.
inline constexpr uint64_t kNumberBlock = 8;

/// Cells that share a block in threshold draws, a bit of each word for each, and in number draws.
inline constexpr unsigned kThresholdCells = 32, kNumberCells = 4;

/// The threshold of probability 1, and the number of blocks that a lazy test always computes.
inline constexpr uint64_t kAlways = uint64_t(1) << 32;
inline constexpr unsigned kEagerBlocks = 2, kThresholdBlocks = 8;
/// The bits of a threshold behind those of that many blocks.
constexpr uint64_t remainderMask(unsigned eagerBlocks) {
  return (kAlways - 1) >> (4 * eagerBlocks);
}

/// The site of a draw; each member is taken modulo 2^32 where it enters a counter.
template <typename Ops>
struct Site {
  typename Ops::I64 number; // rank in the enclosing reduction, or the candidate
  typename Ops::I64 cell;   // n
  typename Ops::I64 epoch;
  typename Ops::I64 phase;
};

/// The key of the stream of one call of a declaration.
template <typename Ops>
Key<Ops> streamKey(Ops &ops, typename Ops::I64 declaration, typename Ops::I64 ordinal,
                   typename Ops::I64 seed) {
  auto none = ops.i64(0), low = ops.i64(kLow32);
  Words<Ops> counter{declaration & low, ordinal & low, none, none};
  Words<Ops> words = philox(ops, counter, keyOfSeed(ops, seed));
  return {words[0], words[1]};
}

/// n: rows are padded to whole groups of the longest row, so that no group spans two rows.
inline uint64_t cellNumber(uint64_t row, uint64_t rank, uint64_t longest) {
  return row * kThresholdCells * ((longest + kThresholdCells - 1) / kThresholdCells) + rank;
}

/// The counter of block `block` of the group (or, for number draws, of the quadruple) `group`.
template <typename Ops>
Words<Ops> counterOf(Ops &ops, const Site<Ops> &site, typename Ops::I64 group,
                     typename Ops::I64 block) {
  auto low = ops.i64(kLow32);
  auto tick = (site.phase << ops.i64(4)) + block;
  return {site.number & low, group & low, site.epoch & low, tick & low};
}

template <typename Ops>
Words<Ops> blockOf(Ops &ops, const Key<Ops> &key, const Site<Ops> &site, typename Ops::I64 group,
                   typename Ops::I64 block) {
  return philox(ops, counterOf(ops, site, group, block), key);
}

/// Bits 4 `block` to 4 `block` + 3 of the draw, as a number below 16.
template <typename Ops>
typename Ops::I64 thresholdDigit(Ops &ops, const Key<Ops> &key, const Site<Ops> &site,
                                 typename Ops::I64 block) {
  auto words = blockOf(ops, key, site, site.cell >> ops.i64(5), block);
  auto lane = site.cell & ops.i64(31);
  auto digit = ops.i64(0);
  for (const auto &word : words)
    digit = (digit << ops.i64(1)) | ((word >> lane) & ops.i64(1));
  return digit;
}

/// Bits of a threshold draw from block `first` up to but not including block `last`.
template <typename Ops>
typename Ops::I64 thresholdBits(Ops &ops, const Key<Ops> &key, const Site<Ops> &site,
                                unsigned first, unsigned last) {
  auto bits = ops.i64(0);
  for (unsigned block = first; block < last; ++block)
    bits = (bits << ops.i64(4)) | thresholdDigit(ops, key, site, ops.i64(block));
  return bits;
}

/// All 32 bits of a threshold draw.
template <typename Ops>
typename Ops::I64 thresholdDraw(Ops &ops, const Key<Ops> &key, const Site<Ops> &site) {
  return thresholdBits(ops, key, site, 0, kThresholdBlocks);
}

/// The result of `draw < threshold` by the first bits of a draw, by default eight.
template <typename Ops>
struct EagerTest {
  typename Ops::Bool isLess;
  typename Ops::Bool isUndecided; // then the later bits decide
};

template <typename Ops>
EagerTest<Ops> testEagerly(Ops &ops, const Key<Ops> &key, const Site<Ops> &site,
                           typename Ops::I64 threshold, unsigned eagerBlocks = kEagerBlocks) {
  auto head = thresholdBits(ops, key, site, 0, eagerBlocks);
  auto limit = threshold >> ops.i64(4 * (kThresholdBlocks - eagerBlocks));
  auto hasRest = (threshold & ops.i64(remainderMask(eagerBlocks))) != ops.i64(0);
  return {head < limit, ops.both(head == limit, hasRest)};
}

/// `draw < threshold` for a draw whose first eight bits are those of the threshold.
template <typename Ops>
typename Ops::Bool testRest(Ops &ops, const Key<Ops> &key, const Site<Ops> &site,
                            typename Ops::I64 threshold) {
  auto rest = thresholdBits(ops, key, site, kEagerBlocks, kThresholdBlocks);
  return rest < (threshold & ops.i64(remainderMask(kEagerBlocks)));
}

/// The 32 bits of a number draw.
template <typename Ops>
typename Ops::I64 numberDraw(Ops &ops, const Key<Ops> &key, const Site<Ops> &site) {
  auto words = blockOf(ops, key, site, site.cell >> ops.i64(2), ops.i64(kNumberBlock));
  auto isOdd = (site.cell & ops.i64(1)) != ops.i64(0);
  auto isUpper = (site.cell & ops.i64(2)) != ops.i64(0);
  return ops.select(isUpper, ops.select(isOdd, words[3], words[2]),
                    ops.select(isOdd, words[1], words[0]));
}

/// ceil(p 2^32) as a 33-bit integer: 0 for NaN and below 0, 2^32 from 1 on. Exact.
template <typename Ops>
typename Ops::I64 thresholdOf(Ops &ops, typename Ops::F32 probability) {
  auto p = ops.widen(probability);
  p = ops.select(p > ops.f64(0.0), p, ops.f64(0.0));
  return ceiling(ops, atMost(ops, p, 1.0) * ops.f64(0x1p32));
}

/// The limit that separates parts of `whole` whose rounded quotient is above draw / 2^32 from the
/// others: with the sign of `whole` they are above it. Such a quotient is above the midpoint m of
/// two adjacent numbers of 24 bits, so the part is above whole * m, which 64 bits hold: no division
/// is needed. No part equals whole * m, since m has 25 bits and is odd; below the least number m is
/// half of that.
template <typename Ops>
typename Ops::F32 shareLimit(Ops &ops, typename Ops::I64 draw, typename Ops::F32 whole) {
  constexpr uint64_t beyond24Bits = (uint64_t(1) << 29) - 1, half = uint64_t(1) << 28;
  constexpr uint64_t bitsOfTwoTo20 = 0x4130000000000000u; // whose last 32 bits count 2^-32
  auto fraction = ops.fromBits(draw | ops.i64(bitsOfTwoTo20)) - ops.f64(0x1p20);
  auto m = ops.fromBits((ops.bits(fraction) & ops.i64(~beyond24Bits)) | ops.i64(half));
  m = ops.select(m > ops.f64(0x1p-150), m, ops.f64(0x1p-150));
  auto product = ops.widen(ops.timesSign(whole, whole)) * m;
  // Rounded down. The preceding number is that times 1 - 2^-24, or, close to zero, one step less.
  auto limit = ops.narrow(product);
  auto factor = limit * ops.f32(0x1.fffffep-1f), step = limit - ops.f32(0x1p-149f);
  auto before = ops.select(factor < step, factor, step);
  return ops.select(ops.widen(limit) > product, before, limit);
}

/// Whether `quickShareLimit` may be used: its products are then far enough from the limits of
/// 32-bit numbers.
template <typename Ops>
typename Ops::Bool hasQuickLimit(Ops &ops, typename Ops::I32 draw, typename Ops::F32 whole) {
  auto isOrdinary = ops.both(whole >= ops.f32(0x1p-64f), whole < ops.f32(kInfinity));
  return ops.both(draw != ops.i32(0), isOrdinary);
}

/// The same limit in half the width. m is the first 24 bits of the draw plus half of the last of
/// them, both of which are floats: one rounding gives whole * m, and the remainder, which is exact
/// too, tells whether it was rounded up.
template <typename Ops>
typename Ops::F32 quickShareLimit(Ops &ops, typename Ops::I32 draw, typename Ops::F32 whole) {
  // Without the first bit behind 24, and others of them, the draw is not rounded up.
  auto head = ops.toFloat(draw ^ (draw & (draw >> ops.i32(24))));
  auto half = ops.fromBits(ops.bits(head) & ops.i32(0x7f800000)) * ops.f32(0x1p-24f);
  auto unit = whole * ops.f32(0x1p-32f), tail = unit * half;
  auto limit = ops.fma(unit, head, tail);
  auto left = ops.fma(unit, head, ops.f32(-0.0f) - limit) + tail;
  auto before = ops.fromBits(ops.bits(limit) - ops.i32(1));
  return ops.select(left < ops.f32(0.0f), before, limit);
}

/// `draw < thresholdOf(part / whole)` for the limit of the draw and `whole`.
template <typename Ops>
typename Ops::Bool isShareDrawn(Ops &ops, typename Ops::F32 limit, typename Ops::F32 part,
                                typename Ops::F32 whole) {
  return ops.timesSign(part, whole) > limit;
}

/// The threshold at which `metropolis` accepts a proposal: always if it is no worse.
template <typename Ops>
typename Ops::I64 metropolisThreshold(Ops &ops, typename Ops::F32 gain,
                                      typename Ops::F32 temperature) {
  auto threshold = thresholdOf(ops, exp(ops, gain / temperature));
  return ops.select(gain >= ops.f32(0.0f), ops.i64(kAlways), threshold);
}

/// uniform(): a multiple of 2^-24 in [0, 1).
template <typename Ops>
typename Ops::F32 uniformOf(Ops &ops, typename Ops::I64 draw) {
  return ops.narrow(exactDouble(ops, draw >> ops.i64(8)) * ops.f64(0x1p-24));
}

/// randint(n): 0 where n is not positive; n beyond 2^32 is useless for a draw of 32 bits.
template <typename Ops>
typename Ops::I64 randintOf(Ops &ops, typename Ops::I64 draw, typename Ops::I64 n) {
  auto none = ops.i64(0), all = ops.i64(uint64_t(1) << 32);
  auto bound = ops.select(ops.lessSigned(n, none), none, n);
  return (draw * ops.select(ops.lessSigned(all, bound), all, bound)) >> ops.i64(32);
}

} // namespace lci::numerics

#endif // LCI_NUMERICS_DRAWS_H

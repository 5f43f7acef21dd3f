//===- Power.h - pow, sqrt, rsqrt -------------------------------*- C++ -*-===//
//
// pow is 2^(y log2 |x|) with the logarithm and the product as sums of two doubles. It has too many
// inputs to check them all, so this sequence of operations is its definition; special values are
// those of IEEE 754's pow.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_NUMERICS_POWER_H
#define LCI_NUMERICS_POWER_H

#include "LCI/Numerics/Exponential.h"
#include "LCI/Numerics/Logarithm.h"

namespace lci::numerics {

namespace detail {

/// 2^r = 1 + r (high + low + r q(r)), relative error 2^-63.4.
inline constexpr double kPowHigh = 0x1.62e42fefa39efp-1, kPowLow = 0x1.9bd5c5fe27baep-56;
inline constexpr double kPow[] = {
    0x1.ebfbdff82c58fp-3,  0x1.c6b08d704a0cfp-5,  0x1.3b2ab6fba4d72p-7,  0x1.5d87fe78a26a7p-10,
    0x1.430912f8af721p-13, 0x1.ffcbfc74e36b3p-17, 0x1.62c02144e5409p-20, 0x1.b524dd3636404p-24,
    0x1.e4d27e743339dp-28, 0x1.ea018057e3f3bp-32, 0x1.c02ba756ccea6p-36};

/// An unevaluated sum of two doubles.
template <typename Ops>
struct Pair {
  typename Ops::F64 high, low;
};

/// log2 of a positive normal double of at most 50 bits, error about 2^-60.
template <typename Ops>
Pair<Ops> log2Pair(Ops &ops, typename Ops::F64 x) {
  auto binade = splitBinade(ops, x);
  auto f = binade.fraction;
  auto denominator = f + ops.f64(2.0); // exact: x was a float
  auto s = f / denominator;
  auto sRest = ops.fma(ops.f64(-0.0) - s, denominator, f) / denominator;
  auto z = s * s;
  auto twice = s + s;
  auto rest = ops.fma(s * z, polynomial(ops, kLog8, z), sRest + sRest);
  auto high = twice * ops.f64(kLog2EHigh);
  auto low = ops.fma(twice, ops.f64(kLog2EHigh), ops.f64(-0.0) - high);
  low = ops.fma(twice, ops.f64(kLog2ELow), ops.fma(rest, ops.f64(kLog2EHigh), low));
  auto sum = binade.exponent + high;
  low = ((binade.exponent - sum) + high) + low;
  auto head = sum + low;
  return {head, (sum - head) + low};
}

/// 2^(high + low) in double, its exponent clamped to one beyond float's range on either side.
template <typename Ops>
typename Ops::F64 exp2Pair(Ops &ops, const Pair<Ops> &x) {
  auto high = atMost(ops, atLeast(ops, x.high, -160.0), 130.0);
  auto low = ops.select(high == x.high, x.low, ops.f64(0.0));
  auto k = roundProduct(ops, high, ops.f64(1.0));
  auto r = high - k.value;
  // 1 + r ln 2 is summed exactly, so that powers that are floats or ties come out exact.
  auto linear = r * ops.f64(kPowHigh);
  auto linearRest = ops.fma(r, ops.f64(kPowHigh), ops.f64(-0.0) - linear);
  auto curve = (r * r) * polynomial(ops, kPow, r);
  auto head = linear + ops.f64(1.0);
  auto headRest = (ops.f64(1.0) - head) + linear;
  auto slope = (head + curve) * ops.f64(kPowHigh);
  auto tail = ops.fma(low, slope, ops.fma(r, ops.f64(kPowLow), linearRest));
  return scale(ops, head + (curve + (headRest + tail)), k.word);
}

/// The properties of the second argument that pow needs.
template <typename Ops>
struct Parity {
  typename Ops::Bool isInteger, isOdd;
};

template <typename Ops>
Parity<Ops> parity(Ops &ops, typename Ops::F64 magnitude) {
  auto rounded = roundProduct(ops, magnitude, ops.f64(1.0));
  auto isHuge = magnitude >= ops.f64(0x1p24); // every such float is even
  auto isOddWord = (rounded.word & ops.i64(1)) != ops.i64(0);
  auto isInteger = ops.either(isHuge, rounded.value == magnitude);
  return {isInteger, ops.both(isInteger, ops.both(ops.negate(isHuge), isOddWord))};
}

} // namespace detail

template <typename Ops>
typename Ops::F32 pow(Ops &ops, typename Ops::F32 xArgument, typename Ops::F32 yArgument) {
  auto wideX = ops.widen(xArgument), y = ops.widen(yArgument);
  auto x = splitSign(ops, wideX);
  auto zero = ops.f64(0.0), one = ops.f64(1.0), infinity = ops.f64(kInfinity);

  auto logarithm = detail::log2Pair(ops, x.magnitude);
  logarithm.high = ops.select(x.magnitude == zero, ops.f64(-kInfinity), logarithm.high);
  logarithm.high = ops.select(x.magnitude == infinity, infinity, logarithm.high);
  auto high = y * logarithm.high;
  auto low = ops.fma(y, logarithm.low, ops.fma(y, logarithm.high, ops.f64(-0.0) - high));
  auto value = detail::exp2Pair(ops, detail::Pair<Ops>{high, low});

  auto yKind = detail::parity(ops, splitSign(ops, y).magnitude);
  auto nan = ops.f64(std::numeric_limits<double>::quiet_NaN());
  auto sign = ops.select(yKind.isOdd, x.sign, ops.i64(0));
  auto isRoot =
      ops.both(ops.both(wideX < zero, x.magnitude < infinity), ops.negate(yKind.isInteger));
  value = ops.select(isRoot, nan, flipSign(ops, value, sign));
  value = ops.select(ops.either(wideX != wideX, y != y), nan, value);
  // 1 to any power, and -1 to an infinite one.
  auto isInfiniteY = splitSign(ops, y).magnitude == infinity;
  auto isOne = ops.either(wideX == one, ops.both(x.magnitude == one, isInfiniteY));
  value = ops.select(ops.either(y == zero, isOne), one, value);
  return finish(ops, value);
}

template <typename Ops>
typename Ops::F32 sqrt(Ops &ops, typename Ops::F32 x) {
  return ops.canonical(ops.sqrt(x));
}

/// The square root in double and one division: two roundings that never add up to a wrong float.
template <typename Ops>
typename Ops::F32 rsqrt(Ops &ops, typename Ops::F32 x) {
  return finish(ops, ops.f64(1.0) / ops.sqrt(ops.widen(x)));
}

} // namespace lci::numerics

#endif // LCI_NUMERICS_POWER_H

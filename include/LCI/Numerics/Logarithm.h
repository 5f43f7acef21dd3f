//===- Logarithm.h - log and log2 -------------------------------*- C++ -*-===//
//
// x = 2^e m with m in [sqrt(1/2), sqrt(2)), and log(m) = 2s + s z R(z) with s = (m-1)/(m+1) and
// z = s^2. The exponent is split off with logical shifts alone, which every vector unit has.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_NUMERICS_LOGARITHM_H
#define LCI_NUMERICS_LOGARITHM_H

#include "LCI/Numerics/Basics.h"

namespace lci::numerics {

namespace detail {

/// R, absolute error of log 2^-50.4 (six terms) and 2^-65.7 (eight).
inline constexpr double kLog6[] = {0x1.55555555553b3p-1, 0x1.9999999b8b2b6p-2,
                                   0x1.24924625ea445p-2, 0x1.c71fd0a449075p-3,
                                   0x1.7382477368d3dp-3, 0x1.547223efa9ec5p-3};
inline constexpr double kLog8[] = {0x1.5555555555555p-1, 0x1.9999999999d58p-2, 0x1.249249242f0ap-2,
                                   0x1.c71c725c1a977p-3, 0x1.745cdb8fda4d9p-3, 0x1.3b2153e7d83e8p-3,
                                   0x1.0f4a99a85dca8p-3, 0x1.101ea97c46a78p-3};

inline constexpr double kLog2EHigh = 0x1.71547652b82fep0, kLog2ELow = 0x1.777d0ffda0d24p-56;

/// ln 2 in two parts, the first short enough that its product with an exponent is exact.
inline constexpr double kLn2Short = 0x1.62e42feep-1, kLn2Rest = 0x1.a39ef35793c76p-33;

inline constexpr Exception kLogExceptions[] = {{0x1.2f1fd6p+3, 0x1.1fcbcep+1},
                                               {0x1.6351d8p+95, 0x1.08b512p+6},
                                               {0x1.827a74p-7, -0x1.1c2b1ep+2},
                                               {0x1.b121a6p+76, 0x1.a9a3f2p+5},
                                               {0x1.bacb4ap+25, 0x1.1e0696p+4}};

/// x = 2^exponent (1 + fraction), fraction in [sqrt(1/2) - 1, sqrt(2) - 1).
template <typename Ops>
struct Binade {
  typename Ops::F64 exponent;
  typename Ops::F64 fraction;
};

/// Splits a positive normal double of an exponent in [-1022, 1023].
template <typename Ops>
Binade<Ops> splitBinade(Ops &ops, typename Ops::F64 x) {
  constexpr uint64_t bias = 1024, sqrtHalf = 0x3fe6a09e00000000u;
  auto bits = ops.bits(x);
  auto biased = bits + ops.i64((bias << 52) - sqrtHalf);
  auto exponentField = biased & ops.i64(0xfff0000000000000u);
  auto exponent = exactDouble(ops, biased >> ops.i64(52));
  auto mantissa = ops.fromBits(bits - exponentField + ops.i64(bias << 52));
  return {exponent - ops.f64(bias), mantissa - ops.f64(1.0)};
}

/// log(1 + f) = f - (half - s * (half + rest)).
template <typename Ops>
struct LogParts {
  typename Ops::F64 s, half, rest;
};

template <typename Ops, size_t N>
LogParts<Ops> logParts(Ops &ops, const double (&r)[N], typename Ops::F64 f) {
  auto s = f / (f + ops.f64(2.0));
  auto z = s * s;
  return {s, ops.f64(0.5) * f * f, z * polynomial(ops, r, z)};
}

/// `result` with the values of a logarithm at 0, infinity and below 0.
template <typename Ops>
typename Ops::F32 finishLog(Ops &ops, typename Ops::F64 x, typename Ops::F64 result) {
  auto zero = ops.f64(0.0);
  result = ops.select(x == zero, ops.f64(-kInfinity), result);
  result = ops.select(x == ops.f64(kInfinity), x, result);
  result = ops.select(x >= zero, result, ops.f64(std::numeric_limits<double>::quiet_NaN()));
  return finish(ops, result);
}

/// log(x) in double for a positive normal x.
template <typename Ops, size_t N>
typename Ops::F64 logDouble(Ops &ops, const double (&r)[N], typename Ops::F64 x) {
  auto binade = splitBinade(ops, x);
  auto parts = logParts(ops, r, binade.fraction);
  auto low = ops.fma(parts.s, parts.half + parts.rest, binade.exponent * ops.f64(kLn2Rest));
  auto fraction = binade.fraction - (parts.half - low);
  return ops.fma(binade.exponent, ops.f64(kLn2Short), fraction);
}

} // namespace detail

template <typename Ops>
typename Ops::F32 log(Ops &ops, typename Ops::F32 argument) {
  auto x = ops.widen(argument);
  auto result = correct(ops, x, detail::logDouble(ops, detail::kLog6, x), detail::kLogExceptions);
  return detail::finishLog(ops, x, result);
}

template <typename Ops>
typename Ops::F32 log2(Ops &ops, typename Ops::F32 argument) {
  auto x = ops.widen(argument);
  auto binade = detail::splitBinade(ops, x);
  auto parts = detail::logParts(ops, detail::kLog6, binade.fraction);
  auto natural = binade.fraction - (parts.half - parts.s * (parts.half + parts.rest));
  auto high = natural * ops.f64(detail::kLog2EHigh);
  auto low = ops.fma(natural, ops.f64(detail::kLog2EHigh), ops.f64(-0.0) - high);
  low = ops.fma(natural, ops.f64(detail::kLog2ELow), low);
  // An exact sum: the exponent is 0 or larger than the fraction.
  auto sum = binade.exponent + high;
  auto error = (binade.exponent - sum) + high;
  return detail::finishLog(ops, x, sum + (error + low));
}

} // namespace lci::numerics

#endif // LCI_NUMERICS_LOGARITHM_H

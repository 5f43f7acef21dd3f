//===- Exponential.h - exp, exp2, sigmoid, tanh -----------------*- C++ -*-===//
//
// All four are based on e^r = 1 + r + r^2 q(r) with |r| <= ln(2)/2 after x = k ln 2 + r. The result
// in double has an error near 2^-53, which rounds to the right float except at the inputs listed.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_NUMERICS_EXPONENTIAL_H
#define LCI_NUMERICS_EXPONENTIAL_H

#include "LCI/Numerics/Basics.h"

namespace lci::numerics {

namespace detail {

/// q of e^r, relative error 2^-51.3 (Exp10), 2^-57.8 (Exp11).
inline constexpr double kExp10[] = {
    0x1.ffffffffffdf6p-2,  0x1.555555555058ep-3,  0x1.55555555a57dap-5,
    0x1.111111260a6f9p-7,  0x1.6c16c079e0e9cp-10, 0x1.a0198c513dc17p-13,
    0x1.a01c2cc9f0391p-16, 0x1.72ea189e17a48p-19, 0x1.267b56a955f55p-22};
inline constexpr double kExp11[] = {
    0x1.000000000000bp-1,  0x1.5555555555511p-3,  0x1.55555555502ap-5,   0x1.1111111122322p-7,
    0x1.6c16c1852bd39p-10, 0x1.a01a0147625b1p-13, 0x1.a01997c7711a4p-16, 0x1.71dee621ba34p-19,
    0x1.28af410c024bap-22, 0x1.ade15cf3748f5p-26};

/// 2^r = 1 + r (high + low + r q(r)), relative error 2^-51.8 (degree 10), 2^-57.8 (degree 11).
inline constexpr double kExp2High = 0x1.62e42fefa3a17p-1, kExp2Low = 0x1.a2e3e3f670211p-55;
inline constexpr double kExp2[] = {
    0x1.ebfbdff82c474p-3,  0x1.c6b08d703d49cp-5,  0x1.3b2ab6fbcdeabp-7,
    0x1.5d87fe9cc3fc6p-10, 0x1.43091284de4ccp-13, 0x1.ffcb55ecaafdap-17,
    0x1.62c10f70c8df2p-20, 0x1.b6740c2dd0a0dp-24, 0x1.e401e69aafb8fp-28};

inline constexpr double kLog2E = 0x1.71547652b82fep0;
inline constexpr double kLn2High = 0x1.62e42fefa39efp-1, kLn2Low = 0x1.abc9e3b39803fp-56;

inline constexpr Exception kExp2Exceptions[] = {{-0x1.e7526ep-6, 0x1.f58d62p-1},
                                                {0x1.853a6ep-9, 0x1.00870ap+0}};
inline constexpr Exception kSigmoidExceptions[] = {{-0x1.250c02p-10, 0x1.ffb6bep-2}};

/// e^x = (1 + fraction) * 2^k with k in the low bits of a word.
template <typename Ops>
struct Exponential {
  typename Ops::F64 fraction;
  typename Ops::I64 exponent;
};

template <typename Ops, size_t N>
Exponential<Ops> expParts(Ops &ops, const double (&q)[N], typename Ops::F64 x) {
  auto k = roundProduct(ops, x, ops.f64(kLog2E));
  auto r = ops.fma(k.value, ops.f64(-kLn2High), x);
  r = ops.fma(k.value, ops.f64(-kLn2Low), r);
  return {ops.fma(r * r, polynomial(ops, q, r), r), k.word};
}

/// x * 2^k for a normal result.
template <typename Ops>
typename Ops::F64 scale(Ops &ops, typename Ops::F64 x, typename Ops::I64 k) {
  return ops.fromBits(ops.bits(x) + (k << ops.i64(52)));
}

/// e^x in double, for |x| < 700.
template <typename Ops, size_t N>
typename Ops::F64 expDouble(Ops &ops, const double (&q)[N], typename Ops::F64 x) {
  auto parts = expParts(ops, q, x);
  return scale(ops, parts.fraction + ops.f64(1.0), parts.exponent);
}

} // namespace detail

template <typename Ops>
typename Ops::F32 exp(Ops &ops, typename Ops::F32 argument) {
  auto x = ops.widen(argument);
  auto clamped = atMost(ops, atLeast(ops, x, -110.0), 90.0);
  return finish(ops, detail::expDouble(ops, detail::kExp10, clamped), x);
}

template <typename Ops>
typename Ops::F32 exp2(Ops &ops, typename Ops::F32 argument) {
  auto x = ops.widen(argument);
  auto clamped = atMost(ops, atLeast(ops, x, -160.0), 130.0);
  auto k = roundProduct(ops, clamped, ops.f64(1.0));
  auto r = clamped - k.value;
  auto tail = ops.fma(r * r, polynomial(ops, detail::kExp2, r), r * ops.f64(detail::kExp2Low));
  auto fraction = ops.fma(r, ops.f64(detail::kExp2High), tail);
  auto result = detail::scale(ops, fraction + ops.f64(1.0), k.word);
  return finish(ops, correct(ops, x, result, detail::kExp2Exceptions), x);
}

/// 1 / (1 + e^-x)
template <typename Ops>
typename Ops::F32 sigmoid(Ops &ops, typename Ops::F32 argument) {
  auto x = ops.widen(argument);
  auto negated = atMost(ops, atLeast(ops, ops.f64(-0.0) - x, -90.0), 110.0);
  auto one = ops.f64(1.0);
  auto result = one / (one + detail::expDouble(ops, detail::kExp10, negated));
  // Near 0 the value is x/4 + 1/2 minus a cubic that only decides ties; the slope gives the
  // direction.
  auto line = ops.fma(x, ops.f64(0x1.ffffffp-3), ops.f64(0.5));
  result = ops.select(splitSign(ops, x).magnitude < ops.f64(0x1p-14), line, result);
  return finish(ops, correct(ops, x, result, detail::kSigmoidExceptions), x);
}

/// (e^2x - 1) / (e^2x + 1)
template <typename Ops>
typename Ops::F32 tanh(Ops &ops, typename Ops::F32 argument) {
  auto x = splitSign(ops, ops.widen(argument));
  auto a = atMost(ops, x.magnitude, 20.0);
  auto parts = detail::expParts(ops, detail::kExp11, a + a);
  auto power = detail::scale(ops, ops.f64(1.0), parts.exponent);
  auto minusOne = ops.fma(power, parts.fraction, power - ops.f64(1.0));
  auto result = minusOne / (minusOne + ops.f64(2.0));
  return finish(ops, flipSign(ops, result, x.sign));
}

} // namespace lci::numerics

#endif // LCI_NUMERICS_EXPONENTIAL_H

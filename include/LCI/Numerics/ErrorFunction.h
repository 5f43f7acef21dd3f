//===- ErrorFunction.h - erf ------------------------------------*- C++ -*-===//
//
// Below 1 an odd polynomial whose first coefficient is a sum of two doubles; from 1 to 4, where erf
// becomes 1 in float, 1 - e^q(x) with a polynomial for the logarithm of erfc.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_NUMERICS_ERRORFUNCTION_H
#define LCI_NUMERICS_ERRORFUNCTION_H

#include "LCI/Numerics/Exponential.h"

namespace lci::numerics {

namespace detail {

/// erf x = x (high + low + z E(z)) with z = x^2, relative error 2^-56.9.
inline constexpr double kErfHigh = 0x1.20dd750429b6dp0, kErfLow = 0x1.0868e94d7d358p-57;
inline constexpr double kErf[] = {
    -0x1.812746b0379bdp-2,  0x1.ce2f21a040d2ep-4,  -0x1.b82ce311fae0cp-6,  0x1.565bccf933729p-8,
    -0x1.c02db03ee8f61p-11, 0x1.f9a2babf9a1ep-14,  -0x1.f4ca4ea71a961p-17, 0x1.b97fdec776acp-20,
    -0x1.5c076468852e8p-23, 0x1.d71c98d4bd495p-27, -0x1.abb290d9323b2p-31};

/// log erfc(2.5 + t) for |t| <= 1.5, error of erfc 2^-54.0.
inline constexpr double kLogErfc[] = {
    -0x1.f3a2dc8691b6cp2,   -0x1.56925248da988p2,   -0x1.e3460a18ccff2p-1,  -0x1.63cc1dace134fp-7,
    0x1.1bd55925f749ep-9,   -0x1.b96130b532804p-12, 0x1.431740cef764cp-14,  -0x1.ac06fe1f14c47p-17,
    0x1.dab9442fe70a8p-20,  -0x1.4e7e0f4de13eap-23, -0x1.96487c53cb567p-27, 0x1.8208b65f883a6p-27,
    -0x1.0b2ab06867cb1p-28, 0x1.16a4466d2fd5ep-31,  -0x1.6ddf7576c4095p-33, 0x1.d1cd7e3f04acfp-34,
    0x1.be46eb7ff4f14p-36};

} // namespace detail

template <typename Ops>
typename Ops::F32 erf(Ops &ops, typename Ops::F32 argument) {
  auto x = splitSign(ops, ops.widen(argument));
  auto a = atMost(ops, x.magnitude, 4.0);
  auto z = a * a;
  auto tail = a * ops.fma(z, polynomial(ops, detail::kErf, z), ops.f64(detail::kErfLow));
  auto small = ops.fma(a, ops.f64(detail::kErfHigh), tail);
  auto logarithm = polynomial(ops, detail::kLogErfc, a - ops.f64(2.5));
  auto large = ops.f64(1.0) - detail::expDouble(ops, detail::kExp11, logarithm);
  // Written so that NaN takes the polynomial, which keeps it.
  auto value = ops.select(a >= ops.f64(1.0), large, small);
  return finish(ops, flipSign(ops, value, x.sign));
}

} // namespace lci::numerics

#endif // LCI_NUMERICS_ERRORFUNCTION_H

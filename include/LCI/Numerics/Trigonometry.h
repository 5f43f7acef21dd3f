//===- Trigonometry.h - sin, cos, tan ---------------------------*- C++ -*-===//
//
// x = k pi/2 + r with |r| <= pi/4. Below 2^48 three fused multiply-adds with pi/2 in three parts
// reduce; above, y = x 2^-s is multiplied by (2^s 2/pi mod 4) in three doubles, so that the lost
// integer part is a multiple of 4 quarter turns; s is one of three, chosen by magnitude.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_NUMERICS_TRIGONOMETRY_H
#define LCI_NUMERICS_TRIGONOMETRY_H

#include "LCI/Numerics/Basics.h"

namespace lci::numerics {

namespace detail {

/// sin r = r + r z S(z), relative error 2^-55.9; cos r = 1 - z/2 + z^2 C(z), 2^-60.4; z = r^2.
inline constexpr double kSin[] = {-0x1.5555555555555p-3,  0x1.1111111110c83p-7,
                                  -0x1.a01a019ea12efp-13, 0x1.71de37b1c6854p-19,
                                  -0x1.ae6020fd65d4bp-26, 0x1.5e118c8672b1fp-33};
inline constexpr double kCos[] = {0x1.5555555555555p-5,  -0x1.6c16c16c168ccp-10,
                                  0x1.a01a019f38aeep-16, -0x1.27e4fa036b9b5p-22,
                                  0x1.1eeb584e7aa4ep-29, -0x1.9073d27e1dd12p-37};

/// sin r with one more term, for the quotient: relative error 2^-60.9.
inline constexpr double kSin7[] = {
    -0x1.5555555555555p-3,  0x1.111111111101ep-7, -0x1.a01a019fe8861p-13, 0x1.71de3a103707dp-19,
    -0x1.ae63f7ff1ef5bp-26, 0x1.60e5cbe0b89cp-33, -0x1.8d51a5d1585a3p-41};

inline constexpr double kTwoOverPi = 0x1.45f306dc9c883p-1;

/// For each magnitude from `from` on: 2^-s and (2^s 2/pi mod 4) in three parts.
struct FarReduction {
  double from;
  double scale;
  double turns[3];
};
inline constexpr FarReduction kFar[] = {
    {0x1p48, 0x1p-25, {-0x1.236377d5ac07bp0, -0x1.505c1596447e5p-56, 0x1.b14acc9e21c82p-110}},
    {0x1p75, 0x1p-52, {0x1.529fc2757d1f5p0, 0x1.a6ee06db14acdp-55, -0x1.8778df7c035d4p-109}},
    {0x1p102, 0x1p-79, {-0x1.505c1596447e5p-2, 0x1.b14acc9e21c82p-56, 0x1.fe5163abdebbcp-113}}};

inline constexpr Exception kSinExceptions[] = {{0x1.33333p+13, -0x1.63f4bap-2}};
inline constexpr Exception kCosExceptions[] = {
    {0x1.2b9622p+67, 0x1.f0285ep-1}, {0x1.3170fp+63, 0x1.fe2976p-1}, {0x1.4555p+51, 0x1.115d7ep-1}};

/// Quarter turns (the low bits of a word) and the remainder r, |r| <= pi/4.
template <typename Ops>
struct Angle {
  typename Ops::I64 quarters;
  typename Ops::F64 rest;
};

template <typename Ops>
Angle<Ops> reduceNear(Ops &ops, typename Ops::F64 a) {
  auto k = roundProduct(ops, a, ops.f64(kTwoOverPi));
  auto r = ops.fma(k.value, ops.f64(-kHalfPi[0]), a);
  r = ops.fma(k.value, ops.f64(-kHalfPi[1]), r);
  r = ops.fma(k.value, ops.f64(-kHalfPi[2]), r);
  return {k.word, r};
}

template <typename Ops>
Angle<Ops> reduceFar(Ops &ops, typename Ops::F64 a) {
  auto pick = [&](auto member) {
    auto value = ops.f64(member(kFar[0]));
    for (int i = 1; i < 3; ++i)
      value = ops.select(a >= ops.f64(kFar[i].from), ops.f64(member(kFar[i])), value);
    return value;
  };
  auto y = a * pick([](const FarReduction &far) { return far.scale; });
  auto high = pick([](const FarReduction &far) { return far.turns[0]; });
  auto k = roundProduct(ops, y, high);
  auto turns = ops.fma(y, high, ops.f64(-0.0) - k.value);
  turns = ops.fma(y, pick([](const FarReduction &far) { return far.turns[1]; }), turns);
  turns = ops.fma(y, pick([](const FarReduction &far) { return far.turns[2]; }), turns);
  auto r = ops.fma(turns, ops.f64(kHalfPi[0]), turns * ops.f64(kHalfPi[1]));
  return {k.word, r};
}

/// Reduces a magnitude; the remainder of infinity is NaN.
template <typename Ops>
Angle<Ops> reduceAngle(Ops &ops, typename Ops::F64 a) {
  auto near = reduceNear(ops, a);
  auto far = reduceFar(ops, a);
  auto isFar = a >= ops.f64(kFar[0].from);
  return {ops.select(isFar, far.quarters, near.quarters), ops.select(isFar, far.rest, near.rest)};
}

/// The sine of `quarters` quarter turns and r.
template <typename Ops>
typename Ops::F64 sineOf(Ops &ops, const Angle<Ops> &angle) {
  auto r = angle.rest;
  auto z = r * r;
  auto sine = ops.fma(r * z, polynomial(ops, kSin, z), r);
  auto half = ops.f64(0.5) * z;
  auto head = ops.f64(1.0) - half;
  auto tail = ((ops.f64(1.0) - head) - half) + (z * z) * polynomial(ops, kCos, z);
  auto isOdd = (angle.quarters & ops.i64(1)) != ops.i64(0);
  auto value = ops.select(isOdd, head + tail, sine);
  return flipSign(ops, value, (angle.quarters & ops.i64(2)) << ops.i64(62));
}

/// A number as an unevaluated sum.
template <typename Ops>
struct Sum {
  typename Ops::F64 high, low;
};

/// a / b for sums, one correction step.
template <typename Ops>
typename Ops::F64 quotient(Ops &ops, const Sum<Ops> &a, const Sum<Ops> &b) {
  auto q = a.high / b.high;
  auto minusQ = ops.f64(-0.0) - q;
  auto rest = ops.fma(minusQ, b.high, a.high) + ops.fma(minusQ, b.low, a.low);
  return q + rest / b.high;
}

} // namespace detail

template <typename Ops>
typename Ops::F32 sin(Ops &ops, typename Ops::F32 argument) {
  auto x = splitSign(ops, ops.widen(argument));
  auto value = detail::sineOf(ops, detail::reduceAngle(ops, x.magnitude));
  value = correct(ops, x.magnitude, value, detail::kSinExceptions);
  return finish(ops, flipSign(ops, value, x.sign));
}

template <typename Ops>
typename Ops::F32 cos(Ops &ops, typename Ops::F32 argument) {
  auto a = splitSign(ops, ops.widen(argument)).magnitude;
  auto angle = detail::reduceAngle(ops, a);
  angle.quarters = angle.quarters + ops.i64(1);
  return finish(ops, correct(ops, a, detail::sineOf(ops, angle), detail::kCosExceptions));
}

/// sin / cos, both as sums of two doubles: a quotient of rounded ones misrounds too often.
template <typename Ops>
typename Ops::F32 tan(Ops &ops, typename Ops::F32 argument) {
  auto x = splitSign(ops, ops.widen(argument));
  auto angle = detail::reduceAngle(ops, x.magnitude);
  auto r = angle.rest;
  auto z = r * r;
  auto cubic = (r * z) * polynomial(ops, detail::kSin7, z);
  auto sine = r + cubic;
  auto half = ops.f64(0.5) * z;
  auto head = ops.f64(1.0) - half;
  auto tail = ((ops.f64(1.0) - head) - half) + (z * z) * polynomial(ops, detail::kCos, z);
  auto cosine = head + tail;
  detail::Sum<Ops> sines{sine, (r - sine) + cubic};
  detail::Sum<Ops> cosines{cosine, (head - cosine) + tail};
  // After one more quarter turn, tan is -1/tan.
  auto isOdd = (angle.quarters & ops.i64(1)) != ops.i64(0);
  detail::Sum<Ops> top{ops.select(isOdd, cosines.high, sines.high),
                       ops.select(isOdd, cosines.low, sines.low)};
  detail::Sum<Ops> bottom{ops.select(isOdd, sines.high, cosines.high),
                          ops.select(isOdd, sines.low, cosines.low)};
  auto value = flipSign(ops, detail::quotient(ops, top, bottom),
                        (angle.quarters & ops.i64(1)) << ops.i64(63));
  return finish(ops, flipSign(ops, value, x.sign));
}

} // namespace lci::numerics

#endif // LCI_NUMERICS_TRIGONOMETRY_H

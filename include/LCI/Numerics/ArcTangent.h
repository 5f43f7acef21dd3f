//===- ArcTangent.h - atan and atan2 ----------------------------*- C++ -*-===//
//
// atan is reduced to |z| <= tan(pi/8) by one division. atan is correctly rounded; atan2 has two
// arguments and cannot be checked on all of them, so this sequence of operations is its definition.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_NUMERICS_ARCTANGENT_H
#define LCI_NUMERICS_ARCTANGENT_H

#include "LCI/Numerics/Basics.h"

namespace lci::numerics {

namespace detail {

/// atan t = t + t z A(z) with z = t^2, relative error 2^-52.6.
inline constexpr double kAtan[] = {
    -0x1.5555555555547p-2, 0x1.999999999134dp-3, -0x1.2492491e263ccp-3, 0x1.c71c6df74cfc3p-4,
    -0x1.745c83dd68984p-4, 0x1.3b06d7b33e045p-4, -0x1.10610c422ca3ep-4, 0x1.d60bb01040471p-5,
    -0x1.6fa9b9d32bcbdp-5, 0x1.75bf50746266fp-6};

inline constexpr double kTanEighth = 0x1.a827999fcef32p-2;      // tan(pi/8)
inline constexpr double kTanThreeEighths = 0x1.3504f333f9de6p1; // tan(3 pi/8)

inline constexpr Exception kAtanExceptions[] = {{0x1.1ad646p-4, 0x1.1a6386p-4}};

/// offset + atan(t) for |t| <= tan(pi/8), the offset in two parts.
template <typename Ops>
typename Ops::F64 atanPlus(Ops &ops, typename Ops::F64 t, typename Ops::F64 high,
                           typename Ops::F64 low) {
  auto z = t * t;
  return high + (t + ops.fma(t * z, polynomial(ops, kAtan, z), low));
}

} // namespace detail

template <typename Ops>
typename Ops::F32 atan(Ops &ops, typename Ops::F32 argument) {
  auto x = splitSign(ops, ops.widen(argument));
  auto a = x.magnitude;
  auto isMiddle = a > ops.f64(detail::kTanEighth);
  auto isLarge = a > ops.f64(detail::kTanThreeEighths);
  auto one = ops.f64(1.0);
  auto pick = [&](auto small, auto middle, auto large) {
    return ops.select(isLarge, large, ops.select(isMiddle, middle, small));
  };
  auto top = pick(a, a - one, ops.f64(-1.0));
  auto bottom = pick(one, a + one, a);
  auto high = pick(ops.f64(0.0), ops.f64(kHalfPi[0] / 2), ops.f64(kHalfPi[0]));
  auto low = pick(ops.f64(0.0), ops.f64(kHalfPi[1] / 2), ops.f64(kHalfPi[1]));
  auto value = detail::atanPlus(ops, top / bottom, high, low);
  value = correct(ops, a, value, detail::kAtanExceptions);
  return finish(ops, flipSign(ops, value, x.sign));
}

/// The angle of (x, y), with IEEE 754's values at zeros and infinities.
template <typename Ops>
typename Ops::F32 atan2(Ops &ops, typename Ops::F32 yArgument, typename Ops::F32 xArgument) {
  auto y = splitSign(ops, ops.widen(yArgument));
  auto x = splitSign(ops, ops.widen(xArgument));
  // So large that a finite number over an infinite one vanishes, and infinity over itself is 1.
  auto ay = atMost(ops, y.magnitude, 0x1p400);
  auto ax = atMost(ops, x.magnitude, 0x1p400);
  auto isSteep = ay > ax;
  auto large = ops.select(isSteep, ay, ax);
  auto small = ops.select(isSteep, ax, ay);
  auto isMiddle = small > ops.f64(detail::kTanEighth) * large;
  auto top = ops.select(isMiddle, small - large, small);
  auto bottom = ops.select(isMiddle, small + large, large);
  bottom = ops.select(bottom == ops.f64(0.0), ops.f64(1.0), bottom);
  // The angle is eighths * pi/4 plus or minus atan(top / bottom).
  auto isLeft = x.sign != ops.i64(0);
  auto one = ops.f64(1.0), none = ops.f64(0.0);
  auto isReversed = ops.differ(isSteep, isLeft);
  auto base = ops.select(isSteep, ops.f64(2.0), ops.select(isLeft, ops.f64(4.0), none));
  auto step = ops.select(isMiddle, one, none);
  auto eighths = base + ops.select(isReversed, ops.f64(-0.0) - step, step);
  auto t = top / bottom;
  t = ops.select(isReversed, ops.f64(-0.0) - t, t);
  auto high = eighths * ops.f64(kHalfPi[0] / 2);
  auto low = ops.fma(eighths, ops.f64(kHalfPi[0] / 2), ops.f64(-0.0) - high);
  low = ops.fma(eighths, ops.f64(kHalfPi[1] / 2), low);
  auto value = flipSign(ops, detail::atanPlus(ops, t, high, low), y.sign);
  auto nan = ops.f64(std::numeric_limits<double>::quiet_NaN());
  value =
      ops.select(ops.either(y.magnitude != y.magnitude, x.magnitude != x.magnitude), nan, value);
  return finish(ops, value);
}

} // namespace lci::numerics

#endif // LCI_NUMERICS_ARCTANGENT_H

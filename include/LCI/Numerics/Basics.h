//===- Basics.h - Polynomials, signs and exceptions -------------*- C++ -*-===//
//
// Helpers of all functions: Horner's scheme by fused multiply-adds, rounding to an integer by the
// magic constant, signs by bits, the canonical NaN, and selects that replace the result at the few
// inputs whose exact value lies so near a tie that 53 bits do not decide it.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_NUMERICS_BASICS_H
#define LCI_NUMERICS_BASICS_H

#include <cstddef>
#include <cstdint>
#include <limits>

namespace lci::numerics {

/// Adding it to a double of magnitude below 2^51 leaves the nearest integer in the low bits.
inline constexpr double kMagic = 0x1.8p52;
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr uint64_t kSignBit = 0x8000000000000000u;

/// pi/2 in three parts, each the double nearest to the remainder of those before it.
inline constexpr double kHalfPi[] = {0x1.921fb54442d18p0, 0x1.1a62633145c07p-54,
                                     -0x1.f1976b7ed8fbcp-110};

/// coefficients[0] + coefficients[1] * x + ..., innermost first.
template <typename Ops, size_t N>
typename Ops::F64 polynomial(Ops &ops, const double (&coefficients)[N], typename Ops::F64 x) {
  typename Ops::F64 sum = ops.f64(coefficients[N - 1]);
  for (size_t i = N - 1; i-- > 0;)
    sum = ops.fma(sum, x, ops.f64(coefficients[i]));
  return sum;
}

/// An integer in both its forms: as a double, and in the low bits of a word.
template <typename Ops>
struct Integer {
  typename Ops::F64 value;
  typename Ops::I64 word;
};

/// The integer nearest to a * b (one rounding), for |a * b| < 2^51.
template <typename Ops>
Integer<Ops> roundProduct(Ops &ops, typename Ops::F64 a, typename Ops::F64 b) {
  typename Ops::F64 shifted = ops.fma(a, b, ops.f64(kMagic));
  return {shifted - ops.f64(kMagic), ops.bits(shifted)};
}

/// An integer below 2^52 as a double.
template <typename Ops>
typename Ops::F64 exactDouble(Ops &ops, typename Ops::I64 word) {
  constexpr uint64_t bitsOfTwoTo52 = 0x4330000000000000u;
  return ops.fromBits(word | ops.i64(bitsOfTwoTo52)) - ops.f64(0x1p52);
}

/// The smallest integer not below x, for x in [0, 2^51).
template <typename Ops>
typename Ops::I64 ceiling(Ops &ops, typename Ops::F64 x) {
  auto shifted = x + ops.f64(0x1p52);
  auto word = ops.bits(shifted) & ops.i64((uint64_t(1) << 52) - 1);
  return ops.select(shifted - ops.f64(0x1p52) < x, word + ops.i64(1), word);
}

/// A number split into its sign bit and its magnitude: odd functions work on the magnitude.
template <typename Ops>
struct Signed {
  typename Ops::I64 sign;
  typename Ops::F64 magnitude;
};

template <typename Ops>
Signed<Ops> splitSign(Ops &ops, typename Ops::F64 x) {
  typename Ops::I64 bits = ops.bits(x);
  typename Ops::I64 sign = bits & ops.i64(kSignBit);
  return {sign, ops.fromBits(bits ^ sign)};
}

/// x with the given sign bits flipped.
template <typename Ops>
typename Ops::F64 flipSign(Ops &ops, typename Ops::F64 x, typename Ops::I64 sign) {
  return ops.fromBits(ops.bits(x) ^ sign);
}

/// min and max against a constant; NaN passes through.
template <typename Ops>
typename Ops::F64 atMost(Ops &ops, typename Ops::F64 x, double limit) {
  return ops.select(x > ops.f64(limit), ops.f64(limit), x);
}
template <typename Ops>
typename Ops::F64 atLeast(Ops &ops, typename Ops::F64 x, double limit) {
  return ops.select(x < ops.f64(limit), ops.f64(limit), x);
}

/// An input with its explicit result.
struct Exception {
  double input;
  double result;
};

/// `result`, except where x is one of the listed inputs.
template <typename Ops, size_t N>
typename Ops::F64 correct(Ops &ops, typename Ops::F64 x, typename Ops::F64 result,
                          const Exception (&exceptions)[N]) {
  for (const Exception &exception : exceptions)
    result = ops.select(x == ops.f64(exception.input), ops.f64(exception.result), result);
  return result;
}

/// The float nearest to x, NaN canonical.
template <typename Ops>
typename Ops::F32 finish(Ops &ops, typename Ops::F64 x) {
  return ops.canonical(ops.narrow(x));
}

/// As above where x was computed through bits, which lose the NaN of the argument.
template <typename Ops>
typename Ops::F32 finish(Ops &ops, typename Ops::F64 x, typename Ops::F64 argument) {
  auto nan = ops.f32(std::numeric_limits<float>::quiet_NaN());
  return ops.select(argument != argument, nan, ops.narrow(x));
}

} // namespace lci::numerics

#endif // LCI_NUMERICS_BASICS_H

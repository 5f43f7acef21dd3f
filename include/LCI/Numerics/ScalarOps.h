//===- ScalarOps.h - The plain instantiation of the numerics ----*- C++ -*-===//
//
// Every algorithm of LCI/Numerics is a template over an "operations" policy and is written once.
// This policy computes with plain C++ numbers, for the interpreter, the constant folder and the
// check on all 2^32 inputs. The other policy, IROps, emits the same operations as IR.
//
// A policy has the types F32, F64, I32 and I64 (unsigned arithmetic modulo 2^32 and 2^64, signed
// where the name says so) and Bool; the operators + - * / on floats, + - * & | ^ << >> on integers
// (>> is logical); the comparisons < > <= >= == != with C++'s semantics for NaN; and the members
// below.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_NUMERICS_SCALAROPS_H
#define LCI_NUMERICS_SCALAROPS_H

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace lci::numerics {

/// The operations policy on plain numbers.
struct ScalarOps {
  using F32 = float;
  using F64 = double;
  using I32 = uint32_t;
  using I64 = uint64_t;
  using Bool = bool;

  /// Constants.
  F32 f32(float value) const { return value; }
  F64 f64(double value) const { return value; }
  I32 i32(uint32_t value) const { return value; }
  I64 i64(uint64_t value) const { return value; }

  /// The bits of a float as an integer, and back.
  I32 bits(F32 value) const { return copyBits<uint32_t>(value); }
  F32 fromBits(I32 value) const { return copyBits<float>(value); }
  I64 bits(F64 value) const { return copyBits<uint64_t>(value); }
  F64 fromBits(I64 value) const { return copyBits<double>(value); }

  /// The nearest float, or the even one of two.
  F32 toFloat(I32 value) const { return static_cast<float>(value); }

  /// Exact widening, and narrowing that rounds to nearest even.
  F64 widen(F32 value) const { return value; }
  F32 narrow(F64 value) const { return static_cast<float>(value); }

  /// The number, or the one canonical NaN (0x7fc00000) for every NaN.
  F32 canonical(F32 value) const {
    return value != value ? std::numeric_limits<float>::quiet_NaN() : value;
  }

  /// The number, its sign flipped where the other one has a sign.
  F32 timesSign(F32 value, F32 sign) const { return std::signbit(sign) ? -value : value; }

  /// a * b + c, rounded once.
  F32 fma(F32 a, F32 b, F32 c) const { return __builtin_fmaf(a, b, c); }
  F64 fma(F64 a, F64 b, F64 c) const { return __builtin_fma(a, b, c); }

  /// Correctly rounded square roots.
  F64 sqrt(F64 value) const { return __builtin_sqrt(value); }
  F32 sqrt(F32 value) const { return __builtin_sqrtf(value); }

  /// Signed operations; the caller must avoid division by zero and the quotient 2^63.
  I64 divSigned(I64 a, I64 b) const { return asUnsigned(asSigned(a) / asSigned(b)); }
  I64 remSigned(I64 a, I64 b) const { return asUnsigned(asSigned(a) % asSigned(b)); }
  Bool lessSigned(I64 a, I64 b) const { return asSigned(a) < asSigned(b); }

  /// Logic without short cuts.
  Bool both(Bool a, Bool b) const { return a && b; }
  Bool either(Bool a, Bool b) const { return a || b; }
  Bool differ(Bool a, Bool b) const { return a != b; }
  Bool negate(Bool value) const { return !value; }

  /// The first value where the condition holds, else the second; both are evaluated.
  template <typename T>
  T select(Bool condition, T onTrue, T onFalse) const {
    return condition ? onTrue : onFalse;
  }

private:
  template <typename To, typename From>
  static To copyBits(From from) {
    static_assert(sizeof(To) == sizeof(From), "a bit cast keeps the size");
    To to;
    std::memcpy(&to, &from, sizeof(To));
    return to;
  }
  static int64_t asSigned(uint64_t value) { return copyBits<int64_t>(value); }
  static uint64_t asUnsigned(int64_t value) { return copyBits<uint64_t>(value); }
};

} // namespace lci::numerics

#endif // LCI_NUMERICS_SCALAROPS_H

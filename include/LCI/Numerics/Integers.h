//===- Integers.h - Floor division, modulo, bits ----------------*- C++ -*-===//
//
// a = floorDiv(a, b) b + floorMod(a, b) for every b, and the remainder has b's sign. Both are
// total, so that a branch that is not taken may still be evaluated: for b = 0 the quotient is 0 and
// the remainder a; the quotient 2^63 wraps.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_NUMERICS_INTEGERS_H
#define LCI_NUMERICS_INTEGERS_H

#include <cstdint>

namespace lci::numerics {

namespace detail {

/// The divisor, or 1 where dividing by it is undefined on some machine (0 and -1).
template <typename Ops>
typename Ops::I64 safeDivisor(Ops &ops, typename Ops::I64 b) {
  auto isUnsafe = ops.either(b == ops.i64(0), b == ops.i64(~uint64_t(0)));
  return ops.select(isUnsafe, ops.i64(1), b);
}

/// Whether a truncated remainder of a division by b has to be moved up by b.
template <typename Ops>
typename Ops::Bool needsCorrection(Ops &ops, typename Ops::I64 remainder, typename Ops::I64 b) {
  return ops.both(remainder != ops.i64(0), ops.lessSigned(remainder ^ b, ops.i64(0)));
}

} // namespace detail

template <typename Ops>
typename Ops::I64 floorDiv(Ops &ops, typename Ops::I64 a, typename Ops::I64 b) {
  auto divisor = detail::safeDivisor(ops, b);
  auto quotient = ops.divSigned(a, divisor);
  auto isLow = detail::needsCorrection(ops, ops.remSigned(a, divisor), divisor);
  auto result = ops.select(isLow, quotient - ops.i64(1), quotient);
  result = ops.select(b == ops.i64(~uint64_t(0)), ops.i64(0) - a, result);
  return ops.select(b == ops.i64(0), ops.i64(0), result);
}

template <typename Ops>
typename Ops::I64 floorMod(Ops &ops, typename Ops::I64 a, typename Ops::I64 b) {
  auto divisor = detail::safeDivisor(ops, b);
  auto remainder = ops.remSigned(a, divisor);
  auto isLow = detail::needsCorrection(ops, remainder, divisor);
  auto result = ops.select(isLow, remainder + divisor, remainder);
  return ops.select(b == ops.i64(0), a, result);
}

/// Bit i of the result is bit 4 a_i + 2 b_i + c_i of the table.
constexpr uint64_t lookUp(uint64_t a, uint64_t b, uint64_t c, unsigned table) {
  uint64_t result = 0;
  for (unsigned row = 0; row < 8; ++row)
    if (table >> row & 1)
      result |= (row & 4 ? a : ~a) & (row & 2 ? b : ~b) & (row & 1 ? c : ~c);
  return result;
}

} // namespace lci::numerics

#endif // LCI_NUMERICS_INTEGERS_H

//===- Normal.h - The normal quantile of a draw -----------------*- C++ -*-===//
//
// normal() is the inverse of the normal distribution function at (draw + 1/2) 2^-32: one draw, one
// number, monotone in the draw and odd about the middle. With u = (draw + 1/2) 2^-32 - 1/2 and
// w = -log(1 - 4u^2) the quantile is u times a smooth function of w, or of sqrt(w) in the tails.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_NUMERICS_NORMAL_H
#define LCI_NUMERICS_NORMAL_H

#include "LCI/Numerics/Logarithm.h"

namespace lci::numerics {

namespace detail {

/// quantile / u as a polynomial in w - 3.125 for w < 6.25, relative error 2^-54.4.
inline constexpr double kNormalMiddle[] = {
    0x1.2b57ec65a8009p+2,   0x1.5bc94440cc7ecp-1,   -0x1.179b257405d9cp-6,  -0x1.12994fbb846d5p-9,
    0x1.14e8fc42825bcp-11,  -0x1.49627602929bfp-15, -0x1.032ee39d34b4dp-18, 0x1.4186be851f364p-20,
    -0x1.6125ad059a6f7p-24, -0x1.8faf52d5f9efap-27, 0x1.98a60007fd0b6p-29,  -0x1.50c1f186ec7bdp-33,
    -0x1.42e6ae9abf4b1p-35, 0x1.05c7d862c3c21p-37,  -0x1.010d750819b5ap-42, -0x1.fdc77fabf457cp-44,
    0x1.4c471617e7dfcp-46,  -0x1.00f9b9141b235p-53, -0x1.8e58ab670cd8ap-52, 0x1.94a3c7528cea0p-55,
    0x1.fb25dac98f775p-60,  -0x1.21f7b27b2f56ep-60, 0x1.0b09de3300716p-64,  0x1.554be03161704p-67,
    -0x1.33294645ba9c7p-70};

/// quantile / u as a polynomial in sqrt(w) - 3.5 for w in [6.25, 21.5], relative error 2^-53.7.
inline constexpr double kNormalTail[] = {
    0x1.2de4c9d7390d8p+3,   0x1.6cb4db07ed8e3p+1,   0x1.2fb4c8b1088eep-7,   -0x1.7e701f1781553p-8,
    0x1.955fdcac57f6ap-9,   -0x1.f8152937b1878p-10, 0x1.3f65c71566760p-10,  -0x1.4dc98965a142cp-11,
    0x1.d12e9b4656185p-13,  -0x1.0423c36e4c3bfp-16, -0x1.3d981f92b4feap-15, 0x1.be85e837968b1p-16,
    -0x1.101941061d256p-17, -0x1.c60b5771fd10fp-22, 0x1.b686dad4179adp-20,  -0x1.9952b6f84cd8fp-21,
    0x1.093cfc0c5305dp-23,  0x1.c78703dff371bp-25,  -0x1.76c86cbe3d8e7p-25, 0x1.d876df640e36bp-27,
    -0x1.079fbe4722f9ap-31, -0x1.b09f007a298c2p-30, 0x1.6cd6f5acc20dap-31,  -0x1.a6cce4c5e7063p-34};

} // namespace detail

/// The quantile of a 32-bit draw.
template <typename Ops>
typename Ops::F32 normalQuantile(Ops &ops, typename Ops::I64 draw) {
  // Exact: 33 bits.
  auto u = exactDouble(ops, draw) * ops.f64(0x1p-32) - ops.f64(0.5 - 0x1p-33);
  auto twice = u + u;
  auto product = (ops.f64(1.0) - twice) * (ops.f64(1.0) + twice);
  auto w = ops.f64(-0.0) - detail::logDouble(ops, detail::kLog8, product);
  auto middle = polynomial(ops, detail::kNormalMiddle, w - ops.f64(3.125));
  auto tail = polynomial(ops, detail::kNormalTail, ops.sqrt(w) - ops.f64(3.5));
  return ops.narrow(u * ops.select(w < ops.f64(6.25), middle, tail));
}

} // namespace lci::numerics

#endif // LCI_NUMERICS_NORMAL_H

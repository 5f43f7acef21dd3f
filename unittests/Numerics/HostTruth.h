//===- HostTruth.h - The true value, where the host can decide --*- C++ -*-===//
//
// The host's double functions are accurate to about one unit in the last place, which determines
// the nearest float unless the value lies within 2^-48 of a tie.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_UNITTESTS_NUMERICS_HOSTTRUTH_H
#define LCI_UNITTESTS_NUMERICS_HOSTTRUTH_H

#include "LCI/Numerics/Functions.h"
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

namespace lci::numerics::truth {

inline uint32_t bitsOf(float x) {
  uint32_t bits;
  std::memcpy(&bits, &x, sizeof(bits));
  return bits;
}
inline float floatOf(uint32_t bits) {
  float x;
  std::memcpy(&x, &bits, sizeof(x));
  return x;
}

/// Wider than any error of the host's double functions, narrower than most gaps to a tie.
inline constexpr double kDoubt = 0x1p-48;

inline double hostValue(Unary function, double x) {
  switch (function) {
  case Unary::Exp:
    return std::exp(x);
  case Unary::Exp2:
    return std::exp2(x);
  case Unary::Log:
    return std::log(x);
  case Unary::Log2:
    return std::log2(x);
  case Unary::Sin:
    return std::sin(x);
  case Unary::Cos:
    return std::cos(x);
  case Unary::Tan:
    return std::tan(x);
  case Unary::Tanh:
    return std::tanh(x);
  case Unary::Sigmoid:
    return 1.0 / (1.0 + std::exp(-x));
  case Unary::Erf:
    return std::erf(x);
  case Unary::Atan:
    return std::atan(x);
  case Unary::Sqrt:
    return std::sqrt(x);
  case Unary::Rsqrt:
    return 1.0 / std::sqrt(x);
  }
  __builtin_unreachable();
}

/// The float nearest to the true value, NaN canonical; nothing if that is too close to a tie.
inline std::optional<float> decideByHost(Unary function, float x) {
  double host = hostValue(function, x);
  if (host != host)
    return std::numeric_limits<float>::quiet_NaN();
  auto low = static_cast<float>(host * (1 - kDoubt));
  auto high = static_cast<float>(host * (1 + kDoubt));
  if (bitsOf(low) != bitsOf(high))
    return std::nullopt;
  return static_cast<float>(host);
}

} // namespace lci::numerics::truth

#endif // LCI_UNITTESTS_NUMERICS_HOSTTRUTH_H

//===- Truth.cpp - The correctly rounded value, decided by MPFR -----------===//

#include "Truth.h"
#include <cmath>
#include <limits>

using namespace lci::numerics;
using namespace lci::numerics::truth;

namespace {

void exactValue(Unary function, mpfr_t out, mpfr_t x) {
  switch (function) {
  case Unary::Exp:
    mpfr_exp(out, x, MPFR_RNDN);
    return;
  case Unary::Exp2:
    mpfr_exp2(out, x, MPFR_RNDN);
    return;
  case Unary::Log:
    mpfr_log(out, x, MPFR_RNDN);
    return;
  case Unary::Log2:
    mpfr_log2(out, x, MPFR_RNDN);
    return;
  case Unary::Sin:
    mpfr_sin(out, x, MPFR_RNDN);
    return;
  case Unary::Cos:
    mpfr_cos(out, x, MPFR_RNDN);
    return;
  case Unary::Tan:
    mpfr_tan(out, x, MPFR_RNDN);
    return;
  case Unary::Tanh:
    mpfr_tanh(out, x, MPFR_RNDN);
    return;
  case Unary::Sigmoid:
    mpfr_neg(out, x, MPFR_RNDN);
    mpfr_exp(out, out, MPFR_RNDN);
    mpfr_add_ui(out, out, 1, MPFR_RNDN);
    mpfr_ui_div(out, 1, out, MPFR_RNDN);
    return;
  case Unary::Erf:
    mpfr_erf(out, x, MPFR_RNDN);
    return;
  case Unary::Atan:
    mpfr_atan(out, x, MPFR_RNDN);
    return;
  case Unary::Sqrt:
    mpfr_sqrt(out, x, MPFR_RNDN);
    return;
  case Unary::Rsqrt:
    mpfr_rec_sqrt(out, x, MPFR_RNDN);
    return;
  }
}

} // namespace

Oracle::Oracle() {
  mpfr_init2(in, 64);
  mpfr_init2(in2, 64);
  mpfr_init2(out, 300);
}

Oracle::~Oracle() {
  mpfr_clear(in);
  mpfr_clear(in2);
  mpfr_clear(out);
}

float Oracle::exact(Unary function, float x) {
  ++hard;
  mpfr_set_flt(in, x, MPFR_RNDN);
  exactValue(function, out, in);
  float result = mpfr_get_flt(out, MPFR_RNDN);
  // Ties lie half way to the neighbour on the value's side.
  float beyond = mpfr_cmp_d(out, result) > 0 ? INFINITY : -INFINITY;
  double tie = 0.5 * (double(result) + double(std::nextafterf(result, beyond)));
  mpfr_sub_d(out, out, tie, MPFR_RNDN);
  gap = std::fabs(mpfr_get_d(out, MPFR_RNDN) / result);
  return result;
}

float Oracle::nearest(Unary function, float x) {
  std::optional<float> byHost = decideByHost(function, x);
  return byHost ? *byHost : exact(function, x);
}

float Oracle::nearest(Binary function, float x, float y) {
  mpfr_set_flt(in, x, MPFR_RNDN);
  mpfr_set_flt(in2, y, MPFR_RNDN);
  if (function == Binary::Pow)
    mpfr_pow(out, in, in2, MPFR_RNDN);
  else
    mpfr_atan2(out, in, in2, MPFR_RNDN);
  float result = mpfr_get_flt(out, MPFR_RNDN);
  return result != result ? std::numeric_limits<float>::quiet_NaN() : result;
}

/// Whether the quantile of the target lies above a boundary x >= 0. The target is P(0 < X <
/// quantile) in the middle and P(X > quantile) in the tail, each exact in double.
bool Oracle::isBelowQuantile(double x, double target, bool isTail) {
  constexpr double sqrtHalf = 0x1.6a09e667f3bcdp-1;
  double host = 0.5 * (isTail ? std::erfc(x * sqrtHalf) : std::erf(x * sqrtHalf));
  // erfc magnifies the error of its argument by x^2 < 44.
  if (std::fabs(host - target) > 0x1p-44 * target)
    return isTail ? host > target : host < target;
  ++hard;
  mpfr_set_d(out, 0.5, MPFR_RNDN);
  mpfr_sqrt(out, out, MPFR_RNDN);
  mpfr_mul_d(out, out, x, MPFR_RNDN);
  isTail ? mpfr_erfc(out, out, MPFR_RNDN) : mpfr_erf(out, out, MPFR_RNDN);
  mpfr_div_2ui(out, out, 1, MPFR_RNDN);
  int order = mpfr_cmp_d(out, target);
  return isTail ? order > 0 : order < 0;
}

bool Oracle::isNearestNormal(uint32_t draw, float y) {
  bool isNegative = draw < 0x80000000u;
  uint32_t upper = isNegative ? ~draw : draw;
  double fromMiddle = (upper - 0x80000000u + 0.5) * 0x1p-32;
  bool isTail = fromMiddle > 0.25;
  double target = isTail ? 0.5 - fromMiddle : fromMiddle;
  float magnitude = isNegative ? -y : y;
  if (!(magnitude > 0))
    return false;
  double below = 0.5 * (double(std::nextafterf(magnitude, 0.0f)) + double(magnitude));
  double above = 0.5 * (double(std::nextafterf(magnitude, INFINITY)) + double(magnitude));
  return isBelowQuantile(below, target, isTail) && !isBelowQuantile(above, target, isTail);
}

//===- Truth.h - The correctly rounded value, decided by MPFR ----*- C++ -*===//
//
// The oracle of check-math: the host's double function decides all inputs but those whose value
// lies within 2^-48 of a tie; there MPFR with 300 bits decides. Independent of the code it judges.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_UNITTESTS_NUMERICS_TRUTH_H
#define LCI_UNITTESTS_NUMERICS_TRUTH_H

#include "HostTruth.h"
#include <cstdint>

// After <cstdint>, which it looks for.
#include <mpfr.h>

namespace lci::numerics::truth {

/// Scratch numbers of one thread.
class Oracle {
public:
  Oracle();
  ~Oracle();
  Oracle(const Oracle &) = delete;
  Oracle &operator=(const Oracle &) = delete;

  /// The float nearest to the true value, NaN canonical.
  float nearest(Unary function, float x);
  float nearest(Binary function, float x, float y);

  /// Whether y is the float nearest to the normal quantile of (draw + 1/2) 2^-32.
  bool isNearestNormal(uint32_t draw, float y);

  /// The number of values that the host's double functions could not decide.
  uint64_t decidedByMpfr() const { return hard; }

  /// The relative distance to a tie of the last value that MPFR decided for a function of one
  /// float.
  double lastGap() const { return gap; }

private:
  float exact(Unary function, float x);
  bool isBelowQuantile(double boundary, double target, bool isTail);

  mpfr_t in, in2, out;
  uint64_t hard = 0;
  double gap = 1;
};

} // namespace lci::numerics::truth

#endif // LCI_UNITTESTS_NUMERICS_TRUTH_H

//===- Halving.h - The fastest of several candidates ------------*- C++ -*-===//
//
// Successive halving: all candidates are run once, the faster half twice more, and so on, until few
// are left, which are run often. Runs take turns, and each time counts in relation to that of the
// default in the same round, so that other load of the machine is the same for all.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TUNE_HALVING_H
#define LCI_TUNE_HALVING_H

#include "LCI/Tune/Measure.h"
#include <functional>

namespace lci {

struct HalvingOptions {
  int64_t epochs = 1;     ///< of a run
  size_t finalists = 3;   ///< with the default
  size_t finalRounds = 9; ///< in which they are run
  double hopeless = 2.0;  ///< multiples of the default's time after which one is given up at once
  /// The least gain, beside the spread, for which a candidate takes the place of the default.
  double leastGain = 0.01;
  /// Is called before each run; ends the search if it returns false.
  std::function<bool(size_t done, size_t all, double best)> progress = [](size_t, size_t, double) {
    return true;
  };
};

/// How a candidate came out.
enum class Outcome {
  Measured, ///< it was not among the last, or not better than the default
  Hopeless, ///< given up after its first run
  Wrong,    ///< it computes other bits: a bug of the compiler
  Failed,   ///< it could not be compiled, crashed or ran out of time
  Untried,  ///< the search ended before
};

/// The times of one candidate.
struct Track {
  Outcome outcome = Outcome::Untried;
  std::string reason;          ///< of a failure
  std::vector<double> seconds; ///< of each run
  std::vector<double> ratios;  ///< to the default's time in the same round

  double median() const; ///< of the ratios; 1 if there is none
  /// The ratio that three quarters of its runs are not above.
  double upperQuartile() const;
};

/// The outcome of a search.
struct HalvingResult {
  std::vector<Track> tracks; ///< one for each candidate
  size_t best = 0;           ///< the default, unless another one is faster by more than the spread
  bool isInterrupted = false;
};

/// Finds the fastest of `count` candidates, the default being number 0.
HalvingResult findFastest(Measurer &measurer, size_t count, const HalvingOptions &options);

} // namespace lci

#endif // LCI_TUNE_HALVING_H

//===- Measure.h - The times of candidates ----------------------*- C++ -*-===//
//
// The times of candidates, from wherever: a process that runs them, or the times
// of an earlier search.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TUNE_MEASURE_H
#define LCI_TUNE_MEASURE_H

#include "LCI/Bindings/Bindings.h"
#include "LCI/Driver/Compilation.h"
#include "LCI/Runtime/Result.h"
#include <memory>

namespace lci {

/// One run of a candidate from its first epoch.
struct Sample {
  double seconds = 0;
  /// Of all values after the run, if it was requested; else empty.
  std::string digest;
};

/// Runs candidates, which are numbers from 0, the default.
class Measurer {
public:
  virtual ~Measurer() = default;
  /// Runs so many epochs; compiles the candidate, unless that was done before. A failure ends this
  /// candidate, not the search.
  virtual Result<Sample> run(size_t candidate, int64_t epochs, bool wantsDigest) = 0;
};

/// A program to be measured.
struct Subject {
  std::string module; ///< the text of its IR, before it is bound
  Bindings bindings;
  mlir::lci::RunOptions options;
  mlir::lci::RunInputs inputs = {}; ///< of each run, beside those of the bindings
};

/// The candidate that is the reference interpreter.
inline constexpr size_t kInterpreter = ~size_t(0);
/// What it may take: it is a comparison beside the search.
inline constexpr double kInterpreterSeconds = 10;

/// A process of its own that compiles and runs candidates, of which `schedules` are the texts. One
/// that dies or takes more than `seconds` for a candidate is replaced by another one: then that
/// candidate has failed. All candidates run in one process, since times of two differ by more than
/// most choices do.
std::unique_ptr<Measurer> measureInChild(Subject subject, std::vector<std::string> schedules,
                                         double seconds);

} // namespace lci

#endif // LCI_TUNE_MEASURE_H

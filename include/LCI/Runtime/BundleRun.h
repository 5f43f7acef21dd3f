//===- BundleRun.h - One run of a bundle ------------------------*- C++ -*-===//
//
// The command `lmpm-run` for a bundle, without a compiler: set inputs, run, observe, write.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_RUNTIME_BUNDLERUN_H
#define LCI_RUNTIME_BUNDLERUN_H

#include "LCI/Runtime/Bundle.h"
#include "LCI/Runtime/Limits.h"
#include <functional>

namespace lci {
class BundleProgram;

/// The parts of `NAME=TEXT`.
struct NamedText {
  std::string name, text;
};

/// Splits a text; `flag` is quoted in the error.
Result<NamedText> splitName(const std::string &text, const std::string &flag);

/// The options of a run of a bundle.
struct BundleRunOptions {
  std::string bundle;
  std::optional<int64_t> epochs;
  std::optional<uint64_t> seed;
  BundleMachine machine;
  /// Parameters, each a number or the name of a file; values, each a file.
  std::vector<NamedText> parameters, inputs;
  std::vector<NamedText> outputs, pictures;
  std::vector<std::string> enable, disable;
  std::string observe;
  int64_t observeEvery = 1;
  std::string checkpoint;
  int64_t checkpointEvery = 0;
  std::string resume;
  /// The file of a report as JSON.
  std::string report;
  /// Print no summary.
  bool quiet = false;
};

/// How a run ended; the exit status of tools.
enum class RunEnd { Success = 0, Failure = 1, OutOfTime = kOutOfTime, Interrupted = 130 };

/// Receives a message of one or several lines.
using Listener = std::function<void(const std::string &)>;

/// Makes the program that is run.
using BundleOpener =
    std::function<Result<std::unique_ptr<BundleProgram>>(const BundleRunOptions &options)>;

/// Runs a bundle. `say` receives the summary, `complain` errors and warnings.
RunEnd runBundle(const BundleRunOptions &options, const Listener &say, const Listener &complain);
/// Runs the program that `open` makes, whatever the file is.
RunEnd runBundle(const BundleRunOptions &options, const BundleOpener &open, const Listener &say,
                 const Listener &complain);

} // namespace lci

#endif // LCI_RUNTIME_BUNDLERUN_H

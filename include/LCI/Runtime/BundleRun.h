//===- BundleRun.h - One run of a bundle ------------------------*- C++ -*-===//
//
// What lmpm-run does with a program, for a bundle and without a compiler: feed, run, watch, write.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_RUNTIME_BUNDLERUN_H
#define LCI_RUNTIME_BUNDLERUN_H

#include "LCI/Runtime/Bundle.h"
#include "LCI/Runtime/Limits.h"
#include <functional>

namespace lci {

/// `NAME=TEXT`, taken apart.
struct NamedText {
  std::string name, text;
};

/// Takes it apart; `flag` stands in the error.
Result<NamedText> splitName(const std::string &text, const std::string &flag);

/// Everything the run of a bundle can be asked for.
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
  /// Figures as JSON.
  std::string report;
  /// Print no summary.
  bool quiet = false;
};

/// How a run ended; the exit status of tools.
enum class RunEnd { Success = 0, Failure = 1, OutOfTime = kOutOfTime, Interrupted = 130 };

/// Who is told something, a line or several.
using Listener = std::function<void(const std::string &)>;

/// Runs a bundle as the options say. The summary is said, errors are complained about.
RunEnd runBundle(const BundleRunOptions &options, const Listener &say, const Listener &complain);

} // namespace lci

#endif // LCI_RUNTIME_BUNDLERUN_H

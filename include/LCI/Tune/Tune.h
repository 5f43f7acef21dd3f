//===- Tune.h - Search for the schedule of a program ------------*- C++ -*-===//
//
// Candidates of a schedule are ranked by a model, the best ones are measured, and the fastest is
// written with its program, target and sizes. Its bits are those of all others, which is compared.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TUNE_TUNE_H
#define LCI_TUNE_TUNE_H

#include "LCI/Bindings/Bindings.h"
#include "LCI/Driver/Replay.h"
#include "LCI/Driver/RunOptions.h"
#include "LCI/Pipelines/Search/Rank.h"
#include "LCI/Tune/Halving.h"

namespace mlir::lci {

/// How to search.
struct TuneOptions {
  RunOptions run;   ///< the program, its arguments and its back end
  RunInputs inputs; ///< beside those of the bindings
  /// The text of a schedule; by default that of the back end's pipeline.
  std::optional<std::string> schedule;
  std::string scheduleName = "schedule"; ///< for messages
  uint64_t seed = 0;
  size_t candidates = 64; ///< that are ranked, at most
  size_t measured = 32;   ///< of which are measured, at most; 0: none, the model decides
  double seconds = 60;    ///< that one may take to be compiled or run
  std::string times;      ///< the file of a trace whose times are taken instead of a clock's
  /// Is called with the step, how much of it is done, and the best ratio so far; ends the
  /// search, which keeps the best so far, if it returns false.
  std::function<bool(StringRef doing, size_t done, size_t all, double best)> progress =
      [](StringRef, size_t, size_t, double) { return true; };
};

/// A candidate, and all that is known of it.
struct Contender {
  std::string name, choices; ///< where it differs from the default, and every choice
  std::string schedule;      ///< text of transform IR, with the selection
  std::optional<Cost> cost;
  ::lci::Track track;
};

/// The outcome of a search.
struct TuneResult {
  TuningKey key;
  std::vector<Contender> contenders; ///< the default, then from the cheapest by the model on
  size_t best = 0;
  uint64_t space = 0; ///< candidates of this program
  size_t lowered = 0; ///< that were lowered to be ranked
  int64_t epochs = 0; ///< of each run
  bool isMeasured = false, isInterrupted = false;
  std::string unmeasured;  ///< why nothing was measured
  std::string interpreter; ///< how the default was compared with the interpreter

  /// The first candidate with other bits than the default, or null.
  const Contender *findWrong() const;
  /// The receipt as JSON, and every candidate as CSV.
  std::string receipt() const;
  std::string trace() const;
  /// The trace as SVG: the time of each candidate over its estimate.
  std::string picture() const;
  /// In a few lines.
  std::string summary() const;
};

/// Searches for the schedule of the one program of a module, which is not changed. Fails with an
/// error if the program cannot be bound or run.
FailureOr<TuneResult> tune(ModuleOp module, const ::lci::Bindings &bindings,
                           const TuneOptions &options);

/// The times of an earlier search, by the name of a candidate, from the text of its trace; in the
/// order in which they were taken.
::lci::Result<std::unique_ptr<::lci::Measurer>>
measureFromTrace(StringRef trace, const std::vector<std::string> &names);

} // namespace mlir::lci

#endif // LCI_TUNE_TUNE_H

//===- Report.h - Report a run as JSON and as text --------------*- C++ -*-===//
//
// The statistics of a run, as JSON for programs and as a few lines of text for people.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_DRIVER_REPORT_H
#define LCI_DRIVER_REPORT_H

#include "LCI/Driver/ValueInfo.h"
#include "LCI/Execution/Backend.h"
#include "LCI/Runtime/Device.h"
#include "LCI/Runtime/Digest.h"
#include "LCI/Runtime/Join.h"
#include "LCI/Runtime/ObservationTable.h"
#include "LCI/Runtime/RunLoop.h"
#include "LCI/Transforms/Support/Counting.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::lci {

/// The contents of a report.
struct Report {
  std::string program, backend, programDigest;
  uint64_t seed = 0;
  /// The epoch at which this run began: not 0 if it was resumed.
  int64_t firstEpoch = 0, commitsBefore = 0;
  /// Phases of one epoch, over all scheduled values.
  int64_t phases = 1;
  ::lci::LoopOutcome outcome;
  /// Whether every tick was compared with the interpreter.
  bool checked = false;
  /// The counters of the back end.
  Counting counting = Counting::Changed;
  /// Names of values with rules, of constraints, and of disabled declarations.
  std::vector<std::string> values, constraints, disabled;
  /// The hard constraints, and the number of cells that break them (S-BROKEN).
  std::vector<std::string> hard;
  Counters broken;
  /// The last value of each observer.
  Observations observations;
  /// The device of kernels, and the host's work for it.
  std::optional<std::pair<std::string, ::lci::DeviceCounts>> device;

  int64_t ticks() const { return (outcome.epochs - firstEpoch) * phases; }
  int64_t commits() const { return ::lci::changesIn(outcome.counters); }
  double commitsPerSecond() const;
};

/// A report with everything that is known of a program before it runs.
Report describe(ProgramOp program, ArrayRef<ValueInfo> values, const RunArguments &arguments,
                const Backend &backend, const ::lci::Digest &digest);

/// The report as a JSON object, without counts that were not requested.
llvm::json::Value toJson(const Report &report);

/// The report in a few lines.
void print(const Report &report, llvm::raw_ostream &os);

/// The number of cells taken of each value from a joined checkpoint.
void print(const std::map<std::string, ::lci::JoinedCells> &values, const std::string &file,
           llvm::raw_ostream &os);

} // namespace mlir::lci

#endif // LCI_DRIVER_REPORT_H

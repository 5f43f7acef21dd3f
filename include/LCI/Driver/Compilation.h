//===- Compilation.h - Programs compiled once, run many times ---*- C++ -*-===//
//
// For whoever embeds the compiler: a program is bound and compiled once, and
// runs of it take their arrays from memory and go on as long as one likes. A
// back end has one state, so the runs of one compilation take turns: a run that
// another one has displaced keeps its values in arrays, and brings them back
// when it is asked for more.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_DRIVER_COMPILATION_H
#define LCI_DRIVER_COMPILATION_H

#include "LCI/Analysis/Presence.h"
#include "LCI/Bindings/Bindings.h"
#include "LCI/Driver/Report.h"
#include "LCI/Driver/RunOptions.h"
#include "LCI/Driver/Sets.h"
#include "LCI/Driver/ValueInfo.h"
#include "LCI/Driver/Watcher.h"
#include "LCI/Runtime/DeviceCells.h"
#include "LCI/Runtime/RunState.h"

namespace mlir::lci {
class LiveRun;

/// What one run is given beside what its program was compiled with. Arrays may be of any type that
/// holds what the program asks for.
struct RunInputs {
  std::map<std::string, ::lci::Array> values, params;
  /// Values that are on the compilation's device, where it has one.
  std::map<std::string, ::lci::ForeignArray> deviceValues;
  /// Of each model, by name.
  std::map<std::string, std::map<std::string, ::lci::Array>> weights;
  std::optional<uint64_t> seed;
  std::vector<std::string> enable, disable;
};

/// A bound program, and the back end that runs it. What fails has said why to the context.
class Compilation {
public:
  /// Binds, checks and compiles the one program of a module, which is changed and must outlive the
  /// answer. Values that have neither a rule nor an `init` may be given for each run.
  static FailureOr<std::shared_ptr<Compilation>>
  create(ModuleOp module, const ::lci::Bindings &bindings, const RunOptions &options);

  ArrayRef<ValueInfo> getValues() const { return values; }
  const ValueInfo *findValue(StringRef name) const;
  const std::vector<std::string> &getObservers() const { return watcher->observers(); }
  /// How many epochs a run has that nobody says it of.
  int64_t getEpochs() const { return epochs; }
  const char *getBackendName() const { return backend->name(); }
  /// Stops the run under way between two ticks of its epoch; from another thread, too. Its loop
  /// begins that epoch anew, unless it is interrupted.
  void stopTicks();
  /// Where runs take and give arrays beside the host, or null.
  const ::lci::Device *getDevice() const {
    ::lci::DeviceValues *there = backend->onDevice();
    return there ? &there->where() : nullptr;
  }

private:
  friend class LiveRun;
  Compilation() = default;
  LogicalResult bind(ModuleOp module, const ::lci::Bindings &bindings);
  LogicalResult compile(const RunOptions &options);
  /// Checks arrays of a run against the program.
  LogicalResult addParams(const RunInputs &inputs, RunArguments &to);
  LogicalResult addValues(const RunInputs &inputs, std::map<std::string, ::lci::Array> &to);
  LogicalResult addDeviceValues(const RunInputs &inputs,
                                std::map<std::string, ::lci::DeviceInput> &to);
  /// What is compiled in cannot be otherwise in a run.
  LogicalResult checkFixed(const RunArguments &asked);
  LogicalResult fail(const ::lci::Failure &failure);

  ProgramOp program;
  RunOptions options;
  std::string name;
  SmallVector<ValueInfo> values;
  SmallVector<RequiredInput> required;
  RunArguments arguments; ///< what all runs start from
  std::map<std::string, ::lci::Array> inputs;
  ::lci::RunIdentity identity; ///< of the program alone
  ::lci::Schedules schedules;
  int64_t epochs = 1;
  std::unique_ptr<Backend> backend;
  std::unique_ptr<Watcher> watcher;
  /// Whose state the back end has.
  std::weak_ptr<LiveRun> tenant;
};

/// A run that is kept between its epochs. One thread at a time may work with a compilation and its
/// runs; a run may go away at any time.
class LiveRun : public std::enable_shared_from_this<LiveRun> {
public:
  static FailureOr<std::shared_ptr<LiveRun>> start(std::shared_ptr<Compilation> compilation,
                                                   const RunInputs &inputs);
  /// Goes on from what a run left that was given the same; of inputs none need be given again.
  static FailureOr<std::shared_ptr<LiveRun>> resume(std::shared_ptr<Compilation> compilation,
                                                    ::lci::Checkpoint checkpoint,
                                                    const RunInputs &inputs);

  /// Runs up to `how.epochs` in all; whatever ends it, the state is that of a whole epoch.
  LogicalResult advance(::lci::LoopOptions how);
  /// How the last `advance` ended, with the counters of the whole run.
  const ::lci::LoopOutcome &getOutcome() const { return outcome; }
  int64_t getEpoch() const { return outcome.epochs; }
  uint64_t getSeed() const { return arguments.seed; }

  FailureOr<::lci::Array> value(const std::string &name);
  /// The same on the compilation's device, in memory of its own.
  FailureOr<::lci::DeviceArray> valueOnDevice(const std::string &name);
  FailureOr<Observations> observe();
  FailureOr<::lci::Checkpoint> takeCheckpoint();
  /// Why a cell will hold what it will hold after the next epoch.
  LogicalResult explain(StringRef cell, llvm::raw_ostream &os);
  FailureOr<Report> makeReport();

  /// Called after every `LoopOptions::observeEvery` epochs.
  std::function<void(int64_t epoch, const Observations &seen)> onObserved;

private:
  explicit LiveRun(std::shared_ptr<Compilation> compilation)
      : compilation(std::move(compilation)) {}
  /// Lets the back end have this run's state, and nobody else's.
  LogicalResult enter();
  FailureOr<std::unique_ptr<Watcher>> watch() const;
  LogicalResult leave();
  LogicalResult begin(bool initialises);
  LogicalResult restore(const ::lci::Checkpoint &checkpoint);
  LogicalResult takeOver(const RunInputs &given);
  FailureOr<::lci::Checkpoint> take();
  bool isTenant() const { return compilation->tenant.lock().get() == this; }
  LogicalResult check(const ::lci::Status &status) const {
    return status ? success() : compilation->fail(status.failure());
  }

  std::shared_ptr<Compilation> compilation;
  RunArguments arguments;
  std::map<std::string, ::lci::Array> inputs;
  ::lci::RunIdentity identity;
  /// The state, while the back end has another run's.
  std::optional<::lci::Checkpoint> kept;
  ::lci::History history;
  ::lci::LoopOutcome outcome;
  int64_t firstEpoch = 0, commitsBefore = 0;
  double seconds = 0;
  bool hasWarned = false; ///< of proposals that were rejected: once for each run
};

} // namespace mlir::lci

#endif // LCI_DRIVER_COMPILATION_H

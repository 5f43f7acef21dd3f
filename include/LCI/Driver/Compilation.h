//===- Compilation.h - Compile once, run many times -------------*- C++ -*-===//
//
// For programs that embed the compiler: a program is bound and compiled once, and each run takes
// its arrays from memory and can be continued at any time. A back end has one state, so the runs of
// one compilation share it: a run that another one has displaced saves its values in arrays, and
// restores them when it is used again.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_DRIVER_COMPILATION_H
#define LCI_DRIVER_COMPILATION_H

#include "LCI/Analysis/Presence.h"
#include "LCI/Bindings/Bindings.h"
#include "LCI/Driver/Replay.h"
#include "LCI/Driver/Report.h"
#include "LCI/Driver/RunOptions.h"
#include "LCI/Driver/Sets.h"
#include "LCI/Driver/ValueInfo.h"
#include "LCI/Driver/Watcher.h"
#include "LCI/Runtime/DeviceCells.h"
#include "LCI/Runtime/RunState.h"

namespace mlir::lci {
class LiveRun;

/// Arguments of one run in addition to those of the compilation. Arrays may be of any type that
/// holds the declared elements.
struct RunInputs {
  std::map<std::string, ::lci::Array> values, params;
  /// Values that are on the compilation's device, if it has one.
  std::map<std::string, ::lci::ForeignArray> deviceValues;
  /// By model and name.
  std::map<std::string, std::map<std::string, ::lci::Array>> weights;
  std::optional<uint64_t> seed;
  std::vector<std::string> enable, disable;
};

/// A bound program, and the back end that runs it. Failures have been reported to the context.
class Compilation {
public:
  /// Binds, checks and compiles the one program of a module, which is changed and must outlive the
  /// result. Values that have neither a rule nor an `init` may be given for each run.
  static FailureOr<std::shared_ptr<Compilation>>
  create(ModuleOp module, const ::lci::Bindings &bindings, const RunOptions &options);

  ArrayRef<ValueInfo> getValues() const { return values; }
  const ValueInfo *findValue(StringRef name) const;
  const std::vector<std::string> &getObservers() const { return watcher->observers(); }
  /// The bound program, and its arguments if a run gives no others.
  ProgramOp getProgram() const { return program; }
  const RunArguments &getArguments() const { return arguments; }
  /// What schedules are found for.
  const TuningKey &getTuningKey() const { return key; }
  /// The default number of epochs of a run.
  int64_t getEpochs() const { return epochs; }
  const char *getBackendName() const { return backend->name(); }
  /// Stops the current run between two ticks of its epoch; also from another thread. Its loop
  /// begins that epoch anew, unless it is interrupted.
  void stopTicks();
  /// The device on which values can be set and read, or null.
  const ::lci::Device *getDevice() const {
    ::lci::DeviceValues *there = backend->onDevice();
    return there ? &there->where() : nullptr;
  }

private:
  friend class LiveRun;
  Compilation() = default;
  LogicalResult bind(ModuleOp module, const ::lci::Bindings &bindings);
  LogicalResult compile();
  /// Checks arrays of a run against the program.
  LogicalResult addParams(const RunInputs &inputs, RunArguments &to);
  LogicalResult addValues(const RunInputs &inputs, std::map<std::string, ::lci::Array> &to);
  LogicalResult addDeviceValues(const RunInputs &inputs,
                                std::map<std::string, ::lci::DeviceInput> &to);
  /// Arguments that are compiled in cannot differ in a run.
  LogicalResult checkFixed(const RunArguments &requested);
  LogicalResult fail(const ::lci::Failure &failure);

  ProgramOp program;
  RunOptions options;
  std::string name;
  SmallVector<ValueInfo> values;
  SmallVector<RequiredInput> required;
  RunArguments arguments; ///< the defaults of all runs
  std::map<std::string, ::lci::Array> inputs;
  ::lci::RunIdentity identity; ///< of the program alone
  ::lci::Schedules schedules;
  TuningKey key;
  int64_t epochs = 1;
  std::unique_ptr<Backend> backend;
  std::unique_ptr<Watcher> watcher;
  /// The run whose state the back end has.
  std::weak_ptr<LiveRun> tenant;
};

/// A run that can be continued between epochs. One thread at a time may use a compilation and its
/// runs; a run may be destroyed at any time.
class LiveRun : public std::enable_shared_from_this<LiveRun> {
public:
  static FailureOr<std::shared_ptr<LiveRun>> start(std::shared_ptr<Compilation> compilation,
                                                   const RunInputs &inputs);
  /// Continues from the checkpoint of a run with the same arguments; inputs need not be given
  /// again.
  static FailureOr<std::shared_ptr<LiveRun>> resume(std::shared_ptr<Compilation> compilation,
                                                    ::lci::Checkpoint checkpoint,
                                                    const RunInputs &inputs);

  /// Runs up to `how.epochs` in all; however it ends, the state is that of a whole epoch.
  LogicalResult advance(::lci::LoopOptions how);
  /// The outcome of the last `advance`, with the counters of the whole run.
  const ::lci::LoopOutcome &getOutcome() const { return outcome; }
  int64_t getEpoch() const { return outcome.epochs; }
  uint64_t getSeed() const { return arguments.seed; }

  FailureOr<::lci::Array> value(const std::string &name);
  /// The same on the compilation's device, in separate memory.
  FailureOr<::lci::DeviceArray> valueOnDevice(const std::string &name);
  FailureOr<Observations> observe();
  FailureOr<::lci::Checkpoint> takeCheckpoint();
  /// Explains the content of a cell after the next epoch.
  LogicalResult explain(StringRef cell, llvm::raw_ostream &os);
  FailureOr<Report> makeReport();

  /// Called after every `LoopOptions::observeEvery` epochs.
  std::function<void(int64_t epoch, const Observations &seen)> onObserved;

private:
  explicit LiveRun(std::shared_ptr<Compilation> compilation)
      : compilation(std::move(compilation)) {}
  /// Makes the back end's state that of this run.
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
  /// The saved state, while the back end has another run's.
  std::optional<::lci::Checkpoint> kept;
  ::lci::History history;
  ::lci::LoopOutcome outcome;
  int64_t firstEpoch = 0, commitsBefore = 0;
  double seconds = 0;
  bool hasWarned = false; ///< of rejected proposals: once for each run
};

} // namespace mlir::lci

#endif // LCI_DRIVER_COMPILATION_H

//===- CpuProgram.h - A program compiled for this machine -------*- C++ -*-===//
//
// Lowers functions of ticks to machine code in memory and owns the buffers they work on. What the
// functions take is read off their argument attributes (docs/architecture.md, Level 3), so that
// programs and hand-written ticks run alike.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_EXECUTION_CPUPROGRAM_H
#define LCI_EXECUTION_CPUPROGRAM_H

#include "LCI/Execution/Backend.h"
#include "LCI/Execution/Storage.h"
#include "LCI/Pipelines/Pipelines.h"
#include "mlir/IR/BuiltinOps.h"

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace mlir {
class ExecutionEngine;
} // namespace mlir

namespace mlir::lci {

/// The runtime library of OpenMP that the build was configured with.
std::string defaultOpenMP();

/// How a program is compiled.
struct CpuOptions {
  /// LLVM's optimisation level, from 0 to 3.
  unsigned optLevel = 3;
  /// Threads that share a tick.
  int64_t threads = 1;
  /// Options of `lci-to-linalg-pipeline`, as `lmpm-opt` takes them: `bitslice=false grain=0`.
  std::string lowering;
  /// Run the kernels that a GPU would run, one thread after the other; `threads` and `lowering` are
  /// not asked then.
  bool kernels = false;
  /// The file of OpenMP's runtime library, which more than one thread take.
  std::string openMP = defaultOpenMP();
  /// Whether to verify what each pass leaves, for a seventh more time.
  bool verify = false;
};

/// What one function takes: a place for each of its arguments.
struct CpuFunction {
  std::string symbol;
  std::vector<Slot> slots;
  std::vector<std::string> counters;
  void (*entry)(void **) = nullptr;

  /// The slot of a role, of that name if it has one, or null.
  Slot *find(StringRef role, StringRef name = "");
  /// Runs it, and says what it counted.
  Counters call();
};

/// Compiled code and its state.
class CpuProgram final : public Backend {
public:
  /// Compiles the function of a module that runs epochs (the one with an argument of the role
  /// `first`), its `.init` and its `.observe`, where there are such. The module is left as it is;
  /// errors are diagnostics.
  static FailureOr<std::unique_ptr<CpuProgram>> compile(ModuleOp module,
                                                        const CpuOptions &options = {});
  ~CpuProgram() override;

  const char *name() const override { return runsKernels ? "kernels" : "cpu"; }
  ::lci::Status setArguments(const RunArguments &arguments) override;
  ::lci::Status initialise() override;
  ::lci::Status setValue(const std::string &name, const ::lci::Array &value) override;
  ::lci::Result<::lci::Array> value(const std::string &name) override;
  ::lci::Result<Counters> runEpochs(int64_t first, int64_t last) override;
  /// Needs a function with arguments of the roles `first_phase` and `last_phase`.
  ::lci::Result<Counters> runTick(int64_t epoch, int64_t phase) override;
  bool remember() override;
  void recall() override;
  ::lci::Result<Observations> observe(int64_t epoch) override;

private:
  CpuProgram();

  LogicalResult link(ModuleOp lowered, const CpuOptions &options, int64_t threads,
                     std::unique_ptr<llvm::TargetMachine> machine);
  ::lci::Status setArguments(CpuFunction &function, const RunArguments &arguments);
  Slot *findValue(const std::string &name);
  void setRange(int64_t firstEpoch, int64_t lastEpoch, int64_t firstPhase, int64_t lastPhase);
  Counters callRun(bool bringsBack);
  void bringBack();
  std::vector<Slot *> findState();

  std::unique_ptr<ExecutionEngine> engine;
  bool runsKernels = false;
  CpuFunction run;
  std::optional<CpuFunction> init, observer;
  /// Of arrays that compiled code keeps in a layout of its own (`lci-keep-storage`): whether they
  /// are up to date, and whether their storage is.
  bool arraysHold = true, storageHolds = false;
  std::vector<std::pair<Slot *, Slot>> remembered; ///< slots of the state, and copies of them
};

/// Adds to a context what compiling needs: dialects, their buffers, their translation to LLVM IR.
void prepareContext(MLIRContext &context);

} // namespace mlir::lci

#endif // LCI_EXECUTION_CPUPROGRAM_H

//===- Compile.h - Compile programs in memory -------------------*- C++ -*-===//
//
// Lowers functions of ticks to machine code in memory, for the CPU or a GPU, or to the code of a
// bundle. The arguments of the functions are described by their attributes (docs/architecture.md,
// Level 3).
//
//===----------------------------------------------------------------------===//

#ifndef LCI_EXECUTION_COMPILE_H
#define LCI_EXECUTION_COMPILE_H

#include "LCI/Execution/Backend.h"
#include "LCI/Pipelines/LowerBySchedule.h"
#include "LCI/Pipelines/Pipelines.h"
#include "LCI/Runtime/Bundle.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::lci {

/// The runtime library of OpenMP that the build was configured with.
std::string defaultOpenMP();

/// Options of a compilation for the CPU.
struct CpuOptions {
  /// LLVM's optimisation level, from 0 to 3.
  unsigned optLevel = 3;
  /// Threads that share a tick.
  int64_t threads = 1;
  /// Options of `lci-to-llvm-pipeline`, in the syntax of `lmpm-opt`: `bitslice=false grain=0`.
  std::string lowering;
  /// Lowers in place of the pipeline. The pipelines do the rest.
  ScheduleText schedule;
  /// The file of OpenMP's runtime library, needed for more than one thread.
  std::string openMP = defaultOpenMP();
  /// Whether to verify the IR after each pass, for a seventh more time.
  bool verify = false;
};

/// Whether a text consists of options of `lci-to-llvm-pipeline`, each once and with a valid
/// value.
::lci::Status checkLowering(StringRef text);

/// Compiles the function of a module that runs epochs (the one with an argument of the role
/// `first`), its `.init` and its `.observe`, if they exist. The module is not changed; errors are
/// diagnostics.
FailureOr<std::unique_ptr<CompiledProgram>> compileForCpu(ModuleOp module,
                                                          const CpuOptions &options = {});

/// Tiles in which kernels compute several epochs, however few there are.
struct EpochTiles {
  int64_t epochs, columns, threads;
};

/// Options of a compilation to kernels.
struct KernelOptions {
  /// LLVM's optimisation level if kernels run on this machine, from 0 to 3. They run here to be
  /// compared, at sizes for which level 1 compiles three times as long as what it saves.
  unsigned optLevel = 0;
  /// The number of row groups from which on each is computed by one thread; by default as for a
  /// GPU.
  std::optional<int64_t> jamGroups;
  /// The number of cells from which on values of a phase with the same reads share a kernel; by
  /// default as for a GPU.
  std::optional<int64_t> minJoined;
  /// Several epochs in a launch; by default as for a GPU.
  std::optional<EpochTiles> epochs;
  /// Blocks of four bits that threshold draws always compute; by default as for a GPU.
  std::optional<int64_t> eagerBlocks;
  /// Whether matrices of models are multiplied in TF32, as by tensor cores.
  bool tf32 = false;
  /// Whether to verify the IR after each pass.
  bool verify = false;
  /// Lowers in place of the pipeline, to kernels at most.
  ScheduleText schedule = {};
};

/// Compiles the same functions to launch plans and kernels, and runs those on this machine in place
/// of a GPU, threads sequentially.
FailureOr<std::unique_ptr<CompiledProgram>> compileKernels(ModuleOp module,
                                                           const KernelOptions &options = {});

/// Selects a GPU.
struct CudaOptions {
  /// The number of the GPU.
  int ordinal = 0;
  /// The library of NVIDIA's driver.
  std::string driver = ::lci::kCudaDriver;
  KernelOptions kernels;
};

/// Compiles the same functions to launch plans and PTX, and runs them on a GPU.
FailureOr<std::unique_ptr<CompiledProgram>> compileForCuda(ModuleOp module,
                                                           const CudaOptions &options = {});

/// A program that runs from IR of some level.
struct RunnableIR {
  std::unique_ptr<CompiledProgram> program;
  /// The function that runs epochs, and those beside it: their arguments and counters.
  std::vector<::lci::FunctionForm> functions;
};

/// Runs the same functions from the level that a module is on, with as few choices as possible:
/// ticks on tensors are interpreted, everything on buffers becomes machine code that is not
/// optimized, and kernels run on this machine. Not from level 2 up, or from the nvvm dialect on.
FailureOr<RunnableIR> compileAsItIs(ModuleOp module);

/// Compiles the same functions for a processor level (`x86-64-v3`), to run on another machine. A
/// schedule, if there is one, lowers them.
FailureOr<::lci::BundledCode> bundleForCpu(ModuleOp module, StringRef level,
                                           const ScheduleText &schedule = {});
/// Compiles them to launch plans and PTX, for a chip and all later ones. With `tf32` matrices of
/// models are multiplied by tensor cores.
FailureOr<::lci::BundledCode> bundleForGPU(ModuleOp module, StringRef chip, bool tf32 = false,
                                           const ScheduleText &schedule = {});

/// Registers dialects, their bufferization and their translation to LLVM IR in a context.
void prepareContext(MLIRContext &context);
/// Registers the translation to PTX in addition.
void prepareContextForPTX(MLIRContext &context);

} // namespace mlir::lci

#endif // LCI_EXECUTION_COMPILE_H

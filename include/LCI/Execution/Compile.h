//===- Compile.h - Programs compiled for this machine -----------*- C++ -*-===//
//
// Lowers functions of ticks to machine code in memory. What the functions take is read off their
// argument attributes (docs/architecture.md, Level 3).
//
//===----------------------------------------------------------------------===//

#ifndef LCI_EXECUTION_COMPILE_H
#define LCI_EXECUTION_COMPILE_H

#include "LCI/Execution/Backend.h"
#include "LCI/Pipelines/Pipelines.h"
#include "LCI/Runtime/Bundle.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::lci {

/// The runtime library of OpenMP that the build was configured with.
std::string defaultOpenMP();

/// How a program is compiled for the CPU.
struct CpuOptions {
  /// LLVM's optimisation level, from 0 to 3.
  unsigned optLevel = 3;
  /// Threads that share a tick.
  int64_t threads = 1;
  /// Options of `lci-to-linalg-pipeline`, as `lmpm-opt` takes them: `bitslice=false grain=0`.
  std::string lowering;
  /// The file of OpenMP's runtime library, which more than one thread take.
  std::string openMP = defaultOpenMP();
  /// Whether to verify what each pass leaves, for a seventh more time.
  bool verify = false;
};

/// Whether a text has options of `lci-to-linalg-pipeline`, each once and with a value that it
/// takes.
::lci::Status checkLowering(StringRef text);

/// Compiles the function of a module that runs epochs (the one with an argument of the role
/// `first`), its `.init` and its `.observe`, where there are such. The module is left as it is;
/// errors are diagnostics.
FailureOr<std::unique_ptr<CompiledProgram>> compileForCpu(ModuleOp module,
                                                          const CpuOptions &options = {});

/// Tiles in which kernels have several epochs, however few there are.
struct EpochTiles {
  int64_t epochs, columns, threads;
};

/// How kernels are compiled.
struct KernelOptions {
  /// LLVM's optimisation level where they run on this machine, from 0 to 3.
  unsigned optLevel = 1;
  /// From how many groups of rows on each is computed by one thread; if not said, as for a GPU.
  std::optional<int64_t> jamGroups;
  /// From how many cells on values of a phase that read the same are one kernel's; as for a GPU.
  std::optional<int64_t> smallestJoined;
  /// Several epochs to a launch; if not said, as for a GPU.
  std::optional<EpochTiles> epochs;
  /// Blocks of four bits that threshold draws always look at; if not said, as for a GPU.
  std::optional<int64_t> eagerBlocks;
  /// Whether matrices of models are multiplied as by tensor cores, in TF32.
  bool tf32 = false;
  /// Whether to verify what each pass leaves.
  bool verify = false;
};

/// Compiles the same functions to launch plans and kernels, and runs those on this machine in place
/// of a GPU, one thread after the other.
FailureOr<std::unique_ptr<CompiledProgram>> compileKernels(ModuleOp module,
                                                           const KernelOptions &options = {});

/// How a GPU is found.
struct CudaOptions {
  /// Which of the machine's GPUs.
  int ordinal = 0;
  /// The library of NVIDIA's driver.
  std::string driver = ::lci::kCudaDriver;
  KernelOptions kernels;
};

/// Compiles the same functions to launch plans and PTX, and runs them on a GPU.
FailureOr<std::unique_ptr<CompiledProgram>> compileForCuda(ModuleOp module,
                                                           const CudaOptions &options = {});

/// Compiles the same functions for a level of processors (`x86-64-v3`), to be run elsewhere.
FailureOr<::lci::BundledCode> bundleForCpu(ModuleOp module, StringRef level);
/// Compiles them to launch plans and PTX, for a chip and all that came after it. With `tf32`
/// matrices of models are multiplied by tensor cores.
FailureOr<::lci::BundledCode> bundleForGPU(ModuleOp module, StringRef chip, bool tf32 = false);

/// Adds to a context what compiling needs: dialects, their buffers, their translation to LLVM IR.
void prepareContext(MLIRContext &context);
/// Adds what PTX takes beside that.
void prepareContextForPTX(MLIRContext &context);

} // namespace mlir::lci

#endif // LCI_EXECUTION_COMPILE_H

//===- Registration.cpp - Registration of the pipelines -------------------===//
//
// Each pipeline has a name, and its options are checked where they are written. Their defaults are
// kept as text, which schedules are printed from.
//
//===----------------------------------------------------------------------===//

#include "LCI/Errors/ErrorId.h"
#include "LCI/Pipelines/OptionBounds.h"
#include "LCI/Pipelines/Passes.h"
#include "LCI/Pipelines/Pipelines.h"
#include "LCI/Pipelines/PrintSchedule.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace mlir::lci;

namespace mlir::lci {
#define GEN_PASS_REGISTRATION
#include "LCI/Pipelines/Passes.h.inc"
} // namespace mlir::lci

/// What is wrong with the options of a pipeline, beyond their syntax; empty if nothing is.
template <typename Options>
static std::string findProblem(const Options &, StringRef) {
  return "";
}

/// A chip that the compiler lacks.
static std::string findProblem(const KernelPipelineOptions &options, StringRef pipeline) {
  if (pipeline == "lci-to-kernels-pipeline") // no instructions of a chip yet
    return "";
  std::string chip = options.target.chip.empty() ? kDefaultChip : options.target.chip.getValue();
  return findChipProblem(chip, options.target.tf32);
}

/// Whether a pipeline is for a GPU: by its target.
template <typename Options, typename = void>
static constexpr bool kIsForGPU = false;
template <typename Options>
static constexpr bool kIsForGPU<Options, std::void_t<decltype(Options::target)>> =
    std::is_same_v<decltype(Options::target), GPUTargetOptions>;

/// The default options of each pipeline, as text.
static llvm::StringMap<std::string (*)()> &knownPipelines() {
  static llvm::StringMap<std::string (*)()> known;
  return known;
}

template <typename Options>
static std::string printDefaults() {
  std::string text;
  llvm::raw_string_ostream os(text);
  Options().print(os);
  return StringRef(text).trim("{}").str();
}

std::optional<std::string> mlir::lci::defaultOptions(StringRef pipeline) {
  auto found = knownPipelines().find(pipeline);
  return found == knownPipelines().end() ? std::nullopt : std::optional(found->second());
}

/// A pipeline that is refused where it is written, if its options are wrong.
template <typename Options>
static void registerChecked(StringRef name, StringRef description,
                            void (*build)(OpPassManager &, const Options &)) {
  auto parse = [=](OpPassManager &manager, StringRef text, auto refuse) -> LogicalResult {
    NamedOptions<Options> options;
    std::string problem = findOptionProblem(
        text, [&](StringRef option) { return options.find(option); }, kIsForGPU<Options>);
    if (!problem.empty())
      return refuse(::lmpm::withErrorId(problem, ErrorId::PassOption));
    if (failed(options.parseFromString(text)))
      return failure();
    problem = findProblem(static_cast<const Options &>(options), name);
    if (!problem.empty())
      return refuse(problem);
    build(manager, options);
    return success();
  };
  knownPipelines()[name] = printDefaults<Options>;
  registerPassPipeline(
      name, description, parse,
      [](function_ref<void(const mlir::detail::PassOptions &)> handle) { handle(Options()); });
}

void mlir::lci::registerPipelines() {
  registerLCIPipelinesPasses();
  registerChecked("lci-check-pipeline",
                  "Prove what must be known of bound programs, or refuse them.",
                  buildCheckPipeline);
  registerChecked("lci-to-linalg-pipeline", "From ticks on tensors to linalg on buffers.",
                  buildLinalgPipeline);
  registerChecked("lci-to-llvm-pipeline", "From ticks on tensors to the llvm dialect.",
                  buildCPUPipeline);
  registerChecked("lci-to-buffers-pipeline",
                  "From ticks on tensors to ticks on buffers, for a CPU.", buildBuffersPipeline);
  registerChecked("lci-buffers-to-linalg-pipeline", "From ticks on buffers to linalg on buffers.",
                  buildBuffersToLinalgPipeline);
  registerChecked("lci-to-gpu-buffers-pipeline",
                  "From ticks on tensors to ticks on buffers, for a GPU.",
                  buildDeviceBuffersPipeline);
  registerChecked("lci-gpu-buffers-to-kernels-pipeline",
                  "From ticks on buffers to kernels of a gpu.module.",
                  buildBuffersToKernelsPipeline);
  registerChecked("lci-to-kernels-pipeline", "From ticks on tensors to kernels of a gpu.module.",
                  buildKernelPipeline);
  registerChecked("lci-to-nvvm-pipeline",
                  "From ticks on tensors to kernels in the nvvm dialect, and what launches them.",
                  buildNVVMPipeline);
  registerChecked("lci-to-ptx-pipeline", "From ticks on tensors to PTX in a gpu.binary.",
                  buildPTXPipeline);
  registerChecked("lci-linalg-to-llvm-pipeline", "From linalg on buffers to the llvm dialect.",
                  buildLinalgToLLVMPipeline);
  registerChecked("lci-linalg-to-kernels-pipeline",
                  "From linalg on buffers to kernels of a gpu.module.", buildLaunchPipeline);
  registerChecked("lci-kernels-to-nvvm-pipeline", "From kernels to the nvvm dialect.",
                  buildKernelsToNVVMPipeline);
  registerChecked("lci-kernels-to-ptx-pipeline", "From kernels to PTX in a gpu.binary.",
                  buildKernelsToPTXPipeline);
}

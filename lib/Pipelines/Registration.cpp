//===- Registration.cpp - Registration of the pipelines -------------------===//

#include "LCI/Pipelines/Passes.h"
#include "LCI/Pipelines/Pipelines.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace mlir::lci;

namespace mlir::lci {
#define GEN_PASS_REGISTRATION
#include "LCI/Pipelines/Passes.h.inc"
} // namespace mlir::lci

/// A pipeline that is refused where it is written if it names a chip that the compiler lacks.
static void registerForChips(StringRef name, StringRef description,
                             void (*build)(OpPassManager &, const KernelPipelineOptions &)) {
  auto parse = [=](OpPassManager &manager, StringRef text, auto refuse) -> LogicalResult {
    KernelPipelineOptions options;
    if (failed(options.parseFromString(text)))
      return failure();
    std::string chip = options.target.chip.empty() ? kDefaultChip : options.target.chip.getValue();
    std::string problem = findChipProblem(chip, options.target.tf32);
    if (!problem.empty())
      return refuse(problem);
    build(manager, options);
    return success();
  };
  registerPassPipeline(name, description, parse,
                       [](function_ref<void(const mlir::detail::PassOptions &)> handle) {
                         handle(KernelPipelineOptions());
                       });
}

void mlir::lci::registerPipelines() {
  registerLCIPipelinesPasses();
  PassPipelineRegistration<CheckOptions>(
      "lci-check-pipeline", "Prove what must be known of bound programs, or refuse them.",
      [](OpPassManager &manager, const CheckOptions &options) {
        buildCheckPipeline(manager, options);
      });
  PassPipelineRegistration<LinalgPipelineOptions>(
      "lci-to-linalg-pipeline", "From ticks on tensors to linalg on buffers.",
      [](OpPassManager &manager, const LinalgPipelineOptions &options) {
        buildLinalgPipeline(manager, options);
      });
  PassPipelineRegistration<CPUPipelineOptions>(
      "lci-to-llvm-pipeline", "From ticks on tensors to the llvm dialect.", buildCPUPipeline);
  PassPipelineRegistration<KernelPipelineOptions>(
      "lci-to-kernels-pipeline", "From ticks on tensors to kernels of a gpu.module.",
      buildKernelPipeline);
  registerForChips("lci-to-nvvm-pipeline",
                   "From ticks on tensors to kernels in the nvvm dialect, and what launches them.",
                   buildNVVMPipeline);
  registerForChips("lci-to-ptx-pipeline", "From ticks on tensors to PTX in a gpu.binary.",
                   buildPTXPipeline);
}

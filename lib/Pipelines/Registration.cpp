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

void lci::registerPipelines() {
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
  PassPipelineRegistration<LinalgPipelineOptions>(
      "lci-to-llvm-pipeline", "From ticks on tensors to the llvm dialect.",
      [](OpPassManager &manager, const LinalgPipelineOptions &options) {
        buildLinalgPipeline(manager, options);
        LLVMPipelineOptions toLLVM;
        toLLVM.threads = options.threads;
        toLLVM.vectorBits = options.vectorBits;
        toLLVM.jamGroups = options.jamGroups;
        buildLLVMPipeline(manager, toLLVM);
      });
  PassPipelineRegistration<KernelPipelineOptions>(
      "lci-to-kernels-pipeline", "From ticks on tensors to kernels of a gpu.module.",
      buildKernelPipeline);
  PassPipelineRegistration<PTXPipelineOptions>(
      "lci-to-nvvm-pipeline",
      "From ticks on tensors to kernels in the nvvm dialect, and what launches them.",
      buildNVVMPipeline);
  PassPipelineRegistration<PTXPipelineOptions>(
      "lci-to-ptx-pipeline", "From ticks on tensors to PTX in a gpu.binary.", buildPTXPipeline);
}

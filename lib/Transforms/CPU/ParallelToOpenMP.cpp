//===- ParallelToOpenMP.cpp - Parallel loops by the target's threads ------===//
//
// Upstream's `convert-scf-to-openmp` takes the number of threads as an option of the pipeline; here
// it is the target's.
//
//===----------------------------------------------------------------------===//

#include "LCI/Dialect/LCIDialect.h"
#include "LCI/Transforms/CPU/Passes.h"
#include "mlir/Conversion/SCFToOpenMP/SCFToOpenMP.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/Pass/PassManager.h"

namespace mlir::lci {
#define GEN_PASS_DEF_PARALLELTOOPENMPPASS
#include "LCI/Transforms/CPU/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

namespace {
struct ParallelToOpenMP : mlir::lci::impl::ParallelToOpenMPPassBase<ParallelToOpenMP> {
  using ParallelToOpenMPPassBase::ParallelToOpenMPPassBase;

  void runOnOperation() override {
    auto threads = static_cast<unsigned>(getCPUTarget(getOperation()).threads);
    if (threads == 1)
      return;
    OpPassManager upstream(ModuleOp::getOperationName());
    upstream.addPass(createConvertSCFToOpenMPPass({threads}));
    if (failed(runPipeline(upstream, getOperation())))
      signalPassFailure();
  }
};
} // namespace

//===- AttachTargets.cpp - Set what a module is compiled for --------------===//

#include "LCI/Dialect/LCIDialect.h"
#include "LCI/Transforms/Support/PassOptions.h"
#include "LCI/Transforms/Support/VectorLanes.h"
#include "LCI/Transforms/Tick/Passes.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::lci {
#define GEN_PASS_DEF_ATTACHCPUTARGETPASS
#define GEN_PASS_DEF_ATTACHGPUTARGETPASS
#include "LCI/Transforms/Tick/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

/// An option of -1 was not given.
static int64_t choose(int64_t option, int64_t said) { return option == -1 ? said : option; }
static StringRef choose(StringRef option, StringRef said) { return option.empty() ? said : option; }

namespace {
struct AttachCPUTarget : mlir::lci::impl::AttachCPUTargetPassBase<AttachCPUTarget> {
  using AttachCPUTargetPassBase::AttachCPUTargetPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    return checkOptions(
        context, {{"vector-bits", choose(vectorBits, kNumberBits), kNumberBits, kMaxVectorBits},
                  {"vector-registers", choose(vectorRegisters, 1), 1, kMaxVectorRegisters},
                  {"threads", choose(threads, 1), 1, kMaxThreads}});
  }

  void runOnOperation() override {
    CPUTarget said = getCPUTarget(getOperation());
    if (failed(setTarget(getOperation(), CPUTarget{choose(vectorBits, said.vectorBits),
                                                   choose(vectorRegisters, said.vectorRegisters),
                                                   choose(threads, said.threads)})))
      signalPassFailure();
  }
};

struct AttachGPUTarget : mlir::lci::impl::AttachGPUTargetPassBase<AttachGPUTarget> {
  using AttachGPUTargetPassBase::AttachGPUTargetPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    return checkOptions(context,
                        {{"block-threads", choose(blockThreads, 1), 1, kMaxBlockThreads},
                         {"multiprocessors", choose(multiprocessors, 1), 1, kMaxMultiprocessors}});
  }

  void runOnOperation() override {
    GPUTarget said = getGPUTarget(getOperation());
    if (failed(
            setTarget(getOperation(),
                      GPUTarget{choose(chip, said.chip), choose(features, said.features),
                                choose(blockThreads, said.blockThreads),
                                choose(multiprocessors, said.multiprocessors), tf32 || said.tf32})))
      signalPassFailure();
  }
};
} // namespace

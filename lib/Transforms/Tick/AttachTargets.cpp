//===- AttachTargets.cpp - Set what a module is compiled for --------------===//

#include "LCI/Dialect/LCIDialect.h"
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
struct AttachCPUTarget : lci::impl::AttachCPUTargetPassBase<AttachCPUTarget> {
  using AttachCPUTargetPassBase::AttachCPUTargetPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    CPUTarget said = getCPUTarget(module);
    auto target = CPUTargetAttr::getChecked(
        [&] { return module.emitError(); }, &getContext(), choose(vectorBits, said.vectorBits),
        choose(vectorRegisters, said.vectorRegisters), choose(threads, said.threads));
    if (!target)
      return signalPassFailure();
    module->setDiscardableAttr(kTarget, target);
  }
};

struct AttachGPUTarget : lci::impl::AttachGPUTargetPassBase<AttachGPUTarget> {
  using AttachGPUTargetPassBase::AttachGPUTargetPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    GPUTarget said = getGPUTarget(module);
    auto target = GPUTargetAttr::getChecked(
        [&] { return module.emitError(); }, &getContext(), choose(chip, said.chip),
        choose(features, said.features), choose(blockThreads, said.blockThreads),
        choose(multiprocessors, said.multiprocessors), tf32 || said.tf32);
    if (!target)
      return signalPassFailure();
    module->setDiscardableAttr(kTarget, target);
  }
};
} // namespace

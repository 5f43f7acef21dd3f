//===- SetMinBlocksPerSM.cpp - Registers that nobody else needs -----------===//
//
// NVIDIA's assembler gives a thread few registers, so that many blocks find place on a
// multiprocessor, and moves to memory what does not fit. A kernel of few blocks has no use for that
// place: it waits less if loads come early, into many registers.
//
//===----------------------------------------------------------------------===//

#include "KernelLaunches.h"
#include "LCI/Transforms/GPU/Passes.h"
#include "LCI/Transforms/Support/PassOptions.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace mlir::lci {
#define GEN_PASS_DEF_SETMINBLOCKSPERSMPASS
#include "LCI/Transforms/GPU/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

namespace {
struct SetMinBlocksPerSM : lci::impl::SetMinBlocksPerSMPassBase<SetMinBlocksPerSM> {
  using SetMinBlocksPerSMPassBase::SetMinBlocksPerSMPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    return checkOptions(context, {{"few-blocks", fewBlocks, 0}});
  }

  void runOnOperation() override {
    Builder b(&getContext());
    auto hasFew = [&](gpu::LaunchFuncOp launch) {
      std::optional<Sides> blocks = findSides(launch.getGridSizeOperandValues());
      return blocks && countAll(*blocks) <= fewBlocks;
    };
    for (auto &[kernel, launches] : findLaunches(getOperation())) {
      if (!llvm::all_of(launches, hasFew))
        continue;
      gpu::GPUFuncOp(kernel)->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                                      b.getI32IntegerAttr(1));
      ++numKernels;
    }
  }
};
} // namespace

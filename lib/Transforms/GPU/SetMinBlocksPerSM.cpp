//===- SetMinBlocksPerSM.cpp - Registers for kernels with few blocks ------===//
//
// NVIDIA's assembler gives a thread few registers, so that many blocks are resident on a
// multiprocessor, and spills the rest. A kernel of few blocks does not need this residency: it
// stalls less if loads are issued early, into many registers.
//
//===----------------------------------------------------------------------===//

#include "KernelLaunches.h"
#include "LCI/Transforms/GPU/Passes.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace mlir::lci {
#define GEN_PASS_DEF_SETMINBLOCKSPERSMPASS
#include "LCI/Transforms/GPU/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

namespace {
struct SetMinBlocksPerSM : mlir::lci::impl::SetMinBlocksPerSMPassBase<SetMinBlocksPerSM> {
  using SetMinBlocksPerSMPassBase::SetMinBlocksPerSMPassBase;

  void runOnOperation() override {
    Builder b(&getContext());
    int64_t few = fewBlocks(getOperation());
    auto hasFew = [&](gpu::LaunchFuncOp launch) {
      std::optional<Sides> blocks = findSides(launch.getGridSizeOperandValues());
      return blocks && countAll(*blocks) <= few;
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

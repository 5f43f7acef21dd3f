//===- GrantRegisters.cpp - Registers that nobody else needs --------------===//
//
// NVIDIA's assembler gives a thread few registers, so that many blocks find place on a
// multiprocessor, and moves to memory what does not fit. A kernel of few blocks has no use for that
// place: it waits less if loads come early, into many registers.
//
//===----------------------------------------------------------------------===//

#include "KernelLaunches.h"
#include "LCI/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace mlir::lci {
#define GEN_PASS_DEF_GRANTREGISTERSPASS
#include "LCI/Transforms/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

/// How many blocks a launch has; none if that is not known.
static std::optional<int64_t> countBlocks(gpu::LaunchFuncOp launch) {
  int64_t blocks = 1;
  gpu::KernelDim3 grid = launch.getGridSizeOperandValues();
  for (Value side : {grid.x, grid.y, grid.z}) {
    std::optional<int64_t> extent = getConstantIntValue(side);
    if (!extent)
      return std::nullopt;
    blocks *= *extent;
  }
  return blocks;
}

namespace {
struct GrantRegisters : lci::impl::GrantRegistersPassBase<GrantRegisters> {
  using GrantRegistersPassBase::GrantRegistersPassBase;

  void runOnOperation() override {
    Builder b(&getContext());
    auto hasFew = [&](gpu::LaunchFuncOp launch) {
      std::optional<int64_t> blocks = countBlocks(launch);
      return blocks && *blocks <= fewBlocks;
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

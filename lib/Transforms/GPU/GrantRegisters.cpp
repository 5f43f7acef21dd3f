//===- GrantRegisters.cpp - Registers that nobody else needs --------------===//
//
// NVIDIA's assembler gives a thread few registers, so that many blocks find place on a
// multiprocessor, and moves to memory what does not fit. A kernel of few blocks has no use for that
// place: it waits less if loads come early, into many registers.
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/MapVector.h"

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
    llvm::MapVector<gpu::GPUFuncOp, bool> areFew; // in all launches of a kernel
    SymbolTableCollection symbols;
    getOperation().walk([&](gpu::LaunchFuncOp launch) {
      auto kernel = symbols.lookupNearestSymbolFrom<gpu::GPUFuncOp>(launch, launch.getKernelAttr());
      if (!kernel)
        return;
      std::optional<int64_t> blocks = countBlocks(launch);
      auto [known, isNew] = areFew.try_emplace(kernel, true);
      known->second &= blocks && *blocks <= fewBlocks;
    });
    Builder b(&getContext());
    for (auto &[kernel, isFew] : areFew) {
      if (!isFew)
        continue;
      gpu::GPUFuncOp(kernel)->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                                      b.getI32IntegerAttr(1));
      ++numKernels;
    }
  }
};
} // namespace

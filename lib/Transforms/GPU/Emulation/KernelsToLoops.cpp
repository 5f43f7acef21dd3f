//===- KernelsToLoops.cpp - Kernels on the host ---------------------------===//
//
// Each kernel becomes a host function that runs its threads sequentially, block by block, because
// then kernels can be checked without a GPU. Upstream has no such lowering; it lowers
// kernels for devices alone.
//
//===----------------------------------------------------------------------===//

#include "HostKernel.h"
#include "LCI/Transforms/GPU/Emulation/Passes.h"
#include "LCI/Transforms/Support/LoopHints.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/SymbolTable.h"

namespace mlir::lci {
#define GEN_PASS_DEF_KERNELSTOLOOPSPASS
#include "LCI/Transforms/GPU/Emulation/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

namespace {

struct KernelsToLoops : mlir::lci::impl::KernelsToLoopsPassBase<KernelsToLoops> {
  using KernelsToLoopsPassBase::KernelsToLoopsPassBase;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    SmallVector<gpu::GPUModuleOp> modules(getOperation().getOps<gpu::GPUModuleOp>());
    for (gpu::GPUModuleOp module : modules) {
      OpBuilder b(module);
      for (auto kernel : module.getOps<gpu::GPUFuncOp>()) {
        FailureOr<func::FuncOp> function = HostKernel(kernel, b).build(kernel.getName());
        if (failed(function))
          return signalPassFailure();
        symbols.insert(*function, Block::iterator(module));
        auto known = SymbolRefAttr::get(module.getSymNameAttr(),
                                        {FlatSymbolRefAttr::get(kernel.getNameAttr())});
        functions[known] = *function;
        if (HostKernel::needsWarps(kernel))
          warps.insert(known);
        ++numKernels;
      }
    }
    if (replaceLaunches().wasInterrupted())
      return signalPassFailure();
    for (gpu::GPUModuleOp module : modules)
      module.erase();
  }

private:
  WalkResult replaceLaunches() {
    return getOperation().walk([&](gpu::LaunchFuncOp launch) {
      func::FuncOp function = functions.lookup(launch.getKernelAttr());
      if (!function || launch->getNumResults() > 0 || !launch.getAsyncDependencies().empty() ||
          launch.hasClusterSize() || launch.getDynamicSharedMemorySize()) {
        launch.emitOpError("expected a kernel of this module that is waited for, without clusters "
                           "or shared memory")
            << ErrorId::NotLowered;
        return WalkResult::interrupt();
      }
      std::optional<int64_t> row = getConstantIntValue(launch.getBlockSizeX());
      if (warps.contains(launch.getKernelAttr()) && (!row || *row % kWarp != 0)) {
        launch.emitOpError("expected rows of whole warps, of 32 threads, because those of a warp "
                           "work together")
            << ErrorId::NotLowered;
        return WalkResult::interrupt();
      }
      OpBuilder b(launch);
      SmallVector<Value> operands;
      for (gpu::KernelDim3 sides :
           {launch.getGridSizeOperandValues(), launch.getBlockSizeOperandValues()})
        for (Value side : {sides.x, sides.y, sides.z})
          operands.push_back(
              getValueOrCreateCastToIndexLike(b, launch.getLoc(), b.getIndexType(), side));
      llvm::append_range(operands, launch.getKernelOperands());
      func::CallOp::create(b, launch.getLoc(), function, operands);
      launch.erase();
      return WalkResult::advance();
    });
  }

  llvm::DenseMap<Attribute, func::FuncOp> functions;
  llvm::DenseSet<Attribute> warps; ///< kernels whose warps are whole
};

} // namespace

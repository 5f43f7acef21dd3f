//===- KernelLaunches.h - Which launches a kernel has -----------*- C++ -*-===//

#ifndef LCI_LIB_TRANSFORMS_GPU_KERNELLAUNCHES_H
#define LCI_LIB_TRANSFORMS_GPU_KERNELLAUNCHES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::lci {

/// The kernels of a module that are launched in it, and from where.
inline llvm::MapVector<gpu::GPUFuncOp, SmallVector<gpu::LaunchFuncOp>>
findLaunches(ModuleOp module) {
  llvm::MapVector<gpu::GPUFuncOp, SmallVector<gpu::LaunchFuncOp>> launches;
  SymbolTableCollection symbols;
  module.walk([&](gpu::LaunchFuncOp launch) {
    auto kernel = symbols.lookupNearestSymbolFrom<gpu::GPUFuncOp>(launch, launch.getKernelAttr());
    if (kernel)
      launches[kernel].push_back(launch);
  });
  return launches;
}

} // namespace mlir::lci

#endif // LCI_LIB_TRANSFORMS_GPU_KERNELLAUNCHES_H

//===- KernelLaunches.h - Sizes and lookup of kernel launches ---*- C++ -*-===//
//
// Helpers for passes on kernels and their launches.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_TRANSFORMS_GPU_KERNELLAUNCHES_H
#define LCI_LIB_TRANSFORMS_GPU_KERNELLAUNCHES_H

#include "LCI/Dialect/LCIDialect.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/MapVector.h"
#include <array>
#include <optional>

namespace mlir::lci {

/// Blocks that a grid may have on its second and third axes.
inline constexpr int64_t kMaxBlocks = 65535;

/// Blocks that are resident at once, whatever registers they need: two for each multiprocessor.
inline int64_t fewBlocks(Operation *op) { return 2 * getGPUTarget(op).multiprocessors; }

/// Blocks of a grid, or threads of a block, by axes from `x` on.
using Sides = std::array<int64_t, 3>;

/// The constant sizes of a launch; none if some are dynamic.
inline std::optional<Sides> findSides(gpu::KernelDim3 values) {
  Sides sides;
  for (auto [side, value] : llvm::zip_equal(sides, std::array{values.x, values.y, values.z})) {
    std::optional<int64_t> constant = getConstantIntValue(value);
    if (!constant)
      return std::nullopt;
    side = *constant;
  }
  return sides;
}

/// The product of the sizes.
inline int64_t countAll(const Sides &sides) { return sides[0] * sides[1] * sides[2]; }

/// The kernels of a module that are launched in it, with their launches.
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

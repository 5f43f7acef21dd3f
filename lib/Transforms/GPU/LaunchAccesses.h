//===- LaunchAccesses.h - Accesses and sizes of launches --------*- C++ -*-===//
//
// The accesses of a `gpu.launch` to buffers, its constant sizes and its work, from which
// `lci-fuse-launches` decides which launches are independent and profit from fusion.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_TRANSFORMS_GPU_LAUNCHACCESSES_H
#define LCI_LIB_TRANSFORMS_GPU_LAUNCHACCESSES_H

#include "KernelLaunches.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::lci {

/// A launch before its body is outlined.
struct LaunchAccesses {
  /// An access to a buffer or a view of one. Integer additions commute.
  enum class Touch { Read, Add, Write };

  gpu::LaunchOp launch;
  llvm::SetVector<std::pair<Value, Touch>> touched;
  std::optional<Sides> blocks, threads; ///< none if they are dynamic or beyond the bound
  int64_t work = 0;                     ///< operations of a thread, counted per element of vectors
  bool synchronizes = false;            ///< whether it has barriers or workgroup memory

  /// Whether the order of two launches does not matter.
  bool isIndependentOf(const LaunchAccesses &other) const;
};

/// Analyzes a launch; none if it accesses unknown memory, or is asynchronous.
std::optional<LaunchAccesses> findAccesses(gpu::LaunchOp launch);

} // namespace mlir::lci

#endif // LCI_LIB_TRANSFORMS_GPU_LAUNCHACCESSES_H

//===- LaunchFacts.h - What a launch touches, and how large it is --*- C++ -*===//

#ifndef LCI_LIB_TRANSFORMS_GPU_LAUNCHFACTS_H
#define LCI_LIB_TRANSFORMS_GPU_LAUNCHFACTS_H

#include "KernelLaunches.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::lci {

/// A launch on the host's side, before its body is a function of its own.
struct LaunchFacts {
  /// What it does with a buffer or a view of one. Whole numbers are added in any order.
  enum class Touch { Read, Add, Write };

  gpu::LaunchOp launch;
  llvm::SetVector<std::pair<Value, Touch>> touched;
  std::optional<Sides> blocks, threads; ///< none if they are no constants, or of no use
  int64_t work = 0;                     ///< operations of a thread, of vectors each element
  bool meets = false;                   ///< whether its threads meet, or share memory

  /// Whether the order of two launches does not matter.
  bool isIndependentOf(const LaunchFacts &other) const;
};

/// What there is to know of a launch; none if it touches memory and does not say which, or does not
/// end before what follows it.
std::optional<LaunchFacts> findFacts(gpu::LaunchOp launch);

} // namespace mlir::lci

#endif // LCI_LIB_TRANSFORMS_GPU_LAUNCHFACTS_H

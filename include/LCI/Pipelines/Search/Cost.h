//===- Cost.h - What lowered code costs, by counting ------------*- C++ -*-===//
//
// A model of time that reads IR and runs nothing. Integers that are known are followed through
// functions and loops, so that trip counts and sizes are numbers; operations are counted by the
// vectors that they fill, bytes by the smallest cache in which the data of a loop stays.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_PIPELINES_SEARCH_COST_H
#define LCI_PIPELINES_SEARCH_COST_H

#include "mlir/IR/BuiltinOps.h"
#include <array>

namespace mlir::lci {

/// A level of a memory, from the fastest down.
struct MemoryLevel {
  const char *name;
  double bytes;         ///< that it holds; the last level holds everything
  double bytesPerCycle; ///< that arrive from the level below
};

/// The machine of the model. The numbers of a common server core of 2020 or later, and of an H200:
/// only their ratios matter for a ranking.
struct CostMachine {
  std::array<MemoryLevel, 3> levels = {
      {{"L1", 32 << 10, 48}, {"L2", 1 << 20, 16}, {"L3", 24 << 20, 5}}};
  double vectorOpsPerCycle = 2, scalarOpsPerCycle = 3;
  double threads = 1;
  // Of a GPU.
  double lanes = 132 * 128, deviceBytesPerCycle = 2700, cyclesPerLaunch = 4000;
};

/// Counts, for the epochs that were asked for.
struct Cost {
  double operations = 0;                   ///< instructions, of vectors or of threads
  std::array<double, 3> bytes = {0, 0, 0}; ///< that arrive in each level of the memory
  double launches = 0;
  double cycles = 0; ///< the estimate

  /// `operations`, `bytes` and `cycles` in words.
  std::string text() const;
};

/// The cost of so many epochs of a module in linalg and loops on buffers, or in kernels; fails with
/// an error if it is of another level, where loops and sizes are no longer known.
FailureOr<Cost> estimate(ModuleOp module, int64_t epochs, const CostMachine &machine = {});

} // namespace mlir::lci

#endif // LCI_PIPELINES_SEARCH_COST_H

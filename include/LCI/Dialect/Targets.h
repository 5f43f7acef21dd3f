//===- Targets.h - What the code of a module is compiled for ----*- C++ -*-===//
//
// `lci.target` on a module says what its code is compiled for: `#lci.cpu<…>` or `#lci.gpu<…>`.
// Passes read it where their code depends on the machine; all other passes are the same for every
// target.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_DIALECT_TARGETS_H
#define LCI_DIALECT_TARGETS_H

#include "mlir/IR/BuiltinOps.h"
#include <string>

namespace mlir::lci {

inline constexpr llvm::StringLiteral kTarget = "lci.target";

/// On the module of a schedule, what a search has found it for: a dictionary of texts.
inline constexpr llvm::StringLiteral kFoundFor = "lci.found_for";
inline constexpr llvm::StringLiteral kFoundForProgram = "program", kFoundForTarget = "target",
                                     kFoundForSizes = "sizes";
inline constexpr llvm::StringLiteral kFoundForParts[] = {kFoundForProgram, kFoundForTarget,
                                                         kFoundForSizes};

/// Those of AVX-512.
inline constexpr int64_t kDefaultVectorBits = 512, kDefaultVectorRegisters = 32;
/// More than any machine has; each thread needs scratch buffers.
inline constexpr int64_t kMaxVectorBits = 4096, kMaxVectorRegisters = 1024, kMaxThreads = 1024;

inline constexpr char kDefaultChip[] = "sm_80";
inline constexpr int64_t kDefaultBlockThreads = 128;
/// The limit of GPUs, and more multiprocessors than any has.
inline constexpr int64_t kMaxBlockThreads = 1024, kMaxMultiprocessors = 1 << 20;
/// Those of an H200.
inline constexpr int64_t kDefaultMultiprocessors = 132;

/// A CPU that code is compiled for: `#lci.cpu`.
struct CPUTarget {
  int64_t vectorBits = kDefaultVectorBits, vectorRegisters = kDefaultVectorRegisters;
  int64_t threads = 1; ///< that share a tick
};

/// A GPU that kernels are compiled for: `#lci.gpu`.
struct GPUTarget {
  StringRef chip = kDefaultChip;
  StringRef features; ///< empty: the first version of PTX that knows the chip
  int64_t blockThreads = kDefaultBlockThreads, multiprocessors = kDefaultMultiprocessors;
  bool tf32 = false; ///< whether tensor cores multiply matrices
};

/// Whether the module around an operation is compiled for a GPU.
bool isForGPU(Operation *op);
/// What the module around an operation is compiled for. Where that is the other kind, or not said,
/// it is the default.
CPUTarget getCPUTarget(Operation *op);
GPUTarget getGPUTarget(Operation *op);

/// Sets what a module is compiled for; emits an error if there is no such machine.
LogicalResult setTarget(ModuleOp module, const CPUTarget &target);
LogicalResult setTarget(ModuleOp module, const GPUTarget &target);
/// The same for a CPU. One thread is as many as the module has said.
LogicalResult setCPUTarget(ModuleOp module, int64_t vectorBits, int64_t vectorRegisters,
                           int64_t threads);

/// The first PTX version that supports a chip (`sm_90`, `sm_90a`), as LLVM calls it; empty if there
/// is no such chip from sm_75 on.
std::string ptxVersionFor(StringRef chip);
/// The reason why kernels cannot be compiled for a chip; empty if they can.
std::string findChipProblem(StringRef chip, bool tf32);
/// Whether such a chip has the features that came with sm_80: products in TF32, and warp sums.
bool isFromSM80(StringRef chip);

} // namespace mlir::lci

#endif // LCI_DIALECT_TARGETS_H

//===- HostKernel.h - Emulation of a kernel on the host ---------*- C++ -*-===//
//
// Builds a host function from a kernel, for `lci-kernels-to-loops`, by loop fission at barriers.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_TRANSFORMS_GPU_EMULATION_HOSTKERNEL_H
#define LCI_LIB_TRANSFORMS_GPU_EMULATION_HOSTKERNEL_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::lci {

/// Axes of a grid, and of a block.
constexpr unsigned kAxes = 3;

/// Builds the function of one kernel: `(blocks, threads of a block, operands of the kernel)`. The
/// loop over the threads of a block ends at each barrier, and another one begins.
class HostKernel {
public:
  HostKernel(gpu::GPUFuncOp kernel, OpBuilder &b) : kernel(kernel), b(b), loc(kernel.getLoc()) {}

  FailureOr<func::FuncOp> build(StringRef name);

  /// Whether threads of a warp multiply together, or shuffle.
  static bool needsWarps(gpu::GPUFuncOp kernel);
  /// Whether an operation exchanges values between threads: those of a warp by a product, a sum or
  /// a shuffle, those of a block by a sum or a count.
  static bool isExchange(Operation *op);

private:
  LogicalResult divide(Block &block);
  bool isRecomputable(Value value);
  bool isUniform(Value value);
  bool crosses(Value value);
  FailureOr<Value> slotOf(Value value);
  Value allocate(MemRefType type, ValueRange extents);
  Value allocateSlot(Type type);
  LogicalResult shareMemory();

  /// Loops over the axes of a grid or of a block, x innermost: neighbours in memory are
  /// consecutive.
  void emitLoops(unsigned part);
  void enterThreads();
  LogicalResult emit(Block &block);
  LogicalResult emitLoop(scf::ForOp loop);
  LogicalResult emitBranch(scf::IfOp branch);
  LogicalResult emitSegment(ArrayRef<Operation *> ops);
  LogicalResult emitThread(Operation &op);
  LogicalResult keepResults(Operation &op);
  LogicalResult assign(ValueRange to, ValueRange from);
  FailureOr<Value> find(Value value);
  Value findId(Operation &op);
  /// The indices of the thread's element.
  SmallVector<Value> slotIndices() {
    return SmallVector<Value>(llvm::reverse(ArrayRef(ids).drop_front(kAxes)));
  }

  // Exchanges between threads (HostExchange.cpp).
  LogicalResult emitExchange(Operation &op);
  LogicalResult emitSum(Operation &op, Value number);
  Value groupOf(Operation &op);
  FailureOr<Value> publish(Value value);
  LogicalResult emitShuffle(gpu::ShuffleOp op);

  // Products of warps (HostProducts.cpp).
  LogicalResult emitProduct(nvgpu::MmaSyncOp op);
  Value multiply(nvgpu::MmaSyncOp op, Value weights, Value vectors, Value sums);
  static void roundOnHost(func::FuncOp function);

  gpu::GPUFuncOp kernel;
  OpBuilder &b;
  Location loc;
  Block *entry = nullptr;
  Value zero, one;
  SmallVector<Value> extents, ids;                ///< of the grid, then of a block
  IRMapping shared, mapping;                      ///< for all threads, and for one
  unsigned numSegments = 0;                       ///< between barriers
  llvm::DenseMap<Operation *, unsigned> segment;  ///< of the top-level operations between barriers
  llvm::DenseMap<Value, Value> slots;             ///< of values that are live across barriers
  llvm::DenseMap<Operation *, bool> recomputable; ///< whether an operation can be recomputed
  SmallVector<Value> conditions; ///< of branches around: which threads have taken them
  SmallVector<Value> allocated;
};

} // namespace mlir::lci

#endif // LCI_LIB_TRANSFORMS_GPU_EMULATION_HOSTKERNEL_H

//===- HostKernel.h - A kernel as a function of the host --------*- C++ -*-===//

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

/// Makes the function of one kernel: `(blocks, threads of a block, what the kernel takes)`. Where
/// the threads of a block meet, the loop over them ends, and another one begins.
class HostKernel {
public:
  HostKernel(gpu::GPUFuncOp kernel, OpBuilder &b) : kernel(kernel), b(b), loc(kernel.getLoc()) {}

  FailureOr<func::FuncOp> build(StringRef name);

  /// Whether threads of a warp multiply together, or take something from each other.
  static bool needsWarps(gpu::GPUFuncOp kernel);
  /// Whether threads hand something on where they meet: those of a warp at a product, a sum or a
  /// shuffle, those of a block where they sum up or count.
  static bool isExchange(Operation *op);

private:
  LogicalResult divide(Block &block);
  bool isAgain(Value value);
  bool isSame(Value value);
  bool crosses(Value value);
  FailureOr<Value> slotOf(Value value);
  Value allocate(MemRefType type, ValueRange extents);
  Value allocateSlot(Type type);
  LogicalResult shareMemory();

  /// Loops over the axes of a grid or of a block, x innermost: neighbours in memory follow each
  /// other.
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
  /// Where a thread's element is.
  SmallVector<Value> slotIndices() {
    return SmallVector<Value>(llvm::reverse(ArrayRef(ids).drop_front(kAxes)));
  }

  // What threads tell each other (HostExchange.cpp).
  LogicalResult emitExchange(Operation &op);
  LogicalResult emitSum(Operation &op, Value number);
  Value groupOf(Operation &op);
  FailureOr<Value> give(Value value);
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
  SmallVector<Value> extents, ids;               ///< of the grid, then of a block
  IRMapping shared, mapping;                     ///< for all threads, and for one
  unsigned numSegments = 0;                      ///< between meetings
  llvm::DenseMap<Operation *, unsigned> segment; ///< of what stands outside of other operations
  llvm::DenseMap<Value, Value> slots;            ///< of what threads keep while they meet
  llvm::DenseMap<Operation *, bool> again;       ///< what can be computed again
  SmallVector<Value> conditions;                 ///< of branches around: who has taken them
  SmallVector<Value> allocated;
};

} // namespace mlir::lci

#endif // LCI_LIB_TRANSFORMS_GPU_EMULATION_HOSTKERNEL_H

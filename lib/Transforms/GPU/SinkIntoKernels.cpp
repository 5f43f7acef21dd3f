//===- SinkIntoKernels.cpp - Sink computations of the host into kernels ---===//
//
// A launch plan computes integers only, and reads no buffer, so kernels compute their other
// operands themselves. Upstream's gpu-launch-sink-index-computations does so for index arithmetic
// alone, and its sinkOperationsIntoLaunchOp leaves outside what has an operand that the kernel does
// not use yet.
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/GPU/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::lci {
#define GEN_PASS_DEF_SINKINTOKERNELSPASS
#include "LCI/Transforms/GPU/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

/// Whether a loaded element does not change as long as it is used: the buffer is not written after
/// the load, and all of its users are known.
static bool staysTheSame(memref::LoadOp load) {
  return llvm::all_of(load.getMemref().getUsers(), [&](Operation *user) {
    if (isa<memref::LoadOp, memref::DeallocOp>(user))
      return true;
    Operation *here = load->getBlock()->findAncestorOpInBlock(*user);
    return !isa<ViewLikeOpInterface>(user) && (!here || here->isBeforeInBlock(load));
  });
}

/// Whether a launch plan cannot represent an operation, whatever its operands are.
static bool isBeyondPlans(Operation *op) {
  if (isa<memref::GetGlobalOp>(op))
    return true; // a table, of which the kernels' module gets a copy
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return !load.getMemref().getDefiningOp<ViewLikeOpInterface>() && staysTheSame(load);
  bool isRareInteger =
      isa<arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp, arith::AddUIExtendedOp,
          arith::MulSIExtendedOp, arith::MulUIExtendedOp>(op);
  return isMemoryEffectFree(op) && llvm::none_of(op->getResultTypes(), llvm::IsaPred<MemRefType>) &&
         (isRareInteger || llvm::any_of(op->getOperandTypes(), llvm::IsaPred<FloatType>) ||
          llvm::any_of(op->getResultTypes(), llvm::IsaPred<FloatType>) ||
          !isa<arith::ArithDialect>(op->getDialect()));
}

/// Drops discardable attributes that name a symbol: upstream's outlining takes each for a callee of
/// the kernel and copies it, whatever it is and even if it does not exist.
static void dropNamesOfSymbols(gpu::LaunchOp launch) {
  launch.getBody().walk([](Operation *op) {
    for (NamedAttribute attribute : llvm::to_vector(op->getDiscardableAttrs())) {
      auto stop = [](SymbolRefAttr) { return WalkResult::interrupt(); };
      if (attribute.getValue().walk(stop).wasInterrupted())
        op->removeDiscardableAttr(attribute.getName());
    }
  });
}

namespace {
struct SinkIntoKernels : mlir::lci::impl::SinkIntoKernelsPassBase<SinkIntoKernels> {
  void runOnOperation() override {
    SmallVector<gpu::LaunchOp> launches;
    SmallVector<Operation *> order;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto launch = dyn_cast<gpu::LaunchOp>(op)) {
        launches.push_back(launch);
        return WalkResult::skip();
      }
      if (isForKernels(op)) {
        forKernels.insert(op);
        order.push_back(op);
      }
      return WalkResult::advance();
    });
    for (gpu::LaunchOp launch : launches) {
      sinkInto(launch);
      dropNamesOfSymbols(launch);
    }
    // Users come after their operands.
    for (Operation *op : llvm::reverse(order))
      if (op->use_empty())
        op->erase();
    forKernels.clear();
  }

private:
  /// Whether kernels compute an operation; then they also compute its users.
  bool isForKernels(Operation *op) const {
    if (op->getNumRegions() > 0 || op->getNumResults() == 0 ||
        op->hasTrait<OpTrait::ConstantLike>())
      return false;
    // A divisor that is not zero on the host is not zero in the kernel.
    return isBeyondPlans(op) ||
           (isMemoryEffectFree(op) && llvm::any_of(op->getOperands(), [&](Value operand) {
              return forKernels.contains(operand.getDefiningOp());
            }));
  }

  void sinkInto(gpu::LaunchOp launch) {
    llvm::SetVector<Value> used;
    getUsedValuesDefinedAbove(launch.getBody(), used);
    OpBuilder b(&launch.getBody().front(), launch.getBody().front().begin());
    IRMapping copies;
    for (Value value : used) {
      if (!forKernels.contains(value.getDefiningOp()))
        continue;
      copy(value.getDefiningOp(), copies, b);
      replaceAllUsesInRegionWith(value, copies.lookup(value), launch.getBody());
    }
  }

  /// Copies an operation after its operands.
  void copy(Operation *op, IRMapping &copies, OpBuilder &b) {
    if (copies.contains(op->getResult(0)))
      return;
    for (Value operand : op->getOperands())
      if (Operation *source = operand.getDefiningOp();
          source && (forKernels.contains(source) || source->hasTrait<OpTrait::ConstantLike>()))
        copy(source, copies, b);
    b.clone(*op, copies);
    ++numSunk;
  }

  llvm::DenseSet<Operation *> forKernels;
};
} // namespace

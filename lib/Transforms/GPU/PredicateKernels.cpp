//===- PredicateKernels.cpp - Branches on device data within kernels ------===//
//
// Results of kernels are in the device's memory, and the host, which does not wait, cannot branch
// on them; nor on floating-point numbers, since a launch plan computes integers only. Each kernel
// in such a branch evaluates the condition first: threads for which it does not hold end at once.
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/GPU/Passes.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::lci {
#define GEN_PASS_DEF_PREDICATEKERNELSPASS
#include "LCI/Transforms/GPU/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

namespace {

/// A branch of the host around kernels.
class KernelBranch {
public:
  explicit KernelBranch(scf::IfOp branch) : branch(branch) {
    BackwardSliceOptions options;
    options.inclusive = true;
    options.omitBlockArguments = true;
    options.filter = [](Operation *op) {
      return op->getNumRegions() == 0 && !isa<memref::AllocOp>(op);
    };
    (void)getBackwardSlice(branch.getCondition(), &slice, options);
    branch.getThenRegion().walk([&](gpu::LaunchOp launch) { launches.push_back(launch); });
    for (Operation *op : slice)
      if (auto load = dyn_cast<memref::LoadOp>(op);
          load && (isWritten(load.getMemref()) || isElsewhere(load)))
        readBuffers.insert(load.getMemref());
  }

  /// Whether there are kernels in the branch and its condition cannot be computed by the host.
  bool isForKernels() {
    auto isNumber = [](Type type) { return isa<FloatType>(type); };
    bool readsFloats = llvm::any_of(slice, [&](Operation *op) {
      return llvm::any_of(op->getResultTypes(), isNumber) ||
             llvm::any_of(op->getOperandTypes(), isNumber);
    });
    return !launches.empty() && (readsFloats || !readBuffers.empty());
  }

  LogicalResult distribute() {
    if (branch.getNumResults() > 0 || branch.elseBlock())
      return branch.emitOpError("expected a branch without results and without 'else', because its "
                                "condition is known to kernels alone")
             << ErrorId::NotLowered;
    for (gpu::LaunchOp launch : launches)
      if (failed(checkKeeps(launch)))
        return failure();
    for (gpu::LaunchOp launch : launches)
      enter(launch);
    // The host computes the other operations unconditionally, which is without effect.
    for (Operation &op : llvm::make_early_inc_range(branch.thenBlock()->without_terminator())) {
      if (!isa<gpu::LaunchOp, scf::ForOp, memref::LoadOp, memref::AllocOp>(op) &&
          !isMemoryEffectFree(&op))
        return op.emitOpError("stands in a branch that only kernels can take")
               << ErrorId::NotLowered;
      op.moveBefore(branch);
    }
    branch.erase();
    return success();
  }

  size_t size() const { return launches.size(); }

private:
  static bool isWritten(Value buffer) {
    return llvm::any_of(buffer.getUsers(), [](Operation *user) {
      return !isa<memref::LoadOp, memref::DeallocOp>(user);
    });
  }

  /// Whether the element that is loaded depends on a dynamic index; a plan reads only constant
  /// ones.
  static bool isElsewhere(memref::LoadOp load) {
    return !getConstantIntValues(getAsOpFoldResult(load.getIndices()));
  }

  /// A kernel that wrote the buffers of the condition would change it for later kernels.
  LogicalResult checkKeeps(gpu::LaunchOp launch) {
    WalkResult found = launch.walk([&](Operation *op) {
      bool changes = !isa<memref::LoadOp>(op) && llvm::any_of(op->getOperands(), [&](Value value) {
        return readBuffers.contains(value);
      });
      return changes ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (found.wasInterrupted())
      return launch.emitOpError("changes what the branch around it asks for")
             << ErrorId::NotLowered;
    return success();
  }

  /// Moves a kernel's body into the branch, except for the private memory of its threads.
  void enter(gpu::LaunchOp launch) {
    Block &body = launch.getBody().front();
    SmallVector<Operation *> inside;
    for (Operation &op : body.without_terminator())
      if (!isa<memref::AllocaOp>(op))
        inside.push_back(&op);
    OpBuilder b(body.getTerminator());
    IRMapping copies;
    for (Operation *op : slice)
      b.clone(*op, copies);
    auto inner = scf::IfOp::create(b, branch.getLoc(), copies.lookup(branch.getCondition()),
                                   /*withElseRegion=*/false);
    for (Operation *op : inside)
      op->moveBefore(inner.thenBlock()->getTerminator());
  }

  scf::IfOp branch;
  SetVector<Operation *> slice; ///< computes the condition
  SmallVector<gpu::LaunchOp> launches;
  llvm::DenseSet<Value> readBuffers; ///< buffers that the condition reads
};

struct PredicateKernels : mlir::lci::impl::PredicateKernelsPassBase<PredicateKernels> {
  void runOnOperation() override {
    SmallVector<scf::IfOp> branches; // inner ones first
    getOperation().walk([&](scf::IfOp branch) {
      if (!branch->getParentOfType<gpu::LaunchOp>())
        branches.push_back(branch);
    });
    for (scf::IfOp branch : branches) {
      KernelBranch kernels(branch);
      if (!kernels.isForKernels())
        continue;
      numDistributed += kernels.size();
      if (failed(kernels.distribute()))
        return signalPassFailure();
    }
  }
};

} // namespace

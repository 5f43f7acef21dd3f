//===- BufferModels.cpp - No tensor is left --------------------------------===//
//
// A pipeline behind a question: most programs ask no model, and by now have no tensors.
//
//===----------------------------------------------------------------------===//

#include "CarryTensors.h"
#include "LCI/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace mlir::lci {
#define GEN_PASS_DEF_BUFFERMODELSPASS
#include "LCI/Transforms/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

static void addBuffers(OpPassManager &manager) {
  // A model that no box asks, because its rule applies nowhere, is still there as a function; so is
  // what models called before it was inlined.
  manager.addPass(createSymbolDCEPass());
  // Upstream cannot bufferise all elementwise operations (a select by a tensor).
  manager.addNestedPass<func::FuncOp>(createConvertElementwiseToLinalgPass());
  // Answers are computed where they are wanted.
  manager.addPass(bufferization::createEmptyTensorEliminationPass());
  manager.addPass(bufferization::createOneShotBufferizePass());
  addCleanup(manager);
  manager.addNestedPass<func::FuncOp>(createCopiesToLinalgPass());
  manager.addNestedPass<func::FuncOp>(bufferization::createBufferHoistingPass());
  manager.addNestedPass<func::FuncOp>(bufferization::createBufferLoopHoistingPass());
  addCleanup(manager);
}

static bool hasTensors(Operation *op) {
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  auto function = dyn_cast<FunctionOpInterface>(op);
  return llvm::any_of(op->getResultTypes(), isTensor) ||
         llvm::any_of(op->getOperandTypes(), isTensor) ||
         (function && (llvm::any_of(function.getArgumentTypes(), isTensor) ||
                       llvm::any_of(function.getResultTypes(), isTensor)));
}

/// Gives every product a start of its own. Answers are computed where they are wanted; upstream
/// lets what starts two of them, if it is one tensor, be the place of both.
template <typename Start>
static void separate(ModuleOp module) {
  SmallVector<Start> starts;
  module.walk([&](Start start) {
    if (start->getNumResults() == 1 && !start->use_empty())
      starts.push_back(start);
  });
  for (Start start : starts)
    for (OpOperand &use : llvm::make_early_inc_range(llvm::drop_begin(start->getUses())))
      use.set(OpBuilder(start).clone(*start)->getResult(0));
}

/// Scratch is there whichever branches are taken: upstream's hoisting leaves loops, not branches.
static void hoistFromBranches(func::FuncOp function) {
  SmallVector<memref::AllocOp> inBranches;
  function.walk([&](memref::AllocOp alloc) {
    if (alloc->getNumOperands() == 0 && alloc->getParentOp() != function &&
        !alloc->getParentOfType<scf::ParallelOp>() && !alloc->getParentOfType<scf::ForallOp>())
      inBranches.push_back(alloc);
  });
  for (memref::AllocOp alloc : inBranches)
    alloc->moveBefore(&function.getBody().front(), function.getBody().front().begin());
}

namespace {
struct BufferModels : lci::impl::BufferModelsPassBase<BufferModels> {
  using BufferModelsPassBase::BufferModelsPassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    OpPassManager manager(ModuleOp::getOperationName());
    addBuffers(manager);
    manager.getDependentDialects(registry);
  }

  void runOnOperation() override {
    WalkResult found = getOperation().walk([](Operation *op) {
      return hasTensors(op) ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (!found.wasInterrupted())
      return;
    carryInPlace(getOperation());
    separate<linalg::FillOp>(getOperation());
    separate<tensor::EmptyOp>(getOperation());
    OpPassManager manager(ModuleOp::getOperationName());
    addBuffers(manager);
    if (failed(runPipeline(manager, getOperation())))
      return signalPassFailure();
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal())
        hoistFromBranches(function);
  }
};
} // namespace

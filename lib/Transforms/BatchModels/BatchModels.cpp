//===- BatchModels.cpp - Ask a model about many cells at once ---------------===//
//
// Finds the ticks that ask a model, and makes sure that the model is one that can be asked so.
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/Passes.h"
#include "TickBatcher.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::lci {
#define GEN_PASS_DEF_BATCHMODELSPASS
#include "LCI/Transforms/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

namespace {
struct BatchModels : lci::impl::BatchModelsPassBase<BatchModels> {
  using BatchModelsPassBase::BatchModelsPassBase;

  llvm::SetVector<func::FuncOp> models;
  llvm::DenseMap<std::pair<Operation *, Operation *>, Buffers> buffers; // by function and model

  LogicalResult generalize(func::FuncOp model) {
    SmallVector<linalg::LinalgOp> named;
    model.walk([&](linalg::LinalgOp op) {
      if (!isa<linalg::GenericOp, linalg::FillOp>(op))
        named.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : named) {
      rewriter.setInsertionPoint(op);
      if (failed(linalg::generalizeNamedOp(rewriter, op)))
        return op.emitOpError(
            "has no batched form; docs/models.md lists the operations that have one");
    }
    return success();
  }

  LogicalResult batch(TickOp tick) {
    SmallVector<func::CallOp> calls;
    tick.getBody().walk([&](func::CallOp call) { calls.push_back(call); });
    if (calls.empty())
      return success();
    if (tile <= 0)
      return tick.emitOpError("asks the model '")
             << calls.front().getCallee() << "', which is not lowered for this target yet";
    if (tick.hasTensorSemantics())
      return tick.emitOpError("asks a model on tensors; run 'lci-materialize-state' first");
    if (calls.size() > 1 || calls.front()->getParentRegion() != &tick.getBody())
      return tick.emitOpError("asks models ") << calls.size()
                                              << " times, but only one call at the "
                                                 "top of the body is batched";
    auto model = getOperation().lookupSymbol<func::FuncOp>(calls.front().getCallee());
    if (!model || model.isExternal())
      return calls.front().emitOpError("expected a model with a body");
    if (failed(generalize(model)))
      return failure();
    models.insert(model);
    ++numTicks;
    Buffers &shared = buffers[{tick->getParentOfType<func::FuncOp>(), model}];
    return TickBatcher(tick, calls.front(), model, tile, shared).run();
  }

  void runOnOperation() override {
    models.clear();
    buffers.clear();
    SmallVector<TickOp> ticks;
    getOperation().walk([&](TickOp tick) { ticks.push_back(tick); });
    for (TickOp tick : ticks)
      if (failed(batch(tick)))
        return signalPassFailure();
    // Nobody calls the per-cell functions any more.
    for (func::FuncOp model : models)
      if (SymbolTable::symbolKnownUseEmpty(model, getOperation()))
        model.erase();
  }
};
} // namespace

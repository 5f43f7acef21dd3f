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
#include <map>

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
  /// By function, by model, and by how many calls of it stand before in the tick.
  std::map<std::tuple<Operation *, Operation *, unsigned>, Buffers> buffers;
  llvm::DenseMap<Operation *, Value> picked; // by function

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
    auto function = tick->getParentOfType<func::FuncOp>();
    SmallVector<Ask> asks;
    for (func::CallOp call : calls) {
      if (call->getParentRegion() != &tick.getBody())
        return call.emitOpError("asks a model for each candidate or member, but only calls at the "
                                "top of a tick's body are batched");
      auto model = getOperation().lookupSymbol<func::FuncOp>(call.getCallee());
      if (!model || model.isExternal())
        return call.emitOpError("expected a model with a body");
      if (failed(generalize(model)))
        return failure();
      models.insert(model);
      unsigned before = llvm::count_if(asks, [&](Ask &ask) { return ask.model == model; });
      asks.push_back({call, model, buffers[{function, model, before}]});
    }
    ++numTicks;
    return TickBatcher(tick, asks, tile, picked[function]).run();
  }

  void runOnOperation() override {
    models.clear();
    buffers.clear();
    picked.clear();
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

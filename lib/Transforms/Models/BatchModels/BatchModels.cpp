//===- BatchModels.cpp - Ask a model about many cells at once -------------===//
//
// Finds the ticks that ask a model, and makes sure that the model is one that can be asked so.
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/Models/BatchFunction.h"
#include "LCI/Transforms/Models/Passes.h"
#include "LCI/Transforms/Support/NumberLanes.h"
#include "LCI/Transforms/Support/PassOptions.h"
#include "LCI/Transforms/Support/Thresholds.h"
#include "TickBatcher.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include <map>

namespace mlir::lci {
#define GEN_PASS_DEF_BATCHMODELSPASS
#include "LCI/Transforms/Models/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

/// Scores of so many vectors are compared at once: a comparison waits for the one before it.
static constexpr int64_t kVectors = 4;

/// What gathers for a network and computes it is worth the widest registers: LLVM takes narrower
/// ones where it is not told, for the sake of code that uses them rarely.
static void preferWideVectors(func::FuncOp function) {
  Builder b(function.getContext());
  SmallVector<Attribute> attributes;
  if (auto known = function->getAttrOfType<ArrayAttr>("passthrough"))
    attributes.append(known.begin(), known.end());
  ArrayAttr wide = b.getStrArrayAttr({"prefer-vector-width", "512"});
  if (!llvm::is_contained(attributes, wide))
    attributes.push_back(wide);
  function->setAttr("passthrough", b.getArrayAttr(attributes));
}

namespace {
struct BatchModels : lci::impl::BatchModelsPassBase<BatchModels> {
  using BatchModelsPassBase::BatchModelsPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    return checkOptions(context, {{"tile", tile, 1},
                                  vectorBitsOption(vectorBits),
                                  {"thread-cells", threadCells, 1},
                                  {"group", group, 1}});
  }

  llvm::SetVector<func::FuncOp> models;
  /// By function, by model, by how many calls of it stand before in the tick, and by the tile.
  std::map<std::tuple<Operation *, Operation *, unsigned, int64_t>, Buffers> buffers;
  std::map<std::pair<Operation *, int64_t>, PickedCells> picked; // by function, and by how many

  /// A tile holds no more cells than the tick's box; a few that do not fill a vector hold its
  /// place, and so does one cell that is a thread: of loops of one turn no kernel is made.
  int64_t getTile(TickOp tick) {
    int64_t cells = 1;
    for (OpFoldResult extent : tick.getMixedExtents()) {
      std::optional<int64_t> known = getConstantIntValue(extent);
      if (!known)
        return tile;
      cells *= *known;
    }
    return std::min<int64_t>(tile,
                             cells <= 1 && !threads ? 1 : llvm::alignTo(cells, kCellsOfVector));
  }

  LogicalResult batch(TickOp tick) {
    SmallVector<func::CallOp> calls;
    tick.getBody().walk([&](func::CallOp call) { calls.push_back(call); });
    if (calls.empty())
      return success();
    if (tick.hasTensorSemantics())
      return tick.emitOpError("asks a model on tensors; run 'lci-bufferize-state' first")
             << ErrorId::PassOrder;
    auto function = tick->getParentOfType<func::FuncOp>();
    int64_t cells = getTile(tick);
    SmallVector<Ask> asks;
    for (func::CallOp call : calls) {
      if (call->getParentRegion() != &tick.getBody())
        return call.emitOpError("asks a model for each candidate or member, but only calls at the "
                                "top of a tick's body are batched")
               << ErrorId::NotLowered;
      auto model = getOperation().lookupSymbol<func::FuncOp>(call.getCallee());
      if (!model || model.isExternal())
        return call.emitOpError("expected a model with a body, but '")
               << ErrorId::NotLowered << call.getCallee() << "' is only declared";
      if (models.insert(model) && failed(BatchFunction::generalize(model)))
        return failure();
      unsigned before = llvm::count_if(asks, [&](Ask &ask) { return ask.model == model; });
      asks.push_back({call, model, buffers[{function, model, before, cells}]});
    }
    ++numTicks;
    if (!threads)
      preferWideVectors(function);
    int64_t many = threads ? cast<MemRefType>(tick.getTarget().getType()).getNumElements() : cells;
    int64_t lanes = threads ? threadCells : vectorBits / kNumberBits * kVectors;
    Tiling tiling{cells, std::min(cells, lanes), threads, group};
    return TickBatcher(tick, asks, tiling, picked[{function, many}]).run();
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

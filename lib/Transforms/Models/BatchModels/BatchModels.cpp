//===- BatchModels.cpp - Evaluate models for tiles of cells ---------------===//
//
// Finds the ticks that call a model, and checks that the model can be batched; TickBatcher rewrites
// the tick.
//
//===----------------------------------------------------------------------===//

#include "../ContractionGroups.h"
#include "LCI/Transforms/Models/BatchFunction.h"
#include "LCI/Transforms/Models/Passes.h"
#include "LCI/Transforms/Support/PassOptions.h"
#include "LCI/Transforms/Support/Thresholds.h"
#include "LCI/Transforms/Support/VectorLanes.h"
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

/// Scores of so many vectors are compared at once: a comparison depends on the one before it.
static constexpr int64_t kVectors = 4;

/// Neighbours for which a thread of a GPU compares tokens with tensor cores: as many as it has sums
/// of there. Four threads of a warp have sums of the same neighbours, and the parts of the tokens
/// that they compare are compared once more.
static constexpr int64_t kTensorCells = 4, kTensorGroup = 4;

/// Gathering for a network and computing it is worth the widest registers: LLVM prefers narrower
/// ones by default, for the sake of code that uses wide ones rarely.
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
struct BatchModels : mlir::lci::impl::BatchModelsPassBase<BatchModels> {
  using BatchModelsPassBase::BatchModelsPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    return checkOptions(context, {{"tile", tile, 1}});
  }

  llvm::SetVector<func::FuncOp> models;
  /// By function, by model, by the number of earlier calls of it in the tick, and by the tile.
  std::map<std::tuple<Operation *, Operation *, unsigned, int64_t>, Buffers> buffers;
  std::map<std::pair<Operation *, int64_t>, PickedCells> picked; // by function and size

  /// A tile holds no more cells than the tick's box. Cells that do not fill a vector are padded to
  /// one, and so is one cell that is a thread: a loop of one iteration does not become a kernel.
  int64_t getTile(TickOp tick) {
    int64_t cells = 1;
    for (OpFoldResult extent : tick.getMixedExtents()) {
      std::optional<int64_t> known = getConstantIntValue(extent);
      if (!known)
        return tile;
      cells *= *known;
    }
    return std::min<int64_t>(
        tile, cells <= 1 && !isForGPU(tick) ? 1 : llvm::alignTo(cells, kCellsOfVector));
  }

  LogicalResult batch(TickOp tick) {
    SmallVector<func::CallOp> calls;
    tick.getBody().walk([&](func::CallOp call) { calls.push_back(call); });
    if (calls.empty())
      return success();
    if (tick.hasTensorSemantics())
      return tick.emitOpError("calls a model on tensors; run 'lci-bufferize-state' first")
             << ErrorId::PassOrder;
    if (!tick.isCellwise())
      return tick.emitOpError(
                 "calls a model, but has several targets, or elements that are no cells")
             << ErrorId::NotLowered;
    auto function = tick->getParentOfType<func::FuncOp>();
    int64_t cells = getTile(tick);
    SmallVector<ModelCall> modelCalls;
    for (func::CallOp call : calls) {
      if (call->getParentRegion() != &tick.getBody())
        return call.emitOpError("calls a model for each candidate or member, but only calls at the "
                                "top of a tick's body are batched")
               << ErrorId::NotLowered;
      auto model = getOperation().lookupSymbol<func::FuncOp>(call.getCallee());
      if (!model || model.isExternal())
        return call.emitOpError("expected a model with a body, but '")
               << ErrorId::NotLowered << call.getCallee() << "' is only declared";
      if (models.insert(model) && failed(BatchFunction::generalize(model)))
        return failure();
      unsigned before = llvm::count_if(
          modelCalls, [&](ModelCall &modelCall) { return modelCall.model == model; });
      modelCalls.push_back({call, model, buffers[{function, model, before, cells}]});
    }
    ++numTicks;
    bool threads = isForGPU(function), tensors = threads && getGPUTarget(function).tf32;
    if (!threads)
      preferWideVectors(function);
    int64_t many = threads ? cast<MemRefType>(tick.getTarget().getType()).getNumElements() : cells;
    int64_t vectorLanes = getCPUTarget(function).vectorBits / kNumberBits * kVectors;
    int64_t lanes = tensors ? kTensorCells : threads ? kThreadCells : vectorLanes;
    Tiling tiling{cells, std::min(cells, lanes), threads, tensors ? kTensorGroup : 1};
    return TickBatcher(tick, modelCalls, tiling, picked[{function, many}]).run();
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
    // The per-cell functions have no callers any more.
    for (func::FuncOp model : models)
      if (SymbolTable::symbolKnownUseEmpty(model, getOperation()))
        model.erase();
  }
};
} // namespace

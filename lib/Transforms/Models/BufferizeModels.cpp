//===- BufferizeModels.cpp - Bufferize the tensors of models --------------===//
//
// Runs one-shot bufferization on modules that still have tensors, because most programs call no
// model and have none at this point. Before it, rewrites loops, slices and initial values into
// forms that upstream bufferizes in place; after it, hoists scratch to where it costs nothing.
//
//===----------------------------------------------------------------------===//

#include "CarryTensors.h"
#include "LCI/Dialect/Targets.h"
#include "LCI/Transforms/Models/Passes.h"
#include "LCI/Transforms/Support/Cleanup.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace mlir::lci {
#define GEN_PASS_DEF_BUFFERIZEMODELSPASS
#include "LCI/Transforms/Models/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

static void addBuffers(OpPassManager &manager, bool hoists) {
  // A model whose rule applies nowhere is still there as an uncalled function; so are functions
  // that models called before inlining.
  manager.addPass(createSymbolDCEPass());
  // Upstream cannot bufferize all elementwise operations (a select by a tensor).
  manager.addNestedPass<func::FuncOp>(createConvertElementwiseToLinalgPass());
  // Results are computed in their destinations.
  manager.addPass(bufferization::createEmptyTensorEliminationPass());
  manager.addPass(bufferization::createOneShotBufferizePass());
  addCleanup(manager);
  manager.addNestedPass<func::FuncOp>(createCopiesToLinalgPass());
  if (hoists) {
    manager.addNestedPass<func::FuncOp>(bufferization::createBufferHoistingPass());
    manager.addNestedPass<func::FuncOp>(bufferization::createBufferLoopHoistingPass());
  }
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

/// Gives every product a separate initial tensor. Results are computed in their destinations;
/// upstream lets the initial tensor of two, if it is one, be the destination of both.
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

/// Groups the axes of a slice for a reshape that drops its unit axes.
static SmallVector<ReassociationIndices> groupAxes(const llvm::SmallBitVector &dropped) {
  SmallVector<ReassociationIndices> groups;
  bool hasKept = false;
  for (unsigned axis = 0; axis < dropped.size(); ++axis) {
    if (groups.empty() || (hasKept && !dropped[axis]))
      groups.emplace_back();
    groups.back().push_back(axis);
    hasKept |= !dropped[axis];
  }
  return hasKept ? groups : SmallVector<ReassociationIndices>();
}

/// Strides of a slice; those of axes with a single element are set to one.
template <typename Slice>
static SmallVector<OpFoldResult> stridesOf(Slice slice) {
  SmallVector<OpFoldResult> strides = slice.getMixedStrides();
  for (auto [stride, size] : llvm::zip_equal(strides, slice.getMixedSizes()))
    if (isOneInteger(size))
      stride = OpBuilder(slice).getIndexAttr(1);
  return strides;
}

static RankedTensorType partOf(tensor::ExtractSliceOp slice) { return slice.getType(); }
static RankedTensorType partOf(tensor::InsertSliceOp slice) { return slice.getSourceType(); }

/// The same slice with another type of its part, reshaped after it is extracted or before it is
/// inserted.
static Value remake(OpBuilder &b, tensor::ExtractSliceOp slice, RankedTensorType part,
                    ArrayRef<OpFoldResult> strides) {
  Value made =
      tensor::ExtractSliceOp::create(b, slice.getLoc(), part, slice.getSource(),
                                     slice.getMixedOffsets(), slice.getMixedSizes(), strides);
  if (part == slice.getType())
    return made;
  return tensor::CollapseShapeOp::create(b, slice.getLoc(), slice.getType(), made,
                                         groupAxes(slice.getDroppedDims()));
}
static Value remake(OpBuilder &b, tensor::InsertSliceOp slice, RankedTensorType part,
                    ArrayRef<OpFoldResult> strides) {
  Value source = slice.getSource();
  if (part != slice.getSourceType())
    source = tensor::ExpandShapeOp::create(b, slice.getLoc(), part, source,
                                           groupAxes(slice.getDroppedDims()));
  return tensor::InsertSliceOp::create(b, slice.getLoc(), source, slice.getDest(),
                                       slice.getMixedOffsets(), slice.getMixedSizes(), strides);
}

/// Lets no slice with strides drop axes. Upstream infers the axes that a view of a buffer has
/// dropped from the strides of the buffer, as if the view had none: it picks wrong ones, or fails.
template <typename Slice>
static void separateStrides(ModuleOp module) {
  SmallVector<Slice> slices;
  module.walk([&](Slice slice) {
    if (!llvm::all_of(slice.getMixedStrides(), isOneInteger) &&
        !ShapedType::isDynamicShape(slice.getStaticSizes()))
      slices.push_back(slice);
  });
  for (Slice slice : slices) {
    OpBuilder builder(slice);
    RankedTensorType part = partOf(slice);
    SmallVector<OpFoldResult> strides = stridesOf(slice);
    if (!llvm::all_of(strides, isOneInteger))
      part = RankedTensorType::get(slice.getStaticSizes(), part.getElementType());
    slice.getResult().replaceAllUsesWith(remake(builder, slice, part, strides));
    slice.erase();
  }
}

/// The buffers of known size that the host allocates in loops and branches.
static SmallVector<memref::AllocOp> findInRegions(func::FuncOp function) {
  SmallVector<memref::AllocOp> inRegions;
  function.walk([&](memref::AllocOp alloc) {
    if (alloc->getNumOperands() == 0 && alloc->getParentOp() != function &&
        !alloc->getParentOfType<scf::ParallelOp>() && !alloc->getParentOfType<scf::ForallOp>())
      inRegions.push_back(alloc);
  });
  return inRegions;
}

/// Allocates scratch whichever branches are taken: upstream hoists it out of loops, not out of
/// branches.
static void hoistFromBranches(func::FuncOp function) {
  for (memref::AllocOp alloc : findInRegions(function))
    alloc->moveBefore(&function.getBody().front(), function.getBody().front().begin());
}

/// Allocates scratch where an iteration, or a branch, begins. A launch plan allocates nothing while
/// it runs, and here nothing stands between launches that can be fused, and it is still known that
/// no iteration reads the scratch of another one (lci-share-scratch).
static void hoistWithinBlocks(func::FuncOp function) {
  for (memref::AllocOp alloc : findInRegions(function))
    alloc->moveBefore(alloc->getBlock(), alloc->getBlock()->begin());
}

namespace {
struct BufferizeModels : mlir::lci::impl::BufferizeModelsPassBase<BufferizeModels> {
  using BufferizeModelsPassBase::BufferizeModelsPassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    OpPassManager manager(ModuleOp::getOperationName());
    addBuffers(manager, /*hoists=*/true);
    manager.getDependentDialects(registry);
  }

  /// Buffers are allocated outside of loops, and a tick reads nothing but its inputs.
  static WalkResult checkBatched(TickOp tick) {
    if (!tick.callsModel())
      return WalkResult::advance();
    InFlightDiagnostic error = tick.emitOpError("calls a model cell by cell") << ErrorId::PassOrder;
    error.attachNote() << "run 'lci-batch-models' first";
    return WalkResult::interrupt();
  }

  void runOnOperation() override {
    if (getOperation().walk(checkBatched).wasInterrupted())
      return signalPassFailure();
    WalkResult found = getOperation().walk([](Operation *op) {
      return hasTensors(op) ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (!found.wasInterrupted())
      return;
    carryInPlace(getOperation());
    separate<linalg::FillOp>(getOperation());
    separate<tensor::EmptyOp>(getOperation());
    separateStrides<tensor::ExtractSliceOp>(getOperation());
    separateStrides<tensor::InsertSliceOp>(getOperation());
    OpPassManager manager(ModuleOp::getOperationName());
    bool isForLaunches = isForGPU(getOperation());
    addBuffers(manager, /*hoists=*/!isForLaunches);
    if (failed(runPipeline(manager, getOperation())))
      return signalPassFailure();
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal())
        isForLaunches ? hoistWithinBlocks(function) : hoistFromBranches(function);
  }
};
} // namespace

//===- SplitVectors.cpp - Wide vectors register by register ---------------===//
//
// Numbers of as many cells as a register has bytes fill four of them. LLVM cuts each operation in
// four where it stands: of all that is between the first one and the last, four times as much is
// alive. Here what is computed of one register is computed before the next one, up to where all are
// needed together.
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/CPU/Passes.h"
#include "LCI/Transforms/Support/InlineFunctions.h"
#include "LCI/Transforms/Support/NumberLanes.h"
#include "LCI/Transforms/Support/Ways.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::lci {
#define GEN_PASS_DEF_SPLITVECTORSPASS
#include "LCI/Transforms/CPU/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

/// Whether a type has numbers for several registers.
static bool isWide(Type type, int64_t numLanes) {
  auto vector = dyn_cast<VectorType>(type);
  return vector && vector.getRank() == 1 && !vector.isScalable() &&
         isNumber(vector.getElementType()) && vector.getDimSize(0) > numLanes &&
         vector.getDimSize(0) % numLanes == 0;
}

/// Whether an operation is done number by number, or is logic of truths that come register by
/// register.
static bool isSplittable(Operation *op, int64_t numLanes) {
  auto isOne = [&](Type type) { return isWide(type, numLanes); };
  auto isTruth = [](Type type) { return getElementTypeOrSelf(type).isInteger(1); };
  auto comesInParts = [](Value value) {
    return value.getDefiningOp<vector::InsertStridedSliceOp>() != nullptr;
  };
  if (!OpTrait::hasElementwiseMappableTraits(op))
    return false;
  return llvm::any_of(op->getOperandTypes(), isOne) || llvm::any_of(op->getResultTypes(), isOne) ||
         (llvm::all_of(op->getOperandTypes(), isTruth) &&
          llvm::any_of(op->getOperands(), comesInParts));
}

/// Whether an operation makes what a register holds, and may stand anywhere.
static bool isPart(Operation *op, int64_t numLanes) {
  auto type = op->getNumResults() == 1 ? dyn_cast<VectorType>(op->getResult(0).getType()) : nullptr;
  return type && type.getRank() == 1 && type.getDimSize(0) == numLanes &&
         op->getNumRegions() == 0 && !op->hasTrait<OpTrait::ConstantLike>() &&
         (isPure(op) || vectorize::isByLanes(op));
}

/// The first operation of a block that uses a result, if all users are in the block or in what is
/// nested in it.
static Operation *findFirstUser(Operation *op) {
  Operation *first = nullptr;
  for (Operation *user : op->getUsers()) {
    Operation *ancestor = op->getBlock()->findAncestorOpInBlock(*user);
    if (!ancestor)
      return nullptr;
    if (!first || ancestor->isBeforeInBlock(first))
      first = ancestor;
  }
  return first;
}

/// Moves the parts of a block to where they are needed first.
static void sinkParts(Block &block, int64_t numLanes) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isPart(&op, numLanes))
      if (Operation *user = findFirstUser(&op))
        op.moveBefore(user);
}

namespace {
struct SplitVectors : lci::impl::SplitVectorsPassBase<SplitVectors> {
  using SplitVectorsPassBase::SplitVectorsPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    return checkOptions(context, vectorBitsOption(vectorBits));
  }

  void runOnOperation() override {
    int64_t numLanes = vectorBits / kNumberBits;
    vector::UnrollVectorOptions options;
    options.setNativeShape({numLanes}).setFilterConstraint([&](Operation *op) {
      if (!isSplittable(op, numLanes))
        return failure();
      ++numOperations;
      took(op, Way::RegistersApart);
      return success();
    });
    RewritePatternSet patterns(&getContext());
    vector::populateVectorUnrollPatterns(patterns, options);
    vector::ExtractStridedSliceOp::getCanonicalizationPatterns(patterns, &getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      return signalPassFailure();
    getOperation()->walk([&](Block *block) { sinkParts(*block, numLanes); });
  }
};
} // namespace

//===- SplitVectors.cpp - Schedule wide vectors register by register ------===//
//
// Vectors of numbers with as many lanes as a register has bytes fill four of them. LLVM splits each
// operation in place: between the first and the last one, four times as many registers are live.
// Here the operations on one register precede those on the next one, up to where all are needed
// together.
//
//===----------------------------------------------------------------------===//

#include "LCI/Dialect/LCIDialect.h"
#include "LCI/Transforms/CPU/Passes.h"
#include "LCI/Transforms/Support/LanewiseFunctions.h"
#include "LCI/Transforms/Support/VectorLanes.h"
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

/// Whether a type is a vector of numbers that spans several registers.
static bool isWide(Type type, int64_t numLanes) {
  auto vector = dyn_cast<VectorType>(type);
  return vector && vector.getRank() == 1 && !vector.isScalable() &&
         isNumber(vector.getElementType()) && vector.getDimSize(0) > numLanes &&
         vector.getDimSize(0) % numLanes == 0;
}

/// Whether an operation is elementwise on numbers, or logic of masks that are assembled register by
/// register.
static bool isSplittable(Operation *op, int64_t numLanes) {
  auto isOne = [&](Type type) { return isWide(type, numLanes); };
  auto isBoolean = [](Type type) { return getElementTypeOrSelf(type).isInteger(1); };
  auto comesInParts = [](Value value) {
    return value.getDefiningOp<vector::InsertStridedSliceOp>() != nullptr;
  };
  if (!OpTrait::hasElementwiseMappableTraits(op))
    return false;
  return llvm::any_of(op->getOperandTypes(), isOne) || llvm::any_of(op->getResultTypes(), isOne) ||
         (llvm::all_of(op->getOperandTypes(), isBoolean) &&
          llvm::any_of(op->getOperands(), comesInParts));
}

/// Whether an operation computes the contents of one register and may be moved freely.
static bool isPart(Operation *op, int64_t numLanes) {
  auto type = op->getNumResults() == 1 ? dyn_cast<VectorType>(op->getResult(0).getType()) : nullptr;
  return type && type.getRank() == 1 && type.getDimSize(0) == numLanes &&
         op->getNumRegions() == 0 && !op->hasTrait<OpTrait::ConstantLike>() &&
         (isPure(op) || vectorize::isByLanes(op));
}

/// The first operation of a block that uses a result, if all users are in the block or nested in
/// it.
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

/// Moves the operations on parts of a block to their first users.
static void sinkParts(Block &block, int64_t numLanes) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isPart(&op, numLanes))
      if (Operation *user = findFirstUser(&op))
        op.moveBefore(user);
}

namespace {
struct SplitVectors : mlir::lci::impl::SplitVectorsPassBase<SplitVectors> {
  using SplitVectorsPassBase::SplitVectorsPassBase;

  void runOnOperation() override {
    int64_t numLanes = getCPUTarget(getOperation()).vectorBits / kNumberBits;
    vector::UnrollVectorOptions options;
    options.setNativeShape({numLanes}).setFilterConstraint([&](Operation *op) {
      if (!isSplittable(op, numLanes))
        return failure();
      ++numOperations;
      took(op, Way::RegistersSplit);
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

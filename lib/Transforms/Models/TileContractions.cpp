//===- TileContractions.cpp - Tile and vectorize contractions over cells --===//
//
// In a batched model the innermost loop of a linalg operation is over contiguous cells. A sum is
// computed for a block of cells and outputs at a time, whose partial sums stay in vector registers
// over all reductions, which keep their order (S-VECTOR, docs/models.md). Its initialization and
// elementwise operations on its results are fused where legal, with values in registers too.
// Transposes between layouts with contiguous cells and contiguous elements are tiled by square
// blocks. All of it uses upstream: tiling, vectorization, hoisting, unroll-and-jam.
//
//===----------------------------------------------------------------------===//

#include "ContractionGroups.h"
#include "LCI/Transforms/Models/Passes.h"
#include "LCI/Transforms/Schedule/FuseParallelLoops.h"
#include "LCI/Transforms/Schedule/MergeIterations.h"
#include "LCI/Transforms/Support/LinalgUtils.h"
#include "LCI/Transforms/Support/LoopHints.h"
#include "LCI/Transforms/Support/OperationQueries.h"
#include "LCI/Transforms/Support/PassOptions.h"
#include "LCI/Transforms/Support/VectorLanes.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Hoisting.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorTransforms.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"
#include <numeric>

namespace mlir::lci {
#define GEN_PASS_DEF_TILECONTRACTIONSPASS
#include "LCI/Transforms/Models/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

/// The side of the square blocks of transposes.
static constexpr int64_t kSide = 16;

/// The number of warps that share the cells of a block.
static constexpr int64_t kWarps = 4;

/// With fewer threads a GPU stalls on memory; with fewer outputs each, a thread loads too much.
static constexpr int64_t kFewestThreads = 32768, kFewestOutputs = 4;

/// The largest divisor of a number up to a limit.
static int64_t getDivisor(int64_t number, int64_t limit) {
  for (int64_t divisor = std::min(number, limit); divisor > 1; --divisor)
    if (number % divisor == 0)
      return divisor;
  return 1;
}

namespace {

/// Cells and outputs of a block, whose partial sums are in registers.
struct BlockSides {
  int64_t cells, outputs;
};

/// Tiles the sums and transposes of one function.
class Blocker {
public:
  Blocker(func::FuncOp function, BlockSides sides)
      : function(function), cells(sides.cells), outputs(sides.outputs), threads(isForGPU(function)),
        rewriter(function.getContext()) {}

  LogicalResult run() {
    SmallVector<linalg::TransposeOp> transposes;
    function.walk([&](linalg::TransposeOp op) {
      if (isSquare(op) && !threads)
        transposes.push_back(op);
    });
    SmallVector<linalg::GenericOp> overCells = findOverCells();
    if (overCells.empty() && transposes.empty())
      return success();
    for (ArrayRef<linalg::GenericOp> group : groupFusible(overCells))
      vectorizeGroup(group);
    for (linalg::TransposeOp op : transposes)
      vectorizeTranspose(op);
    return failure(failed(keepInRegisters()) || failed(lowerTransposes()));
  }

  int64_t numBlocked = 0;

private:
  /// Sums over cells and, in a function that has some, other elementwise operations on arrays of
  /// numbers that are no longer than a block of cells.
  SmallVector<linalg::GenericOp> findOverCells() {
    SmallVector<linalg::GenericOp> sums, all;
    function.walk([&](linalg::GenericOp op) {
      if (isSum(op) && isOverCells(op) && getWidth(op) > 1)
        sums.push_back(op);
    });
    if (sums.empty())
      return sums;
    generalizeNamed(function, rewriter);
    function.walk([&](linalg::GenericOp op) {
      if (isOverCells(op) && getWidth(op) > 1 &&
          (isSum(op) || threads || op.getStaticLoopRanges().back() <= cells))
        all.push_back(op);
    });
    return all;
  }

  /// Groups of consecutive operations that may share loops. Two sums of a tile may not: the first
  /// one's iterations would include the initialization of the second one.
  SmallVector<SmallVector<linalg::GenericOp>> groupFusible(ArrayRef<linalg::GenericOp> ops) {
    auto belongs = [&](ArrayRef<linalg::GenericOp> group, linalg::GenericOp op) {
      return llvm::all_of(group, [&](linalg::GenericOp other) {
        return mayShareLoops(other, op) && (threads || !isSum(other) || !isSum(op));
      });
    };
    SmallVector<SmallVector<linalg::GenericOp>> groups = groupNeighbours(ops, belongs);
    if (threads) // operations without sums become threads anyway
      llvm::erase_if(groups,
                     [](ArrayRef<linalg::GenericOp> group) { return llvm::none_of(group, isSum); });
    return groups;
  }

  /// The cells of a block: as many as possible, in whole vectors of the narrowest registers.
  int64_t getWidth(linalg::GenericOp op) {
    int64_t extent = op.getStaticLoopRanges().back();
    for (int64_t width = cells; width >= 4; width /= 2)
      if (extent % width == 0)
        return width;
    return 1;
  }

  static bool isSquare(linalg::TransposeOp op) {
    auto type = dyn_cast<MemRefType>(op.getInput().getType());
    return type && type.getRank() == 2 && type.getElementType().isF32() &&
           op.getPermutation()[0] == 1 &&
           llvm::all_of(type.getShape(), [](int64_t extent) { return extent % kSide == 0; });
  }

  /// Operations that cannot be tiled are unchanged.
  FailureOr<linalg::TiledLinalgOp> tile(linalg::LinalgOp op, ArrayRef<int64_t> sizes,
                                        ArrayRef<unsigned> order) {
    rewriter.setInsertionPoint(op);
    linalg::LinalgTilingOptions options;
    options.setTileSizes(sizes).setInterchange(order).setLoopType(
        linalg::LinalgTilingLoopType::Loops);
    FailureOr<linalg::TiledLinalgOp> tiled = linalg::tileLinalgOp(rewriter, op, options);
    if (succeeded(tiled))
      rewriter.eraseOp(op);
    return tiled;
  }

  /// Operations that cannot be vectorized become loops, as all others.
  void vectorize(Operation *op) {
    rewriter.setInsertionPoint(op);
    if (failed(linalg::vectorize(rewriter, op)))
      return;
    rewriter.eraseOp(op);
    ++numBlocked;
  }

  /// The tile size of each loop for a thread; 0: all of it.
  SmallVector<int64_t> getBlock(linalg::GenericOp op) {
    SmallVector<unsigned> parallel;
    op.getParallelDims(parallel);
    SmallVector<int64_t> sizes(op.getNumLoops(), 0), ranges = op.getStaticLoopRanges();
    for (unsigned loop : parallel)
      sizes[loop] = 1;
    if (parallel.size() > 1) {
      unsigned last = parallel[parallel.size() - 2];
      sizes[last] = getDivisor(ranges[last], getOutputs(op));
    }
    sizes.back() = getWidth(op);
    return sizes;
  }

  /// The limit of a thread's outputs: lower, if that makes enough threads of too few.
  int64_t getOutputs(linalg::GenericOp op) {
    int64_t elements = 1;
    for (int64_t extent : getParallelTripCounts(op))
      elements *= extent;
    for (int64_t some = outputs; some >= kFewestOutputs; some /= 2)
      if (elements / getWidth(op) / some >= kFewestThreads)
        return some;
    return outputs;
  }

  /// Tiles fusible operations into parallel loops over the blocks of threads; returns their blocks.
  SmallVector<linalg::GenericOp> takeBlocks(ArrayRef<linalg::GenericOp> group) {
    SmallVector<linalg::GenericOp> blocks;
    scf::ParallelOp loop;
    for (linalg::GenericOp op : group) {
      rewriter.setInsertionPoint(op);
      linalg::LinalgTilingOptions options;
      options.setTileSizes(getBlock(op)).setLoopType(linalg::LinalgTilingLoopType::ParallelLoops);
      FailureOr<linalg::TiledLinalgOp> tiled = linalg::tileLinalgOp(rewriter, op, options);
      if (failed(tiled)) { // earlier blocks remain a thread's loops
        blocks.clear();
        loop = nullptr;
        continue;
      }
      rewriter.eraseOp(op);
      blocks.push_back(cast<linalg::GenericOp>(tiled->op.getOperation()));
      auto next = cast<scf::ParallelOp>(tiled->loops.front());
      loop = loop ? mergeIterations(rewriter, loop, next) : next;
    }
    if (loop)
      shareCells(loop);
    return blocks;
  }

  /// Gives the warps of a block the same cells and different outputs, if the numbers allow it: data
  /// that one of them loads the others find in the cache.
  void shareCells(scf::ParallelOp loop) {
    if (loop.getNumLoops() < 2)
      return;
    unsigned axis = loop.getNumLoops() - 2;
    std::optional<int64_t> end = getConstantIntValue(loop.getUpperBound()[axis]);
    std::optional<int64_t> step = getConstantIntValue(loop.getStep()[axis]);
    if (!end || !step)
      return;
    int64_t warps = std::gcd(*end / *step, kWarps);
    if (warps > 1)
      loop->setAttr(kRowThreads, rewriter.getI64IntegerAttr(kWarp * kWarps / warps));
  }

  /// Rewrites an operation in which only the last loop has several iterations to that loop alone.
  /// Upstream's patterns that drop unit dimensions do not apply to views of buffers.
  linalg::GenericOp dropElements(linalg::GenericOp op) {
    rewriter.setInsertionPoint(op);
    Location loc = op.getLoc();
    SmallVector<Value> operands;
    SmallVector<AffineMap> maps;
    for (OpOperand &operand : op->getOpOperands()) {
      AffineMap map = op.getMatchingIndexingMap(&operand);
      bool hasCells = map.isFunctionOfDim(op.getNumLoops() - 1);
      auto type = dyn_cast<MemRefType>(operand.get().getType());
      SmallVector<int64_t> shape;
      if (hasCells)
        shape.push_back(type.getShape().back());
      operands.push_back(
          type ? *memref::SubViewOp::rankReduceIfNeeded(rewriter, loc, operand.get(), shape)
               : operand.get());
      maps.push_back(hasCells ? AffineMap::getMultiDimIdentityMap(1, op.getContext())
                              : AffineMap::get(1, 0, op.getContext()));
    }
    ArrayRef<Value> all(operands);
    auto slim = linalg::GenericOp::create(
        rewriter, loc, TypeRange(), all.take_front(op.getNumDpsInputs()),
        all.drop_front(op.getNumDpsInputs()), maps, {utils::IteratorType::parallel});
    rewriter.inlineRegionBefore(op.getRegion(), slim.getRegion(), slim.getRegion().begin());
    rewriter.eraseOp(op);
    return slim;
  }

  /// Computes one output of a block of cells at a time: loops of one iteration are dropped. Returns
  /// the loops over cells and outputs, none if it cannot be tiled.
  SmallVector<scf::ForOp> vectorizeCells(linalg::GenericOp op) {
    SmallVector<int64_t> sizes(op.getNumLoops(), 1);
    sizes.back() = getWidth(op);
    SmallVector<unsigned> order{op.getNumLoops() - 1};
    SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
    for (auto kind : {utils::IteratorType::parallel, utils::IteratorType::reduction})
      for (unsigned loop = 0; loop + 1 < op.getNumLoops(); ++loop)
        if (kinds[loop] == kind)
          order.push_back(loop);
    unsigned numParallel = op.getNumParallelLoops();
    FailureOr<linalg::TiledLinalgOp> tiled = tile(op, sizes, order);
    if (failed(tiled))
      return {};
    auto each = cast<linalg::GenericOp>(tiled->op.getOperation());
    vectorize(dropElements(each));
    return llvm::map_to_vector(ArrayRef(tiled->loops).take_front(numParallel),
                               [](Operation *loop) { return cast<scf::ForOp>(loop); });
  }

  void vectorizeGroup(ArrayRef<linalg::GenericOp> group) {
    bool hasSum = llvm::any_of(group, isSum);
    SmallVector<scf::ForOp> nest;
    SmallVector<linalg::GenericOp> blocks(group);
    if (threads)
      blocks = takeBlocks(group);
    for (linalg::GenericOp op : blocks) {
      SmallVector<scf::ForOp> next = vectorizeCells(op);
      nest = nest.empty() || next.empty() ? next : fuseSiblingLoops(nest, next);
    }
    if (hasSum && nest.size() > 1)
      outputLoops.push_back(nest.back());
  }

  /// Fuses two nests of the same iteration space.
  SmallVector<scf::ForOp> fuseSiblingLoops(ArrayRef<scf::ForOp> first,
                                           ArrayRef<scf::ForOp> second) {
    SmallVector<scf::ForOp> fused;
    scf::ForOp one = first.front(), other = second.front();
    for (size_t level = 0; level < first.size(); ++level) {
      fused.push_back(fuseIndependentSiblingForLoops(one, other, rewriter));
      if (level + 1 == first.size())
        break;
      auto inner = llvm::to_vector(fused.back().getBody()->getOps<scf::ForOp>());
      one = inner.front();
      other = inner.back();
    }
    return fused;
  }

  void vectorizeTranspose(linalg::TransposeOp op) {
    auto block = cast<linalg::LinalgOp>(op.getOperation());
    FailureOr<linalg::TiledLinalgOp> tiled = tile(block, {kSide, kSide}, {0, 1});
    if (succeeded(tiled))
      vectorize(tiled->op);
  }

  LogicalResult apply(llvm::function_ref<void(RewritePatternSet &)> populate) {
    RewritePatternSet patterns(function.getContext());
    populate(patterns);
    return applyPatternsGreedily(function, std::move(patterns));
  }

  /// Partial sums are carried by the loops over reductions, interleaved for several outputs.
  LogicalResult keepInRegisters() {
    if (failed(apply(memref::populateFoldMemRefAliasOpPatterns)))
      return failure();
    // Loads and stores of a sum must be recognizable as the same address.
    DominanceInfo dominance(function);
    eliminateCommonSubExpressions(rewriter, dominance, function);
    function.walk([](LoopLikeOpInterface loop) { moveLoopInvariantCode(loop); });
    linalg::hoistRedundantVectorTransfers(function, /*verifyNonZeroTrip=*/true);
    vector::transferOpflowOpt(rewriter, function);
    for (scf::ForOp loop : outputLoops) {
      std::optional<APInt> count = loop.getStaticTripCount();
      if (count) // otherwise one output at a time
        (void)loopUnrollJamByFactor(loop, getDivisor(count->getSExtValue(), outputs));
    }
    if (threads) {
      fuseParallelLoops(function, rewriter);
      eraseUnread(function, rewriter);
    }
    return success();
  }

  LogicalResult lowerTransposes() {
    auto lower = [](RewritePatternSet &patterns) {
      vector::populateVectorTransferPermutationMapLoweringPatterns(patterns);
      vector::populateVectorTransposeLoweringPatterns(
          patterns, vector::VectorTransposeLowering::Shuffle16x16);
      VectorTransferToSCFOptions options;
      options.enableFullUnroll().setTargetRank(1);
      populateVectorToSCFConversionPatterns(patterns, options);
    };
    return apply(lower);
  }

  func::FuncOp function;
  int64_t cells, outputs;
  bool threads;
  IRRewriter rewriter;
  SmallVector<scf::ForOp> outputLoops;
};

} // namespace

/// Sums of a block stay in registers, beside the inputs of a step. On a CPU these are four vectors
/// of cells where there are 32 registers, two where there are 16. A thread of a GPU has sums of
/// eight neighbours and of sixteen outputs that share loaded values: 24 numbers for 128 products. A
/// multiprocessor gives its threads 32 numbers in the time of 128 products; with four neighbours,
/// it would give 20 for 64.
static BlockSides chooseSides(func::FuncOp function) {
  if (isForGPU(function))
    return {kThreadCells, 16};
  CPUTarget cpu = getCPUTarget(function);
  return {cpu.vectorBits / kNumberBits * (cpu.vectorRegisters >= 32 ? 4 : 2), 6};
}

namespace {

struct TileContractions : mlir::lci::impl::TileContractionsPassBase<TileContractions> {
  using TileContractionsPassBase::TileContractionsPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    return checkOptions(context, {{"cells", cells == -1 ? 1 : cells, 1},
                                  {"outputs", outputs == -1 ? 1 : outputs, 1}});
  }

  void runOnOperation() override {
    BlockSides sides = chooseSides(getOperation());
    Blocker blocker(getOperation(),
                    {cells == -1 ? sides.cells : cells, outputs == -1 ? sides.outputs : outputs});
    if (failed(blocker.run()))
      signalPassFailure();
    numBlocked += blocker.numBlocked;
  }
};

} // namespace

//===- TileParallelLoops.cpp - Tile parallel loops into blocks of threads -===//
//
// Neighbours on the last axis are neighbours in memory: a block of threads takes a chunk of it, so
// that their loads coalesce; where it is short, chunks of several rows. Upstream's tiling lists
// sizes from the first axis on, which does not fix that of the last one where loops have different
// ranks.
//
//===----------------------------------------------------------------------===//

#include "KernelLaunches.h"
#include "LCI/Dialect/LCIDialect.h"
#include "LCI/Transforms/GPU/Passes.h"
#include "LCI/Transforms/Support/LoopHints.h"
#include "LCI/Transforms/Support/Ways.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/CheckedArithmetic.h"

namespace mlir::lci {
#define GEN_PASS_DEF_TILEPARALLELLOOPSPASS
#include "LCI/Transforms/GPU/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

/// A grid and a block have three axes.
static constexpr unsigned kMaxRank = 3;
/// Threads that a block may have on its third axis.
static constexpr int64_t kDeepest = 64;

/// The extent of an axis, if it is constant; that of collapsed axes is a product.
static std::optional<int64_t> findExtent(Value end) {
  auto product = end.getDefiningOp<arith::MulIOp>();
  if (!product)
    return getConstantIntValue(end);
  std::optional<int64_t> left = findExtent(product.getLhs()), right = findExtent(product.getRhs());
  return left && right ? llvm::checkedMul(*left, *right) : std::nullopt;
}

namespace {
struct TileParallelLoops : mlir::lci::impl::TileParallelLoopsPassBase<TileParallelLoops> {
  using TileParallelLoopsPassBase::TileParallelLoopsPassBase;

  void runOnOperation() override {
    threads = getGPUTarget(getOperation()).blockThreads;
    IRRewriter rewriter(&getContext());
    SmallVector<int64_t> rows = findRows();
    // Upstream's test for threads beyond the last cell assumes steps of one.
    for (scf::ParallelOp loop : findOutermost())
      if (loop.getNumLoops() > kMaxRank || !hasUnitSteps(loop))
        collapseFirstAxes(rewriter, loop, std::min(kMaxRank, loop.getNumLoops()));
    for (auto [loop, row] : llvm::zip_equal(findOutermost(), rows))
      if (isTooLong(loop, row))
        collapseFirstAxes(rewriter, loop, 1);
    for (auto [loop, row] : llvm::zip_equal(findOutermost(), rows)) {
      // Blocks are all of one size, and threads beyond the last cell do nothing.
      scf::tileParallelLoop(loop, chooseBlock(loop, row), /*noMinMaxBounds=*/true);
    }
  }

private:
  SmallVector<scf::ParallelOp> findOutermost() {
    SmallVector<scf::ParallelOp> outermost;
    getOperation().walk<WalkOrder::PreOrder>([&](scf::ParallelOp loop) {
      outermost.push_back(loop);
      return WalkResult::skip();
    });
    return outermost;
  }

  /// The most threads of a block on the last axis of each loop.
  SmallVector<int64_t> findRows() {
    return llvm::map_to_vector(findOutermost(), [&](scf::ParallelOp loop) {
      auto row = loop->getAttrOfType<IntegerAttr>(kRowThreads);
      return row && loop.getNumLoops() > 1 ? row.getInt() : threads;
    });
  }

  /// Threads of a block on each axis: on the last one as many as there are cells, if that is known,
  /// up to the limit of a row.
  SmallVector<int64_t> chooseBlock(scf::ParallelOp loop, int64_t row) {
    SmallVector<int64_t> sizes(loop.getNumLoops(), 1);
    int64_t left = threads;
    for (unsigned axis = loop.getNumLoops(); axis-- > 0 && left > 1;) {
      std::optional<int64_t> extent = findExtent(loop.getUpperBound()[axis]);
      // An axis without cells has a block all the same.
      int64_t all = extent ? llvm::PowerOf2Ceil(std::clamp<int64_t>(*extent, 1, left)) : left;
      int64_t most = axis + 1 == loop.getNumLoops()          ? row
                     : axis + kMaxRank == loop.getNumLoops() ? kDeepest
                                                             : left;
      sizes[axis] = std::min({all, left, most});
      left /= sizes[axis];
    }
    return sizes;
  }

  static bool hasUnitSteps(scf::ParallelOp loop) {
    return llvm::all_of(loop.getStep(), [](Value step) { return matchPattern(step, m_One()); });
  }

  /// Whether a grid would exceed the limit of blocks on an axis other than the last one, which has
  /// room for all cells.
  bool isTooLong(scf::ParallelOp loop, int64_t row) {
    auto block = chooseBlock(loop, row);
    for (auto [end, threads] :
         llvm::zip_equal(loop.getUpperBound().drop_back(), ArrayRef(block).drop_back()))
      if (std::optional<int64_t> extent = findExtent(end);
          extent && llvm::divideCeil(*extent, threads) > kMaxBlocks)
        return true;
    return false;
  }

  /// Collapses the first axes, so that `rank` are left; each begins at zero with step one.
  static void collapseFirstAxes(RewriterBase &rewriter, scf::ParallelOp loop, unsigned rank) {
    took(loop, Way::CollapsedAxes);
    std::vector<std::vector<unsigned>> axes(rank);
    for (unsigned axis = 0; axis < loop.getNumLoops(); ++axis)
      axes[std::max<int64_t>(0, axis + int64_t(axes.size()) - loop.getNumLoops())].push_back(axis);
    rewriter.setInsertionPoint(loop);
    collapseParallelLoops(rewriter, loop, axes);
  }

  int64_t threads = 0; ///< of a block
};
} // namespace

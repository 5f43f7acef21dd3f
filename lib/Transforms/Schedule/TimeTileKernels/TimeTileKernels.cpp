//===- TimeTileKernels.cpp - Time-tile epochs of a kernel -----------------===//
//
// A kernel of one epoch reads and writes all cells; where a cell takes few
// operations, it is bound by memory. A block with a tile of cells and a border
// around it can compute several epochs before it writes, as it computes the
// cells of adjacent tiles redundantly.
//
//===----------------------------------------------------------------------===//

#include "EpochLoop.h"
#include "EpochTile.h"
#include "LCI/Dialect/LCIDialect.h"
#include "LCI/Transforms/Schedule/Passes.h"
#include "LCI/Transforms/Support/LoopHints.h"
#include "LCI/Transforms/Support/PassOptions.h"
#include "LCI/Transforms/Support/Ways.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/DebugLog.h"

#undef DEBUG_TYPE // of another file that is compiled with this one
#define DEBUG_TYPE "lci-time-tile-kernels"

namespace mlir::lci {
#define GEN_PASS_DEF_TIMETILEKERNELSPASS
#include "LCI/Transforms/Schedule/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

/// Bytes of workgroup memory that every device has for a block.
static constexpr int64_t kSharedBytes = 47 << 10; // the remainder is for counters

static int64_t divide(int64_t all, int64_t by) { return llvm::divideCeil(all, by); }

namespace {
struct TimeTileKernels : mlir::lci::impl::TimeTileKernelsPassBase<TimeTileKernels> {
  using TimeTileKernelsPassBase::TimeTileKernelsPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    return checkOptions(context, {{"epochs", epochs, 1},
                                  {"rows", rows, 1},
                                  {"columns", columns, 1},
                                  {"threads", threads, 1, kMaxBlockThreads},
                                  {"min-interior", minInterior, 0, 100},
                                  {"min-tiles", minTiles, -1},
                                  {"max-operations", maxOperations, 0}});
  }

  void runOnOperation() override {
    if (epochs < 2)
      return;
    SmallVector<scf::ForOp> loops(getOperation().getOps<scf::ForOp>());
    for (scf::ForOp loop : loops) {
      std::optional<EpochLoop> found = findEpochLoop(loop);
      if (!found) {
        LDBG() << "a loop is no epochs of one tick on a torus";
        ++numKept;
        continue;
      }
      std::optional<TileShape> shape = shapeOf(*found);
      if (!shape) {
        LDBG() << found->tick.getName() << ": tiling is not worth it";
        ++numSmall;
        continue;
      }
      LDBG() << found->tick.getName() << ": " << shape->epochs << " epochs in tiles of "
             << shape->innerRows() << " x " << shape->innerColumns() << " cells";
      took(loop, Way::EpochTiles);
      block(*found, *shape);
      ++numBlocked;
    }
  }

private:
  static int64_t countTiles(EpochLoop &loop, TileShape shape) {
    return divide(loop.cells.sides[0], shape.innerRows()) *
           divide(loop.cells.sides[1], shape.innerColumns());
  }

  /// A tile of some columns and threads; none if it has no inner cells.
  std::optional<TileShape> shapeOf(EpochLoop &loop, int64_t columns, int64_t most) {
    TileShape shape;
    shape.epochs = epochs;
    shape.rows = rows;
    shape.columns = columns;
    shape.ghostColumns = loop.columnsAfter(epochs);
    // Whole groups of rows, so that a thread has either inner cells or ghosts.
    shape.ghostRows = llvm::alignTo(epochs * loop.rowReach, rows);
    int64_t bytes = divide(loop.type().getElementTypeBitWidth(), 8);
    shape.threads = std::min(most / columns, kSharedBytes / (bytes * columns * rows));
    return shape.innerRows() > 0 && shape.innerColumns() > 0 ? std::optional(shape) : std::nullopt;
  }

  /// A tile, for at most that many threads, whose width minimizes the warps of the launch.
  std::optional<TileShape> shapeOf(EpochLoop &loop, int64_t most) {
    std::optional<TileShape> best;
    int64_t least = std::numeric_limits<int64_t>::max();
    for (int64_t number = 1; number <= columns; ++number)
      if (std::optional<TileShape> shape = shapeOf(loop, number, most)) {
        int64_t warps = divide(shape->columns * shape->threads, kWarp);
        int64_t all = countTiles(loop, *shape) * warps;
        if (all <= least)
          best = shape;
        least = std::min(all, least);
      }
    return best;
  }

  /// The largest tile of which there are enough; none if it is not profitable.
  std::optional<TileShape> shapeOf(EpochLoop &loop) {
    if (countWork(loop) > maxOperations)
      return std::nullopt;
    int64_t least =
        minTiles == -1 ? getGPUTarget(getOperation()).multiprocessors : minTiles.getValue();
    for (int64_t most = threads; most > 0; most /= 2) {
      std::optional<TileShape> shape = shapeOf(loop, most);
      if (!shape || 100 * shape->innerRows() * shape->innerColumns() <
                        minInterior * shape->allRows() * shape->columns)
        return std::nullopt;
      if (countTiles(loop, *shape) >= least)
        return shape;
    }
    return std::nullopt;
  }

  static int64_t countWork(EpochLoop &loop) {
    return llvm::count_if(loop.tick.getBody().front().without_terminator(), [](Operation &op) {
      return !isa<LoadOp>(op) && !matchPattern(&op, m_Constant());
    });
  }

  /// The number of groups of epochs, zero if the operation is switched off.
  Value countGroups(OpBuilder &b, EpochLoop &loop) {
    Location loc = loop.loop.getLoc();
    Value all = arith::SubIOp::create(b, loc, loop.loop.getUpperBound(), loop.loop.getLowerBound());
    Value none = arith::ConstantIntOp::create(b, loc, 0, 64);
    all = arith::MaxSIOp::create(b, loc, all, none);
    Value groups =
        arith::DivUIOp::create(b, loc, all, arith::ConstantIntOp::create(b, loc, epochs, 64));
    return loop.enabled ? arith::SelectOp::create(b, loc, loop.enabled, groups, none).getResult()
                        : groups;
  }

  /// Inserts a loop over groups of epochs before the loop, which keeps the remaining ones.
  void block(EpochLoop &loop, TileShape shape) {
    OpBuilder b(loop.loop);
    Location loc = loop.loop.getLoc();
    Value first = loop.loop.getLowerBound();
    Value step = arith::ConstantIntOp::create(b, loc, epochs, 64);
    Value blocked = arith::MulIOp::create(b, loc, countGroups(b, loop), step);
    Value end = arith::AddIOp::create(b, loc, first, blocked);
    auto groups = scf::ForOp::create(b, loc, first, end, step, loop.loop.getInits());
    b.setInsertionPointToStart(groups.getBody());
    Value from = groups.getRegionIterArg(0), to = groups.getRegionIterArg(1);
    EpochTile(loop, shape).emitLaunch(b, from, to, groups.getInductionVar());
    scf::YieldOp::create(b, loc, ValueRange{to, from});
    b.setInsertionPoint(loop.loop);
    if (loop.halo) {
      Value any = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, first, end);
      auto choice = scf::IfOp::create(b, loc, any, /*withElseRegion=*/false);
      b.setInsertionPointToStart(choice.thenBlock());
      IRMapping mapping;
      mapping.map(loop.to(), groups.getResult(0));
      b.clone(*loop.halo, mapping);
    }
    loop.loop.setLowerBound(end);
    for (auto [number, result] : llvm::enumerate(groups.getResults()))
      loop.loop.getInitsMutable()[number].set(result);
  }
};
} // namespace

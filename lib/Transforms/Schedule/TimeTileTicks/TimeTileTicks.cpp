//===- TimeTileTicks.cpp - Time-tile phases and epochs by a moving tile ---===//
//
// Phases of large arrays traverse all of memory again and again. Here a tile
// of rows moves over the arrays once for several epochs, and each phase follows
// the one before it at the smallest skew in rows that their accesses allow:
// what a phase wrote is still in the cache when the next one reads it. No cell
// is computed twice, and results are unchanged, since every two accesses of one
// row keep their order. Threads take epochs of a tile in parallel, if each
// lags by a whole tile more. Skews.cpp decides how many epochs are tiled
// (`SkewedEpochLoop::choose`), RowTiles.cpp builds the loops.
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/Schedule/Passes.h"
#include "LCI/Transforms/Support/PassOptions.h"
#include "SkewedEpochLoop.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/DebugLog.h"

#undef DEBUG_TYPE // of another file that is compiled with this one
#define DEBUG_TYPE "lci-time-tile-ticks"

namespace mlir::lci {
#define GEN_PASS_DEF_TIMETILETICKSPASS
#include "LCI/Transforms/Schedule/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

namespace {
struct TimeTileTicks : mlir::lci::impl::TimeTileTicksPassBase<TimeTileTicks> {
  using TimeTileTicksPassBase::TimeTileTicksPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    return checkOptions(context, {{"cache-bytes", cacheBytes, 0},
                                  {"min-bytes", minBytes, 0},
                                  {"max-epochs", maxEpochs, 1},
                                  {"rows", rows, 1},
                                  {"grain", grain, 0}});
  }

  void runOnOperation() override {
    int64_t threads = getCPUTarget(getOperation()).threads;
    llvm::SetVector<scf::ForOp> loops;
    getOperation().walk([&](TickOp tick) {
      if (auto loop = tick->getParentOfType<scf::ForOp>())
        loops.insert(loop);
    });
    for (scf::ForOp loop : loops) {
      timetile::SkewedEpochLoop epochs(loop);
      if (std::optional<std::string> obstacle = epochs.findObstacle()) {
        LDBG() << "a loop is not tiled because of " << *obstacle;
        if (remarks)
          loop.emitRemark() << "the phases are not fused because of " << *obstacle;
        continue;
      }
      std::optional<timetile::Blocking> blocking =
          epochs.choose({minBytes, cacheBytes, threads, grain}, maxEpochs, rows);
      if (!blocking) {
        LDBG() << "tiling a loop is not worth it";
        continue;
      }
      LDBG() << "a loop is tiled by " << blocking->periods << " periods and " << blocking->rows
             << " rows, in " << blocking->parts << " parts";
      epochs.fuse(*blocking);
      ++numFused;
    }
  }
};
} // namespace

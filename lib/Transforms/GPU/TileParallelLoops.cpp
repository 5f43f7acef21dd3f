//===- TileParallelLoops.cpp - Blocks of threads along the last axis ------===//
//
// Neighbours on the last axis are neighbours in memory: a block of threads takes a piece of it, so
// that their loads join. Upstream's tiling names sizes from the first axis on, which says nothing
// about the last one where loops have different ranks.
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"

namespace mlir::lci {
#define GEN_PASS_DEF_TILEPARALLELLOOPSPASS
#include "LCI/Transforms/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

/// A grid and a block have three axes.
static constexpr unsigned kMaxRank = 3;

namespace {
struct TileParallelLoops : lci::impl::TileParallelLoopsPassBase<TileParallelLoops> {
  using TileParallelLoopsPassBase::TileParallelLoopsPassBase;

  void runOnOperation() override {
    SmallVector<scf::ParallelOp> outermost;
    getOperation().walk<WalkOrder::PreOrder>([&](scf::ParallelOp loop) {
      outermost.push_back(loop);
      return WalkResult::skip();
    });
    for (scf::ParallelOp loop : outermost) {
      if (loop.getNumLoops() > kMaxRank) {
        loop.emitOpError("expected at most ")
            << kMaxRank << " axes to put on a grid of threads, but got " << loop.getNumLoops();
        return signalPassFailure();
      }
      SmallVector<int64_t> sizes(loop.getNumLoops(), 1);
      sizes.back() = threads;
      // Blocks are all of one size, and threads beyond the last cell do nothing.
      scf::tileParallelLoop(loop, sizes, /*noMinMaxBounds=*/true);
    }
  }
};
} // namespace

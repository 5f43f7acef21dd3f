//===- ParallelizeTicks.cpp - Partition ticks among threads ---------------===//
//
// Cells of a tick on buffers may be computed in any order, so its box is cut
// into as many chunks as there are threads. Each chunk has private counters and
// adds them to the shared ones at its end: integers, whose sum is the same in
// any order. Starting and joining threads takes some microseconds, so a tick
// with little work stays on one thread.
//
//===----------------------------------------------------------------------===//

#include "LCI/Dialect/Layout.h"
#include "LCI/Dialect/TickBuilders.h"
#include "LCI/Transforms/CPU/VectorizeCells.h"
#include "LCI/Transforms/Schedule/Passes.h"
#include "LCI/Transforms/Support/PassOptions.h"
#include "LCI/Transforms/Support/TickPartitioning.h"
#include "LCI/Transforms/Support/Ways.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/MathExtras.h"

#undef DEBUG_TYPE // of another file that is compiled with this one
#define DEBUG_TYPE "lci-parallelize-ticks"

namespace mlir::lci {
#define GEN_PASS_DEF_PARALLELIZETICKSPASS
#include "LCI/Transforms/Schedule/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

//===----------------------------------------------------------------------===//
// Choice of the axis
//===----------------------------------------------------------------------===//

/// Whether the last axis must not be cut: words of planes hold many of its cells, and passes that
/// store colours separately or vectorize rows must know where rows begin.
static bool keepsRows(TickOp tick, int64_t vectorBits) {
  if (layoutOf(tick.getTarget().getType()))
    return true;
  if (tick.callsModel())
    return false;
  return tick.getStridesOrOnes().back() > 1 || hasVectorRows(tick, vectorBits);
}

/// Of the axes that may be cut, the first with enough cells for all chunks, else the one with the
/// most; nothing if all have one cell.
static std::optional<unsigned> chooseAxis(TickOp tick, int64_t parts, int64_t vectorBits) {
  std::optional<unsigned> longest;
  for (unsigned axis = 0; axis < tick.getRank() - keepsRows(tick, vectorBits); ++axis) {
    int64_t extent = getMaxExtent(tick, axis);
    if (extent >= parts)
      return axis;
    if (extent > (longest ? getMaxExtent(tick, *longest) : 1))
      longest = axis;
  }
  return longest;
}

//===----------------------------------------------------------------------===//
// Chunks
//===----------------------------------------------------------------------===//

namespace {
/// Moves a tick into a loop whose iterations compute `rows` rows each.
class PartBuilder {
public:
  PartBuilder(TickOp tick, unsigned axis, int64_t rows)
      : tick(tick), axis(axis), rows(rows), builder(tick), loc(tick.getLoc()) {}

  void build() {
    int64_t parts = llvm::divideCeil(getMaxExtent(tick, axis), rows);
    auto loop = scf::ForallOp::create(builder, loc, {builder.getIndexAttr(parts)}, ValueRange(),
                                      /*mapping=*/std::nullopt);
    loop->setAttr("lci.name", tick.getNameAttr().getAttr());
    tick->moveBefore(loop.getBody()->getTerminator());
    builder.setInsertionPoint(tick);
    tick = takeRows(builder, tick, axis, loop.getInductionVar(0), rows);
    if (tick.getCounts())
      countPrivately();
  }

private:
  void countPrivately() {
    PrivateCounts counts;
    IRMapping mapping;
    counts.note(tick);
    counts.make(builder, loc, mapping);
    tick.getCountsMutable().assign(mapping.lookup(tick.getCounts()));
    builder.setInsertionPointAfter(tick);
    counts.addUp(builder, loc);
  }

  TickOp tick;
  unsigned axis;
  int64_t rows;
  OpBuilder builder;
  Location loc;
};

struct ParallelizeTicks : mlir::lci::impl::ParallelizeTicksPassBase<ParallelizeTicks> {
  using ParallelizeTicksPassBase::ParallelizeTicksPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    return checkOptions(context, {{"grain", grain, 0}});
  }

  void runOnOperation() override {
    CPUTarget target = getCPUTarget(getOperation());
    SmallVector<TickOp> ticks;
    getOperation().walk([&](TickOp tick) {
      if (!tick.hasTensorSemantics() && tick.getRank() > 0 &&
          !tick->getParentOfType<scf::ForallOp>())
        ticks.push_back(tick);
    });
    for (TickOp tick : ticks) {
      int64_t parts = countParts(getTickWork(tick), target.threads, grain);
      LDBG() << tick.getName() << ": work for " << parts << " of " << target.threads << " threads";
      if (parts < 2)
        continue;
      std::optional<unsigned> axis = chooseAxis(tick, parts, target.vectorBits);
      if (!axis)
        continue;
      took(tick, Way::TickThreads);
      int64_t extent = getMaxExtent(tick, *axis);
      PartBuilder(tick, *axis, llvm::divideCeil(extent, std::min(parts, extent))).build();
      ++numTicks;
    }
  }
};
} // namespace

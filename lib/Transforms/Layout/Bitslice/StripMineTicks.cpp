//===- StripMineTicks.cpp - Strip-mine ticks with draws on planes ---------===//

#include "BodySlicer.h"
#include "LCI/Dialect/Layout.h"
#include "LCI/Transforms/Layout/Passes.h"
#include "LCI/Transforms/Support/PassOptions.h"
#include "LCI/Transforms/Support/TickPartitioning.h"
#include "LCI/Transforms/Support/Ways.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::lci {
#define GEN_PASS_DEF_STRIPMINETICKSPASS
#include "LCI/Transforms/Layout/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

/// The number of words on the axes after the first.
static int64_t wordsOfRow(TickOp tick) {
  unsigned last = tick.getRank() - 1;
  int64_t words = llvm::divideCeil(getMaxExtent(tick, last), kWordBits);
  for (unsigned axis = 1; axis < last; ++axis)
    words *= std::max<int64_t>(getMaxExtent(tick, axis), 1);
  return std::max<int64_t>(words, 1);
}

static void cutIntoStrips(TickOp tick, int64_t rows) {
  OpBuilder builder(tick);
  Location loc = tick.getLoc();
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Value extent = getValueOrCreateConstantIndexOp(builder, loc, tick.getMixedExtents().front());
  Value most = arith::AddIOp::create(builder, loc, extent, index(rows - 1));
  Value strips = arith::DivUIOp::create(builder, loc, most, index(rows));
  auto loop = scf::ForOp::create(builder, loc, index(0), strips, index(1));
  loop->setAttr(bitslice::kStrips, builder.getUnitAttr());
  tick->moveBefore(loop.getBody()->getTerminator());
  builder.setInsertionPoint(tick);
  // With an opaque offset, the boxes of all colours have equal code.
  SmallVector<OpFoldResult> offsets = tick.getMixedOffsets();
  std::optional<int64_t> offset = getConstantIntValue(offsets.front());
  if (offset && tick.getStridesOrOnes().front() != 1) {
    offsets.front() = VaryingOp::create(builder, loc, builder.getIndexType(), *offset).getResult();
    tick.setBox(offsets, tick.getMixedExtents(), tick.getStridesOrOnes());
  }
  takeRows(builder, tick, /*axis=*/0, loop.getInductionVar(), rows);
}

namespace {
struct StripMineTicks : mlir::lci::impl::StripMineTicksPassBase<StripMineTicks> {
  using StripMineTicksPassBase::StripMineTicksPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    return checkOptions(context, {{"words", words, 1}});
  }

  void runOnOperation() override {
    SmallVector<TickOp> ticks;
    getOperation().walk([&](TickOp tick) {
      if (!tick.hasTensorSemantics() && tick.getRank() > 1 && !bitslice::findDraws(tick).empty() &&
          layoutOf(tick.getTarget().getType()))
        ticks.push_back(tick);
    });
    for (TickOp tick : ticks) {
      int64_t rows = std::max<int64_t>(1, words / wordsOfRow(tick));
      if (getMaxExtent(tick, 0) <= rows)
        continue;
      took(tick, Way::Strips);
      cutIntoStrips(tick, rows);
      ++numTicks;
    }
  }
};
} // namespace

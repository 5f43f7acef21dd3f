//===- UnrollJamRows.cpp - Unroll and jam rows of ticks -------------------===//
//
// The stencils of a cell and of the cell below it overlap: what depends on
// common rows only is computed once if both are one iteration. A tick of
// several rows has their cells as targets: views of the same array, of which
// each begins a row further. Upstream jams loops (`loopUnrollJamByFactor`), but
// there stores between the copies prevent CSE of equal loads; in a tick all
// reads come first, and no cell reads what another one writes.
//
//===----------------------------------------------------------------------===//

#include "LCI/Dialect/SettledCells.h"
#include "LCI/Dialect/TickBuilders.h"
#include "LCI/Transforms/Schedule/Passes.h"
#include "LCI/Transforms/Support/PassOptions.h"
#include "LCI/Transforms/Support/TickMerging.h"
#include "LCI/Transforms/Support/Ways.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/DebugLog.h"

#undef DEBUG_TYPE // of another file that is compiled with this one
#define DEBUG_TYPE "lci-unroll-jam-rows"

namespace mlir::lci {
#define GEN_PASS_DEF_UNROLLJAMROWSPASS
#include "LCI/Transforms/Schedule/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

namespace {
/// Loads and operations of a tick's body.
struct Work {
  int64_t loads = 0, operations = 0, targets = 0;

  explicit Work(TickOp tick)
      : loads(countWindows(tick)), targets(static_cast<int64_t>(tick.getTargets().size())) {
    for (Operation &op : tick.getBody().front().without_terminator())
      operations += !isa<LoadOp>(op) && !matchPattern(&op, m_Constant());
  }

  int64_t cost(int64_t ofLoad) const { return ofLoad * loads + operations; }
};

/// Several rows of a tick as one iteration.
class RowJam {
public:
  RowJam(TickOp tick, int64_t numRows)
      : tick(tick), numRows(numRows), axis(tick.getRank() - 2),
        stride(tick.getStridesOrOnes()[axis]) {}

  /// Emits the tick of as many whole groups of rows as there are.
  TickOp emitTogether(RewriterBase &rewriter);
  /// Emits the remaining rows, one by one, if there may be some.
  void emitRest(RewriterBase &rewriter);

private:
  OpFoldResult numAll() { return tick.getMixedExtents()[axis]; }
  OpFoldResult countGroups(OpBuilder &builder);
  Value viewFrom(OpBuilder &builder, Value target, int64_t row);
  void cloneRow(OpBuilder &builder, TickOp jam, int64_t row);
  void addUp(OpBuilder &builder, TickOp jam);

  TickOp tick;
  int64_t numRows;
  unsigned axis;
  int64_t stride;
};
} // namespace

/// Whether rows may be jammed; the gain is not considered. Rows whose cells lie apart become
/// vectors of their own (`lci-vectorize-strides`).
static bool isPossible(TickOp tick) {
  if (tick.hasTensorSemantics() || tick.getRank() < 2 || !onlyComputes(tick))
    return false;
  auto hasShape = [](Value target) { return cast<MemRefType>(target.getType()).hasStaticShape(); };
  return llvm::all_of(tick.getTargets(), hasShape) &&
         (isForGPU(tick) || tick.getStridesOrOnes().back() == 1);
}

/// The number of rows, at most.
static int64_t countMostRows(TickOp tick) {
  unsigned axis = tick.getRank() - 2;
  if (std::optional<int64_t> known = getConstantIntValue(tick.getMixedExtents()[axis]))
    return *known;
  int64_t size = cast<MemRefType>(tick.getTarget().getType()).getDimSize(axis);
  int64_t first = getConstantIntValue(tick.getMixedOffsets()[axis]).value_or(0);
  return llvm::divideCeilSigned(size - first, tick.getStridesOrOnes()[axis]);
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

OpFoldResult RowJam::countGroups(OpBuilder &builder) {
  if (std::optional<int64_t> all = getConstantIntValue(numAll()))
    return builder.getIndexAttr(*all / numRows);
  Value many = arith::ConstantIndexOp::create(builder, tick.getLoc(), numRows);
  return arith::DivUIOp::create(builder, tick.getLoc(), cast<Value>(numAll()), many).getResult();
}

/// A target from a row on, and up to as many rows before its end as the views of all rows have.
Value RowJam::viewFrom(OpBuilder &builder, Value target, int64_t row) {
  ArrayRef<int64_t> shape = cast<MemRefType>(target.getType()).getShape();
  SmallVector<int64_t> offsets(shape.size(), 0), sizes(shape), strides(shape.size(), 1);
  offsets[axis] = row * stride;
  sizes[axis] -= (numRows - 1) * stride;
  return memref::SubViewOp::create(builder, tick.getLoc(), target, offsets, sizes, strides);
}

/// Clones the body for another row of the group, whose tokens and tallies are added.
void RowJam::cloneRow(OpBuilder &builder, TickOp jam, int64_t row) {
  InstallOp end = tick.getInstall(), install = jam.getInstall();
  IRMapping mapping;
  mapping.map(tick.getBody().getArguments(),
              jam.getBody().getArguments().take_front(tick.getBody().getNumArguments()));
  Value index = jam.getIndexArguments()[axis];
  Value distance = arith::ConstantIndexOp::create(builder, tick.getLoc(), row * stride);
  Value moved = arith::AddIOp::create(builder, tick.getLoc(), index, distance);
  mapping.map(tick.getIndexArguments()[axis], moved);
  for (Operation &op : end->getBlock()->without_terminator()) {
    auto load = dyn_cast<LoadOp>(builder.clone(op, mapping));
    if (!load)
      continue;
    // Windows stay windows: the map moves, not the index.
    AffineMap map = load.getMap();
    SmallVector<AffineExpr> dims;
    for (auto [place, operand] : llvm::enumerate(cast<LoadOp>(op).getIndices())) {
      bool isRow = operand == tick.getIndexArguments()[axis];
      dims.push_back(builder.getAffineDimExpr(place) + (isRow ? row * stride : 0));
      if (isRow)
        load.getIndicesMutable()[place].set(index);
    }
    load.setMap(map.replaceDimsAndSymbols(dims, {}, map.getNumDims(), 0));
  }
  for (Value token : end.getTokens())
    install.getTokensMutable().append(mapping.lookupOrDefault(token));
  for (Value tally : end.getTallies())
    install.getTalliesMutable().append(mapping.lookupOrDefault(tally));
}

/// Adds up what all rows count, as threads add it to memory.
void RowJam::addUp(OpBuilder &builder, TickOp jam) {
  InstallOp install = jam.getInstall();
  Location loc = tick.getLoc();
  Type counter = cast<MemRefType>(tick.getCounts().getType()).getElementType();
  llvm::MapVector<int64_t, Value> sums;
  for (auto [tally, slot] : llvm::zip_equal(install.getTallies(), install.getSlots())) {
    Value number = tally.getType() == counter
                       ? tally
                       : arith::ExtUIOp::create(builder, loc, counter, tally).getResult();
    Value &sum = sums[slot];
    sum = sum ? arith::AddIOp::create(builder, loc, sum, number).getResult() : number;
  }
  install.getTalliesMutable().assign(
      llvm::map_to_vector(sums, [](auto &sum) { return sum.second; }));
  install.setSlots(llvm::map_to_vector(sums, [](auto &sum) { return sum.first; }));
}

TickOp RowJam::emitTogether(RewriterBase &rewriter) {
  rewriter.setInsertionPoint(tick);
  SmallVector<Value> targets;
  for (int64_t row = 0; row < numRows; ++row)
    for (Value target : tick.getTargets())
      targets.push_back(viewFrom(rewriter, target, row));
  SmallVector<OpFoldResult> extents = tick.getMixedExtents();
  SmallVector<int64_t> strides = tick.getStridesOrOnes();
  extents[axis] = countGroups(rewriter);
  strides[axis] *= numRows;
  auto jam = cast<TickOp>(rewriter.clone(*tick));
  jam.setBox(tick.getMixedOffsets(), extents, strides);
  jam.getTargetsMutable().assign(targets);
  InstallOp install = jam.getInstall();
  SmallVector<int64_t> slots(install.getSlots());
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(install);
  for (int64_t row = 1; row < numRows; ++row) {
    cloneRow(rewriter, jam, row);
    llvm::append_range(slots, tick.getInstall().getSlots());
  }
  install.setSlots(slots);
  if (isForGPU(tick) && !slots.empty())
    addUp(rewriter, jam);
  DominanceInfo dominance(jam);
  eliminateCommonSubExpressions(rewriter, dominance, jam);
  (void)runRegionDCE(rewriter, jam->getRegions());
  return jam;
}

void RowJam::emitRest(RewriterBase &rewriter) {
  rewriter.setInsertionPoint(tick);
  Location loc = tick.getLoc();
  SmallVector<OpFoldResult> offsets = tick.getMixedOffsets(), extents = tick.getMixedExtents();
  if (std::optional<int64_t> all = getConstantIntValue(numAll())) {
    if (*all % numRows == 0)
      return;
    took(tick, Way::JammedRemainder);
    offsets[axis] = buildMoved(rewriter, loc, offsets[axis], *all / numRows * numRows * stride);
    extents[axis] = rewriter.getIndexAttr(*all % numRows);
  } else {
    took(tick, Way::JammedTile);
    auto index = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(rewriter, loc, value);
    };
    Value count = cast<Value>(countGroups(rewriter));
    Value done = arith::MulIOp::create(rewriter, loc, count, index(numRows));
    extents[axis] = arith::SubIOp::create(rewriter, loc, cast<Value>(numAll()), done).getResult();
    Value distance = arith::MulIOp::create(rewriter, loc, done, index(stride));
    Value first = getValueOrCreateConstantIndexOp(rewriter, loc, offsets[axis]);
    offsets[axis] = arith::AddIOp::create(rewriter, loc, first, distance).getResult();
  }
  auto rest = cast<TickOp>(rewriter.clone(*tick));
  rest.setBox(offsets, extents, tick.getStridesOrOnes());
}

/// Erases an operation, and what was computed for it alone.
static void discard(RewriterBase &rewriter, Operation *op) {
  llvm::SetVector<Value> operands(op->operand_begin(), op->operand_end());
  rewriter.eraseOp(op);
  for (Value operand : operands)
    if (Operation *made = operand.getDefiningOp(); made && isOpTriviallyDead(made))
      discard(rewriter, made);
}

//===----------------------------------------------------------------------===//
// Profitability
//===----------------------------------------------------------------------===//

namespace {
struct UnrollJamRows : mlir::lci::impl::UnrollJamRowsPassBase<UnrollJamRows> {
  using UnrollJamRowsPassBase::UnrollJamRowsPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    return checkOptions(context, {{"rows", rows, 1, 1024},
                                  {"min-saved", minSaved, 0, 100},
                                  {"min-more", minMore, 0, 100},
                                  {"min-groups", minGroups, 0},
                                  {"load-cost", loadCost, 0},
                                  {"max-accesses", maxAccesses, 0},
                                  {"max-operations", maxOperations, 0}});
  }

  void runOnOperation() override {
    SmallVector<TickOp> ticks;
    getOperation().walk([&](TickOp tick) {
      if (isPossible(tick))
        ticks.push_back(tick);
    });
    IRRewriter rewriter(&getContext());
    for (TickOp tick : ticks)
      jam(rewriter, tick);
  }

private:
  /// Replaces a tick by one of several rows, if that is profitable.
  void jam(IRRewriter &rewriter, TickOp tick) {
    rewriter.setInsertionPoint(tick);
    auto plain = cast<TickOp>(rewriter.clone(*tick));
    foldCells(plain);
    installAlways(plain);
    int64_t numRows = 0;
    if (TickOp together = choose(rewriter, plain, numRows)) {
      took(tick, numRows < 8 ? Way::JammedRows : Way::EightRows);
      RowJam(plain, numRows).emitRest(rewriter);
      numSaved += numRows * Work(plain).cost(1) - Work(together).cost(1);
      ++numJammed;
      rewriter.eraseOp(tick);
    }
    rewriter.eraseOp(plain);
  }

  /// Emits the largest profitable number of rows; a power of two below it where the others would
  /// save little. Null if none is.
  TickOp choose(IRRewriter &rewriter, TickOp plain, int64_t &numRows) {
    TickOp chosen;
    int64_t chosenCost = 0;
    Work separate(plain);
    int64_t alone = separate.cost(loadCost);
    for (int64_t number = rows; number >= 2; number = llvm::bit_floor<uint64_t>(number - 1)) {
      if (countMostRows(plain) < std::max<int64_t>(number * minGroups, number))
        continue;
      TickOp trial = RowJam(plain, number).emitTogether(rewriter);
      Work work(trial);
      int64_t cost = work.cost(loadCost);
      bool isWorthIt = work.loads < number * separate.loads && // stencils that overlap
                       100 * (number * alone - cost) >= minSaved * number * alone &&
                       work.loads + work.targets <= maxAccesses && cost <= maxOperations;
      // The cost of as many rows as were chosen, times `number`, in this way and in that one.
      int64_t fewer = numRows * cost, more = number * chosenCost;
      bool isBetter = isWorthIt && (!chosen || 100 * (fewer - more) < minMore * fewer);
      LDBG() << plain.getName() << ": " << number << " rows cost " << cost << " instead of "
             << number * alone << " and read " << work.loads << " windows instead of "
             << number * separate.loads << (isBetter ? "" : ", which is not worth it");
      if (!isBetter) {
        discard(rewriter, trial);
        if (isWorthIt)
          break;
        continue;
      }
      if (chosen)
        discard(rewriter, chosen);
      chosen = trial;
      chosenCost = cost;
      numRows = number;
    }
    return chosen;
  }
};
} // namespace

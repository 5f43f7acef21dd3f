//===- TickLowering.cpp - One tick as one linalg.generic ------------------===//
//
// The loops run over the box of the tick. Windows are inputs, as views of the storage moved by the
// window; the targets are the outputs; tallies are outputs without dimensions. The body captures
// everything else (gathers, clocks, scalars).
//
//===----------------------------------------------------------------------===//

#include "LCI/Dialect/TickBuilders.h"
#include "LCI/Dialect/TickWindows.h"
#include "Lowerings.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace mlir::lci;

namespace {

/// A distinct window: the input, and for each of its axes the tick's axis and the move.
struct Window {
  unsigned input;
  SmallVector<std::pair<unsigned, int64_t>> moves;
  bool operator==(const Window &other) const {
    return input == other.input && moves == other.moves;
  }
};

/// The loads of a tick, classified before its body is moved.
struct Loads {
  SmallVector<std::pair<LoadOp, unsigned>> own; // of the cell itself, with the target's position
  SmallVector<Window> windows;
  SmallVector<std::pair<LoadOp, unsigned>> windowLoads; // with the position in `windows`
  SmallVector<std::pair<LoadOp, SmallVector<Reach>>> gathers;
};
} // namespace

/// The moves of a load that is a view of an input; all other loads are gathers.
static std::optional<SmallVector<std::pair<unsigned, int64_t>>> getView(LoadOp load, TickOp tick) {
  auto argument = dyn_cast<BlockArgument>(load.getSource());
  bool isOpen = llvm::all_of(load.getBoundary().getAsRange<BoundaryAttr>(),
                             [](auto boundary) { return boundary.getValue() == Boundary::Open; });
  bool isInput = argument && argument.getOwner() == &tick.getBody().front();
  return isOpen && isInput ? load.getWindow() : std::nullopt;
}

LogicalResult mlir::lci::checkGathers(TickOp tick) {
  WalkResult walked = tick.getBody().walk([&](LoadOp load) {
    auto source = cast<MemRefType>(load.getSource().getType());
    if (source.hasStaticShape() || getView(load, tick))
      return WalkResult::advance();
    load.emitOpError("gathers from cells whose extents are not known: ")
        << ErrorId::NotLowered << source;
    return WalkResult::interrupt();
  });
  return failure(walked.wasInterrupted());
}

namespace {
/// Turns one tick into a linalg.generic.
class TickLowering {
public:
  TickLowering(RewriterBase &rewriter, TickOp tick, bool atomicCounters)
      : rewriter(rewriter), tick(tick), loc(tick.getLoc()), atomicCounters(atomicCounters),
        offsets(tick.getMixedOffsets()), extents(tick.getMixedExtents()),
        strides(tick.getStridesOrOnes()), slots(getCountedSlots(tick)) {}

  void lower() {
    sortLoads();
    SmallVector<Value> inputs, outputs;
    SmallVector<AffineMap> maps;
    for (const Window &window : loads.windows) {
      inputs.push_back(viewOf(tick.getInputs()[window.input], window.moves));
      maps.push_back(mapOf(window.moves));
    }
    for (Value target : tick.getTargets())
      outputs.push_back(viewOf(target, identityMoves()));
    for (Value array : tick.getBoxed())
      outputs.push_back(viewOfBoxed(array));
    if (tick.getScores())
      outputs.push_back(viewOf(tick.getScores(), identityMoves()));
    maps.append(outputs.size(), mapOf(identityMoves()));
    if (!atomicCounters)
      for (int64_t slot : slots) {
        outputs.push_back(buildCounterView(rewriter, loc, tick.getCounts(), slot));
        maps.push_back(AffineMap::get(tick.getRank(), 0, rewriter.getContext()));
      }
    bool sumsUp = !atomicCounters && !slots.empty();
    auto iterator = sumsUp ? utils::IteratorType::reduction : utils::IteratorType::parallel;
    SmallVector<utils::IteratorType> iterators(tick.getRank(), iterator);
    auto generic =
        linalg::GenericOp::create(rewriter, loc, TypeRange(), inputs, outputs, maps, iterators);
    moveBody(generic);
  }

private:
  using Moves = SmallVector<std::pair<unsigned, int64_t>>;

  Moves identityMoves() {
    Moves moves;
    for (unsigned axis = 0; axis < tick.getRank(); ++axis)
      moves.push_back({axis, 0});
    return moves;
  }

  AffineMap mapOf(const Moves &moves) {
    SmallVector<AffineExpr> results;
    for (auto [axis, move] : moves)
      results.push_back(rewriter.getAffineDimExpr(axis));
    return AffineMap::get(tick.getRank(), 0, results, rewriter.getContext());
  }

  void sortLoads() {
    tick.getBody().walk([&](LoadOp load) {
      auto moves = getView(load, tick);
      if (!moves) {
        loads.gathers.push_back({load, computeReach(load)});
        return;
      }
      auto argument = cast<BlockArgument>(load.getSource());
      Window window{argument.getArgNumber() - tick.getRank() - 3, *moves};
      if (std::optional<unsigned> target = findOwn(load)) {
        loads.own.push_back({load, *target});
        return;
      }
      auto *found = llvm::find(loads.windows, window);
      unsigned position = std::distance(loads.windows.begin(), found);
      if (found == loads.windows.end())
        loads.windows.push_back(window);
      loads.windowLoads.push_back({load, position});
    });
  }

  /// The target of which a window is the cell itself: its output holds what the cell was.
  std::optional<unsigned> findOwn(LoadOp load) {
    for (auto [position, target] : llvm::enumerate(tick.getTargets()))
      if (readsOwn(load, target))
        return position;
    return std::nullopt;
  }

  /// A view of a boxed array with as many elements as the box.
  Value viewOfBoxed(Value array) {
    ArrayRef<int64_t> shape = cast<MemRefType>(array.getType()).getShape();
    bool isWhole = llvm::all_of(llvm::zip_equal(shape, extents), [](auto axis) {
      auto [size, extent] = axis;
      return !ShapedType::isDynamic(size) && isConstantIntValue(extent, size);
    });
    if (isWhole)
      return array;
    SmallVector<OpFoldResult> zeros(shape.size(), rewriter.getIndexAttr(0));
    SmallVector<OpFoldResult> ones(shape.size(), rewriter.getIndexAttr(1));
    return memref::SubViewOp::create(rewriter, loc, array, zeros, extents, ones);
  }

  Value viewOf(Value source, const Moves &moves) {
    SmallVector<OpFoldResult> from, sizes, steps;
    bool isWhole = true;
    for (auto [position, move] : llvm::enumerate(moves)) {
      auto [axis, distance] = move;
      from.push_back(buildMoved(rewriter, loc, offsets[axis], distance));
      sizes.push_back(extents[axis]);
      steps.push_back(rewriter.getIndexAttr(strides[axis]));
      int64_t size = cast<MemRefType>(source.getType()).getDimSize(position);
      isWhole &= isConstantIntValue(from.back(), 0) && strides[axis] == 1 &&
                 !ShapedType::isDynamic(size) && isConstantIntValue(extents[axis], size);
    }
    if (isWhole)
      return source;
    source = throughView(source, from);
    return memref::SubViewOp::create(rewriter, loc, source, from, sizes, steps);
  }

  /// The buffer of a view at constant offsets, which are added to those in it.
  Value throughView(Value source, MutableArrayRef<OpFoldResult> from) {
    ShiftedView view = findShift(source);
    for (auto [offset, distance] : llvm::zip_equal(from, view.offsets))
      offset = buildMoved(rewriter, loc, offset, distance);
    return view.buffer;
  }

  void moveBody(linalg::GenericOp generic) {
    Block &old = tick.getBody().front();
    InstallOp install = tick.getInstall();
    SmallVector<Type> types;
    for (Value operand : generic.getOperands())
      types.push_back(cast<MemRefType>(operand.getType()).getElementType());
    Block *body = rewriter.createBlock(&generic.getRegion(), generic.getRegion().end(), types,
                                       SmallVector<Location>(types.size(), loc));
    SmallVector<Value> arguments = buildIndexArguments();
    SmallVector<Value> indices(arguments);
    llvm::append_values(arguments, tick.getEpoch(), tick.getPhase(), tick.getSeed());
    llvm::append_range(arguments, tick.getInputs());
    Value phase = tick.getPhase();
    std::optional<IntegerSet> cells = tick.getCells();
    SmallVector<IndexRange> ranges = getIndexRanges(tick);
    rewriter.inlineBlockBefore(&old, body, body->end(), arguments);
    for (auto &[load, position] : loads.windowLoads)
      rewriter.replaceOp(load, body->getArgument(position));
    for (auto &[load, target] : loads.own)
      rewriter.replaceOp(load, body->getArgument(loads.windows.size() + target));
    for (auto &[load, reach] : loads.gathers)
      lowerGather(rewriter, load, reach);
    rewriter.setInsertionPoint(install);
    Value isMember;
    if (cells)
      isMember = buildMembership(rewriter, loc, *cells, indices, ranges, phase);
    endBody(install, isMember, body->getArguments().drop_front(loads.windows.size()));
  }

  SmallVector<Value> buildIndexArguments() {
    SmallVector<Value> indices;
    for (unsigned axis = 0; axis < tick.getRank(); ++axis) {
      Value index = linalg::IndexOp::create(rewriter, loc, axis);
      if (strides[axis] != 1) {
        Value stride = arith::ConstantIndexOp::create(rewriter, loc, strides[axis]);
        index = arith::MulIOp::create(rewriter, loc, index, stride);
      }
      if (!isConstantIntValue(offsets[axis], 0)) {
        Value offset = getValueOrCreateConstantIndexOp(rewriter, loc, offsets[axis]);
        index = arith::AddIOp::create(rewriter, loc, index, offset);
      }
      indices.push_back(index);
    }
    return indices;
  }

  Value onlyMembers(Value condition, Value isMember) {
    return isMember ? arith::AndIOp::create(rewriter, loc, condition, isMember) : condition;
  }

  void endBody(InstallOp install, Value isMember, ValueRange outputs) {
    Value condition = onlyMembers(install.getCondition(), isMember);
    SmallVector<Value> results(install.getTokens());
    if (!matchPattern(condition, m_One()))
      for (auto [token, old] : llvm::zip(results, outputs))
        token = arith::SelectOp::create(rewriter, loc, condition, token, old);
    llvm::append_range(results, install.getBoxed());
    if (install.getScore()) // arbitrary for cells that do not change
      results.push_back(install.getScore());
    for (auto [slot, old] : llvm::zip(slots, outputs.drop_front(results.size())))
      results.push_back(addTallies(install, isMember, slot, old));
    if (atomicCounters)
      for (auto [tally, slot] : llvm::zip(install.getTallies(), install.getSlots()))
        countAtomically(tally, isMember, slot);
    linalg::YieldOp::create(rewriter, loc, results);
    rewriter.eraseOp(install);
  }

  Value addTallies(InstallOp install, Value isMember, int64_t wanted, Value sum) {
    for (auto [tally, slot] : llvm::zip(install.getTallies(), install.getSlots())) {
      if (slot != wanted)
        continue;
      Value counted = numberOf(tally, isMember, sum.getType());
      sum = arith::AddIOp::create(rewriter, loc, sum, counted);
    }
    return sum;
  }

  /// What a tally adds to a counter.
  Value numberOf(Value tally, Value isMember, Type counter) {
    if (tally.getType().isInteger(1))
      return arith::ExtUIOp::create(rewriter, loc, counter, onlyMembers(tally, isMember));
    if (!isMember)
      return tally;
    Value none = arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(counter));
    return arith::SelectOp::create(rewriter, loc, isMember, tally, none);
  }

  void countAtomically(Value tally, Value isMember, int64_t slot) {
    Type type = cast<MemRefType>(tick.getCounts().getType()).getElementType();
    if (!tally.getType().isInteger(1))
      return addAtomically(numberOf(tally, isMember, type), slot);
    OpBuilder::InsertionGuard guard(rewriter);
    Value counted = onlyMembers(tally, isMember);
    auto branch = scf::IfOp::create(rewriter, loc, counted, /*withElseRegion=*/false);
    rewriter.setInsertionPointToStart(branch.thenBlock());
    addAtomically(arith::ConstantOp::create(rewriter, loc, rewriter.getIntegerAttr(type, 1)), slot);
  }

  void addAtomically(Value number, int64_t slot) {
    Value index = arith::ConstantIndexOp::create(rewriter, loc, slot);
    memref::AtomicRMWOp::create(rewriter, loc, number.getType(), arith::AtomicRMWKind::addi, number,
                                tick.getCounts(), index);
  }

  RewriterBase &rewriter;
  TickOp tick;
  Location loc;
  bool atomicCounters;
  SmallVector<OpFoldResult> offsets, extents;
  SmallVector<int64_t> strides;
  SmallVector<int64_t> slots;
  Loads loads;
};

struct TickOpLowering : OpConversionPattern<TickOp> {
  TickOpLowering(MLIRContext *context, bool atomicCounters)
      : OpConversionPattern(context), atomicCounters(atomicCounters) {}

  LogicalResult matchAndRewrite(TickOp tick, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (tick.hasTensorSemantics())
      return rewriter.notifyMatchFailure(tick, "a tick on tensors");
    bool isEmpty = llvm::any_of(tick.getMixedExtents(),
                                [](OpFoldResult extent) { return isConstantIntValue(extent, 0); });
    if (!isEmpty && !keepsEverything(tick.getInstall()))
      TickLowering(rewriter, tick, atomicCounters).lower();
    rewriter.eraseOp(tick);
    return success();
  }

  bool atomicCounters;
};

} // namespace

namespace {
struct VaryingOpLowering : OpConversionPattern<VaryingOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(VaryingOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto value = rewriter.getIntegerAttr(op.getType(), op.getValue());
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, value);
    return success();
  }
};
} // namespace

void mlir::lci::populateTickLowering(RewritePatternSet &patterns, bool atomicCounters) {
  patterns.add<TickOpLowering>(patterns.getContext(), atomicCounters);
  patterns.add<VaryingOpLowering>(patterns.getContext());
}

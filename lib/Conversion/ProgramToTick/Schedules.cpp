//===- Schedules.cpp - Phases of a schedule as sets of cells --------------===//
//
// S-STRATEGY as sets over the indices with the phase as symbol, so that one body serves all phases:
// unrolled where there are few, in a loop where there are many.
//
//===----------------------------------------------------------------------===//

#include "Schedules.h"
#include "LCI/Analysis/Colouring.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::lci;

namespace {
/// Makes the sets of one schedule.
class PhaseMaker {
public:
  PhaseMaker(ValueOp value, ScheduleOp schedule)
      : value(value), schedule(schedule), b(value.getContext()), rank(value.getRank()),
        axes(getSweptAxes(schedule, rank)),
        phase(b.getAffineSymbolExpr(0) - schedule.getFirstPhase()) {}

  FailureOr<TickPhases> run() {
    FailureOr<TickPhases> phases = makePhases();
    if (succeeded(phases))
      phases->first = schedule.getFirstPhase();
    return phases;
  }

private:
  FailureOr<TickPhases> makePhases() {
    switch (schedule.getStrategy()) {
    case Strategy::All:
    case Strategy::Masked:
    case Strategy::Random:
      return TickPhases();
    case Strategy::Confidence: {
      TickPhases phases;
      phases.surest = schedule.getFractionAttr();
      return phases;
    }
    case Strategy::RedBlack:
      return colourByParity();
    case Strategy::FourColor:
      return colourByTwoAxes();
    case Strategy::Wavefront:
      return axes.size() == 1 ? visitInOrder() : sweep();
    case Strategy::Raster:
      return visitInOrder();
    case Strategy::Recolor:
      return recolour();
    }
    llvm_unreachable("a strategy without a meaning");
  }

  /// The index on an axis, or the index of its tile.
  AffineExpr axis(unsigned number) {
    std::optional<ArrayRef<int64_t>> tile = schedule.getTile();
    AffineExpr index = b.getAffineDimExpr(number);
    return tile ? index.floorDiv((*tile)[number]) : index;
  }

  /// Only untiled colours are classes of draws (S-CLASS).
  bool isTiled() {
    return schedule.getTile() &&
           llvm::any_of(*schedule.getTile(), [](int64_t extent) { return extent != 1; });
  }

  TickPhases makeColours(int64_t count, ArrayRef<AffineExpr> zeros, bool splitsRows) {
    SmallVector<bool> equalities(zeros.size(), true);
    auto cells = IntegerSetAttr::get(IntegerSet::get(rank, 1, zeros, equalities));
    return {0, count, cells, splitsRows && !isTiled() ? 2 : 1, {}, {}, {}};
  }

  TickPhases colourByParity() {
    AffineExpr sum = -phase;
    bool splitsRows = false;
    for (SweptAxis swept : axes) {
      sum = sum + axis(swept.axis);
      splitsRows |= swept.axis + 1 == rank;
    }
    return makeColours(2, sum % 2, splitsRows);
  }

  FailureOr<TickPhases> colourByTwoAxes() {
    if (rank < 2)
      return LogicalResult(
          schedule.emitOpError("expected a value of at least two axes for 'four_color', but got ")
          << ErrorId::WrongSchedule << rank);
    AffineExpr zeros[] = {(axis(rank - 2) - phase) % 2, (axis(rank - 1) - phase.floorDiv(2)) % 2};
    return makeColours(4, zeros, /*splitsRows=*/true);
  }

  /// The phase is the sum of the positions on the axes.
  TickPhases sweep() {
    AffineExpr sum = -phase;
    int64_t count = 1;
    SmallVector<int64_t> extents = *value.getExtents();
    for (SweptAxis swept : axes) {
      AffineExpr index = b.getAffineDimExpr(swept.axis);
      int64_t last = extents[swept.axis] - 1;
      sum = sum + (swept.isReversed ? last - index : index);
      count += last;
    }
    return makeColours(count, sum, /*splitsRows=*/false);
  }

  /// One position on the swept axes per phase, with all cells that have it: a box of these cells.
  TickPhases visitInOrder() {
    TickPhases phases;
    SmallVector<int64_t> extents = *value.getExtents();
    for (SweptAxis swept : axes)
      phases.count *= extents[swept.axis];
    phases.visited = axes;
    return phases;
  }

  /// A set where the colours are regular, else the colour of each cell.
  FailureOr<TickPhases> recolour() {
    Obstacle obstacle;
    std::optional<Colouring> colouring = computeColouring(value, &obstacle);
    if (!colouring)
      return LogicalResult(emitNoColouring(schedule, obstacle));
    TickPhases phases;
    phases.count = colouring->count;
    if (std::optional<IntegerSet> set = getColourSet(*colouring, value)) {
      phases.cells = IntegerSetAttr::get(set->replaceDimsAndSymbols({}, phase, rank, 1));
      return phases;
    }
    SmallVector<int32_t> colours;
    for (int64_t colour : colouring->colours)
      colours.push_back(schedule.getFirstPhase() + colour);
    auto type = RankedTensorType::get(*value.getExtents(), b.getI32Type());
    phases.ofCells = DenseElementsAttr::get<int32_t>(type, colours);
    return phases;
  }

  ValueOp value;
  ScheduleOp schedule;
  Builder b;
  int64_t rank;
  SmallVector<SweptAxis> axes; // that distinguish phases
  AffineExpr phase;
};
} // namespace

FailureOr<TickPhases> mlir::lci::getTickPhases(ValueOp value, ScheduleOp schedule) {
  return schedule ? PhaseMaker(value, schedule).run() : TickPhases();
}

void mlir::lci::addVisitedBox(OpBuilder &builder, TickOp tick, const TickPhases &phases) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(tick);
  Location loc = tick.getLoc();
  Value rest = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), tick.getPhase());
  if (phases.first > 0)
    rest = arith::SubIOp::create(builder, loc, rest,
                                 arith::ConstantIndexOp::create(builder, loc, phases.first));
  ArrayRef<int64_t> shape = cast<ShapedType>(tick.getTarget().getType()).getShape();
  SmallVector<OpFoldResult> offsets(shape.size(), builder.getIndexAttr(0));
  SmallVector<int64_t> extents(shape), strides(shape.size(), 1);
  for (SweptAxis swept : llvm::reverse(phases.visited)) {
    Value extent = arith::ConstantIndexOp::create(builder, loc, shape[swept.axis]);
    Value place = arith::RemUIOp::create(builder, loc, rest, extent);
    if (swept.isReversed)
      place = arith::SubIOp::create(
          builder, loc, arith::ConstantIndexOp::create(builder, loc, shape[swept.axis] - 1), place);
    offsets[swept.axis] = place;
    rest = arith::DivUIOp::create(builder, loc, rest, extent);
    extents[swept.axis] = 1;
  }
  SmallVector<Value> computed;
  SmallVector<int64_t> known;
  dispatchIndexOpFoldResults(offsets, computed, known);
  tick.getOffsetsMutable().assign(computed);
  tick.setStaticOffsets(known);
  tick.setStaticExtents(extents);
  tick.setStrides(strides);
}

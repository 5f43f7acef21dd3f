//===- Phases.cpp - The phase of each cell by schedule --------------------===//
//
// Maps cells to phases for each strategy, in closed form or from a colouring, and numbers cells for
// the counters of draws. `random` draws for each cell whether it is scheduled, `masked` depends on
// its content.
//
//===----------------------------------------------------------------------===//

#include "LCI/Interpreter/Phases.h"
#include "LCI/Numerics/Stream.h"

using namespace mlir;
using namespace mlir::lci;

Phases::Phases(ValueOp value, ScheduleOp schedule) : extents(*value.getExtents()) {
  tile.assign(extents.size(), 1);
  if (!schedule)
    return;
  strategy = schedule.getStrategy();
  first = schedule.getFirstPhase();
  axes = getSweptAxes(schedule, extents.size());
  if (schedule.getTile())
    tile = llvm::to_vector(*schedule.getTile());
  if (schedule.getFraction())
    fraction = schedule.getFraction()->convertToFloat();
  declaration = ProgramOp::getDeclarationNumber(schedule);
  if (strategy == Strategy::Recolor) // `verify` has rejected values without one
    colouring = computeColouring(value).value_or(Colouring());
}

LogicalResult Phases::verify(ScheduleOp schedule) {
  ValueOp value = schedule->getParentOfType<ProgramOp>().lookupValue(schedule.getValue());
  switch (schedule.getStrategy()) {
  case Strategy::All:
  case Strategy::RedBlack:
  case Strategy::Raster:
  case Strategy::Wavefront:
  case Strategy::Masked:
  case Strategy::Random:
  case Strategy::Confidence:
    return success();
  case Strategy::FourColor:
    if (value.getRank() >= 2)
      return success();
    return schedule.emitOpError("expected a value of at least two axes for 'four_color', but got ")
           << ErrorId::WrongSchedule << value.getRank();
  case Strategy::Recolor: {
    Obstacle obstacle;
    return computeColouring(value, &obstacle) ? success()
                                              : LogicalResult(emitNoColouring(schedule, obstacle));
  }
  }
  llvm_unreachable("a strategy without a meaning");
}

// S-STRATEGY, S-AXES: the phases of each strategy.
int64_t Phases::getNumSchedulePhases() const {
  switch (strategy) {
  case Strategy::RedBlack:
    return 2;
  case Strategy::FourColor:
    return 4;
  case Strategy::Raster: {
    int64_t places = 1;
    for (SweptAxis swept : axes)
      places *= extents[swept.axis];
    return places;
  }
  case Strategy::Recolor:
    return colouring.count;
  case Strategy::Wavefront: {
    int64_t last = 0;
    for (SweptAxis swept : axes)
      last += extents[swept.axis] - 1;
    return last + 1;
  }
  default:
    return 1;
  }
}

int64_t Phases::getSchedulePhaseOf(ArrayRef<int64_t> cell) const {
  auto tileOf = [&](unsigned axis) { return cell[axis] / tile[axis]; };
  auto placeOn = [&](SweptAxis swept) {
    return swept.getPlace(cell[swept.axis], extents[swept.axis]);
  };
  unsigned rank = cell.size();
  int64_t sum = 0;
  switch (strategy) {
  case Strategy::RedBlack:
    for (SweptAxis swept : axes)
      sum += tileOf(swept.axis);
    return sum % 2;
  case Strategy::FourColor:
    return tileOf(rank - 2) % 2 + 2 * (tileOf(rank - 1) % 2);
  case Strategy::Raster:
    for (SweptAxis swept : axes)
      sum = sum * extents[swept.axis] + placeOn(swept);
    return sum;
  case Strategy::Recolor:
    return colouring.getColour(cell);
  case Strategy::Wavefront:
    for (SweptAxis swept : axes)
      sum += placeOn(swept);
    return sum;
  default:
    return 0;
  }
}

bool Phases::contains(ArrayRef<int64_t> cell, const Now &now, bool isAbsent) const {
  if (static_cast<int64_t>(now.phase) != getPhaseOf(cell))
    return false;
  if (strategy == Strategy::Random) { // S-RANDOM: the schedule's stream, one draw for each cell
    ::lci::numerics::Stream stream(now.seed, declaration, 0);
    return stream.bernoulli({0, getCellNumber(cell), now.epoch, now.phase}, fraction);
  }
  return strategy != Strategy::Masked || isAbsent;
}

// S-COUNTER: rows run along the last axis, are all numbered, and are padded to groups of 32; the
// only cell of a scalar is number 0.
uint64_t Phases::getCellNumber(ArrayRef<int64_t> cell, ArrayRef<int64_t> extents, int64_t stride) {
  if (cell.empty())
    return 0;
  uint64_t row = 0;
  for (auto [index, extent] : llvm::drop_end(llvm::zip(cell, extents)))
    row = row * extent + index;
  uint64_t longest = (extents.back() + stride - 1) / stride;
  return ::lci::numerics::cellNumber(row, cell.back() / stride, longest);
}

// S-CLASS: only untiled red_black and four_color have classes, of every second cell of a row.
uint64_t Phases::getCellNumber(ArrayRef<int64_t> cell) const {
  bool isTiled = llvm::any_of(tile, [](int64_t extent) { return extent != 1; });
  auto isLast = [&](SweptAxis swept) { return swept.axis + 1 == int64_t(extents.size()); };
  bool splits = strategy == Strategy::FourColor ||
                (strategy == Strategy::RedBlack && llvm::any_of(axes, isLast));
  return getCellNumber(cell, extents, splits && !isTiled ? 2 : 1);
}

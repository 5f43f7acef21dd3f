//===- Colouring.cpp - Phases in which no cell reads another ----------------===//

#include "LCI/Analysis/Colouring.h"
#include "LCI/Analysis/CellGraph.h"
#include "LCI/Analysis/KnownIntegers.h"
#include "LCI/Dialect/DeclarationIndex.h"

using namespace mlir;
using namespace mlir::lci;

namespace {
/// Who reads whom among the cells of one value, each pair in both directions.
class Neighbours {
public:
  Neighbours(ValueOp value, uint64_t maxPairs) : extents(*value.getExtents()), maxPairs(maxPairs) {
    int64_t cells = 1;
    for (auto [axis, extent] : llvm::enumerate(extents)) {
      cells *= extent;
      boundaries.push_back(value.getBoundaryOf(axis));
    }
    of.resize(cells);
  }

  /// Adds what a read allows; false if that cannot be listed.
  bool add(ReadOp read) {
    IndexDomain domain = IndexDomain::around(read);
    KnownIntegers known(domain);
    AffineMap map = read.getMap();
    SmallVector<int64_t> dims;
    auto visit = [&](ArrayRef<int64_t> point) {
      dims.clear();
      for (Value index : read.getIndices()) {
        std::optional<int64_t> number = known.get(index, point);
        if (!number)
          return false;
        dims.push_back(*number);
      }
      std::optional<int64_t> target = getTarget(map, dims);
      int64_t cell = getNumber(point.take_front(extents.size()));
      if (target && *target != cell) {
        of[cell].push_back(*target);
        of[*target].push_back(cell);
      }
      return ++numPairs <= maxPairs;
    };
    return domain.visitPoints(visit, [&](const FreeLimits &limits, ArrayRef<int64_t> outer) {
      return known.getLimits(limits, outer);
    });
  }

  std::vector<SmallVector<int64_t, 8>> of;

private:
  int64_t getNumber(ArrayRef<int64_t> cell) const {
    int64_t number = 0;
    for (auto [index, extent] : llvm::zip_equal(cell, extents))
      number = number * extent + index;
    return number;
  }

  std::optional<int64_t> getTarget(AffineMap map, ArrayRef<int64_t> dims) const {
    SmallVector<int64_t> target;
    for (auto [axis, result] : llvm::enumerate(map.getResults())) {
      std::optional<int64_t> index =
          applyBoundary(evaluateAt(result, dims), extents[axis], boundaries[axis]);
      if (!index)
        return std::nullopt;
      target.push_back(*index);
    }
    return getNumber(target);
  }

  SmallVector<int64_t> extents;
  SmallVector<Boundary> boundaries;
  uint64_t maxPairs, numPairs = 0;
};
} // namespace

/// The reads of a value's own cells in its rules and constraints.
static SmallVector<ReadOp> getOwnReads(ValueOp value) {
  SmallVector<ReadOp> reads;
  auto program = value->getParentOfType<ProgramOp>();
  auto collect = [&](ReadOp read) {
    if (read.getValue() == value.getName())
      reads.push_back(read);
  };
  for (auto rule : getDeclarationsOn<RuleOp>(program, value.getName()))
    rule.walk(collect);
  for (auto constraint : getDeclarationsOn<ConstraintOp>(program, value.getName()))
    constraint.walk(collect);
  return reads;
}

std::optional<Colouring> lci::computeColouring(ValueOp value, uint64_t maxPairs) {
  Neighbours neighbours(value, maxPairs);
  for (ReadOp read : getOwnReads(value))
    if (!neighbours.add(read))
      return std::nullopt;
  Colouring colouring;
  for (auto [cell, others] : llvm::enumerate(neighbours.of)) {
    SmallVector<bool> taken(colouring.count + 1, false);
    for (int64_t other : others)
      if (other < static_cast<int64_t>(cell))
        taken[colouring.colours[other]] = true;
    int64_t colour = llvm::find(taken, false) - taken.begin();
    colouring.colours.push_back(colour);
    colouring.count = std::max(colouring.count, colour + 1);
  }
  return colouring;
}

InFlightDiagnostic lci::emitNoColouring(ScheduleOp schedule) {
  ValueOp value = schedule->getParentOfType<ProgramOp>().lookupValue(schedule.getValue());
  InFlightDiagnostic error = emitError(schedule.getLoc(), "cannot colour the cells of '")
                             << value.getName() << "'";
  for (ReadOp read : getOwnReads(value)) {
    for (ParamOp param : getGatheringParams(read))
      if (!param.getElements()) {
        error.attachNote(read->getLoc())
            << "which of them are read here follows from '" << param.getName()
            << "', whose elements were not known when the program was bound";
        return error;
      }
    if (Neighbours(value, kMaxPairs).add(read))
      continue;
    error.attachNote(read->getLoc()) << "too many of them read each other, or may read any";
    return error;
  }
  error.attachNote() << "too many of them read each other";
  return error;
}

SmallVector<ParamOp> lci::getColouringParams(ValueOp value) {
  llvm::SetVector<Operation *> params;
  for (ReadOp read : getOwnReads(value))
    for (ParamOp param : getGatheringParams(read))
      params.insert(param);
  return llvm::map_to_vector(params, [](Operation *op) { return cast<ParamOp>(op); });
}

//===----------------------------------------------------------------------===//
// Colours that a formula gives
//===----------------------------------------------------------------------===//

namespace {
/// Tries formulas on all cells.
class ColourReader {
public:
  ColourReader(const Colouring &colouring, ValueOp value)
      : colouring(colouring), extents(*value.getExtents()), context(value.getContext()),
        strides(extents.size(), 1) {
    for (size_t axis = extents.size(); axis-- > 1;)
      strides[axis - 1] = strides[axis] * extents[axis];
    for (size_t axis = 0; axis < extents.size(); ++axis)
      steps.push_back(extents[axis] > 1 ? colouring.colours[strides[axis]] : 0);
  }

  /// (Σ step · index − colour) mod count == 0.
  std::optional<IntegerSet> readSum() {
    AffineExpr sum = getAffineConstantExpr(0, context);
    for (unsigned axis = 0; axis < extents.size(); ++axis)
      sum = sum + getAffineDimExpr(axis, context) * steps[axis];
    if (!holdsEverywhere(sum % colouring.count))
      return std::nullopt;
    AffineExpr colour = getAffineSymbolExpr(0, context);
    return IntegerSet::get(extents.size(), 1, (sum - colour) % colouring.count, true);
  }

  /// Each axis gives a digit of the colour.
  std::optional<IntegerSet> readDigits() {
    AffineExpr sum = getAffineConstantExpr(0, context), colour = getAffineSymbolExpr(0, context);
    SmallVector<AffineExpr> zeros;
    int64_t numColours = 1;
    for (unsigned axis = 0; axis < extents.size(); ++axis) {
      if (steps[axis] == 0)
        continue;
      int64_t period = getPeriod(axis);
      AffineExpr index = getAffineDimExpr(axis, context);
      sum = sum + (index % period) * steps[axis];
      zeros.push_back((index - colour.floorDiv(steps[axis])) % period);
      numColours *= period;
    }
    if (zeros.empty() || numColours != colouring.count || !holdsEverywhere(sum))
      return std::nullopt;
    return IntegerSet::get(extents.size(), 1, zeros, SmallVector<bool>(zeros.size(), true));
  }

private:
  int64_t getPeriod(unsigned axis) {
    int64_t period = 1;
    while (period < extents[axis] && colouring.colours[period * strides[axis]] != 0)
      ++period;
    return period;
  }

  bool holdsEverywhere(AffineExpr formula) {
    SmallVector<int64_t> cell(extents.size(), 0);
    for (int64_t colour : colouring.colours) {
      if (evaluateAt(formula, cell) != colour)
        return false;
      for (size_t axis = cell.size(); axis-- > 0 && ++cell[axis] == extents[axis];)
        cell[axis] = 0;
    }
    return true;
  }

  const Colouring &colouring;
  SmallVector<int64_t> extents;
  MLIRContext *context;
  SmallVector<int64_t> strides, steps;
};
} // namespace

std::optional<IntegerSet> lci::getColourSet(const Colouring &colouring, ValueOp value) {
  ColourReader reader(colouring, value);
  if (std::optional<IntegerSet> sum = reader.readSum())
    return sum;
  return reader.readDigits();
}

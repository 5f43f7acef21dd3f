//===- Colouring.cpp - Phases of independent cells ------------------------===//
//
// Greedy colouring in row-major order over the pairs of cells that read each other, listed from the
// reads' maps, families and known parameters; lattices are preferred for large values.
//
//===----------------------------------------------------------------------===//

#include "LCI/Analysis/Colouring.h"
#include "ColourFormulas.h"
#include "LCI/Analysis/CellGraph.h"
#include "LCI/Analysis/KnownIntegers.h"
#include "LCI/Dialect/DeclarationIndex.h"

using namespace mlir;
using namespace mlir::lci;

static int64_t countCells(ArrayRef<int64_t> extents) { return llvm::product_of(extents); }

namespace {
/// The reads among the cells of one value: for each cell, the earlier neighbours.
class Neighbours {
public:
  Neighbours(ValueOp value, uint64_t maxPairs) : extents(*value.getExtents()), maxPairs(maxPairs) {
    for (unsigned axis = 0; axis < extents.size(); ++axis)
      boundaries.push_back(value.getBoundaryOf(axis));
  }

  /// Adds the pairs of a read; false if they cannot be listed.
  bool add(ReadOp read) {
    IndexDomain domain = IndexDomain::around(read);
    KnownIntegers known(domain);
    AffineMap map = read.getMap();
    SmallVector<int64_t> dims;
    auto positions =
        llvm::map_to_vector(read.getIndices(), [&](Value index) { return domain.find(index); });
    auto visit = [&](ArrayRef<int64_t> point) {
      dims.clear();
      for (auto [index, position] : llvm::zip_equal(read.getIndices(), positions)) {
        std::optional<int64_t> number = position ? point[*position] : known.get(index, point);
        if (!number)
          return false;
        dims.push_back(*number);
      }
      std::optional<int64_t> target = getTarget(map, dims);
      int64_t cell = getNumber(point.take_front(extents.size()));
      if (target && *target != cell)
        pairs.push_back({std::max(cell, *target), std::min(cell, *target)});
      return ++numPairs <= maxPairs;
    };
    return domain.visitPoints(visit, [&](const FreeLimits &limits, ArrayRef<int64_t> outer) {
      return known.getLimits(limits, outer);
    });
  }

  bool hasTooMany() const { return numPairs > maxPairs; }

  Colouring colour() {
    llvm::sort(pairs);
    Colouring colouring;
    colouring.extents = extents;
    auto pair = pairs.begin();
    for (int64_t cell = 0, end = countCells(extents); cell < end; ++cell) {
      SmallVector<bool> taken(colouring.count + 1, false);
      for (; pair != pairs.end() && pair->first == cell; ++pair)
        taken[colouring.colours[pair->second]] = true;
      int64_t colour = llvm::find(taken, false) - taken.begin();
      colouring.colours.push_back(colour);
      colouring.count = std::max(colouring.count, colour + 1);
    }
    return colouring;
  }

private:
  int64_t getNumber(ArrayRef<int64_t> cell) const {
    int64_t number = 0;
    for (auto [index, extent] : llvm::zip_equal(cell, extents))
      number = number * extent + index;
    return number;
  }

  std::optional<int64_t> getTarget(AffineMap map, ArrayRef<int64_t> dims) const {
    int64_t number = 0;
    for (auto [axis, result] : llvm::enumerate(map.getResults())) {
      std::optional<int64_t> index =
          applyBoundary(evaluateAt(result, dims), extents[axis], boundaries[axis]);
      if (!index)
        return std::nullopt;
      number = number * extents[axis] + *index;
    }
    return number;
  }

  SmallVector<int64_t> extents;
  SmallVector<Boundary> boundaries;
  uint64_t maxPairs, numPairs = 0;
  std::vector<std::pair<int64_t, int64_t>> pairs; ///< the later cell, then the earlier one
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

static std::optional<Colouring> colourGreedily(ValueOp value, uint64_t maxPairs,
                                               Obstacle *obstacle) {
  Neighbours neighbours(value, maxPairs);
  for (ReadOp read : getOwnReads(value))
    if (!neighbours.add(read)) {
      if (obstacle)
        *obstacle = {read, neighbours.hasTooMany()};
      return std::nullopt;
    }
  return neighbours.colour();
}

int64_t Colouring::getColour(ArrayRef<int64_t> cell) const {
  if (formula)
    return evaluateAt(formula->colour, cell);
  int64_t number = 0;
  for (auto [index, extent] : llvm::zip_equal(cell, extents))
    number = number * extent + index;
  return colours[number];
}

// S-LATTICE: large values have the colours of a lattice, if there is one.
std::optional<Colouring> mlir::lci::computeColouring(ValueOp value, Obstacle *obstacle,
                                                     ColouringLimits limits) {
  bool isLarge = countCells(*value.getExtents()) > limits.greedyCells;
  std::optional<Colouring> first =
      isLarge ? findLattice(value) : colourGreedily(value, limits.pairs, obstacle);
  if (first)
    return first;
  return isLarge ? colourGreedily(value, limits.pairs, obstacle) : findLattice(value);
}

std::optional<Colouring> mlir::lci::findLattice(ValueOp value) {
  return findLattice(value, getOwnReads(value));
}

/// What would make the value colourable.
static std::string getHint(ValueOp value) {
  std::string hint = "a lattice needs reads at fixed distances";
  for (auto [axis, extent] : llvm::enumerate(*value.getExtents()))
    if (value.getBoundaryOf(axis) == Boundary::Wrap)
      return hint + ", and on a wrapped axis an extent that its period divides, where axis " +
             std::to_string(axis) + " has " + std::to_string(extent) + " cells";
  return hint + ": 'wavefront' and 'raster' ask for nothing";
}

InFlightDiagnostic mlir::lci::emitNoColouring(ScheduleOp schedule, Obstacle obstacle) {
  ValueOp value = schedule->getParentOfType<ProgramOp>().lookupValue(schedule.getValue());
  InFlightDiagnostic error = emitError(schedule.getLoc(), "cannot colour the cells of '")
                             << ErrorId::NoColouring << value.getName() << "'";
  for (ParamOp param : getGatheringParams(obstacle.read))
    if (!param.getElements()) {
      error.attachNote(obstacle.read->getLoc())
          << "which of them are read here follows from '" << param.getName()
          << "', whose elements were not known when the program was bound";
      return error;
    }
  if (!obstacle.isTooMany) {
    error.attachNote(obstacle.read->getLoc())
        << "which of them are read here is known in a run only";
    return error;
  }
  error << ": expected a lattice of at most " << kMaxLatticeColours << " colours, or at most "
        << ColouringLimits().pairs << " reads of each other, but got neither";
  error.attachNote(obstacle.read->getLoc()) << "too many of them are read here";
  error.attachNote() << getHint(value);
  return error;
}

SmallVector<ParamOp> mlir::lci::getColouringParams(ValueOp value) {
  llvm::SetVector<Operation *> params;
  for (ReadOp read : getOwnReads(value))
    for (ParamOp param : getGatheringParams(read))
      params.insert(param);
  return llvm::map_to_vector(params, [](Operation *op) { return cast<ParamOp>(op); });
}

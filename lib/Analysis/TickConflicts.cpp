//===- TickConflicts.cpp - Ticks that load what ticks write ---------------===//
//
// The same analysis as on bound programs (Independence.cpp), on ticks: their boxes, sets with the
// phase as symbol, and loads with affine maps and boundaries.
//
//===----------------------------------------------------------------------===//

#include "DistinctCells.h"
#include "LCI/Analysis/Independence.h"
#include "LCI/Analysis/Relations.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::lci;

namespace {
/// One pair of ticks and a load. Domain: the reader's cell; range: the written cell.
class ConflictFinder {
public:
  ConflictFinder(LoadOp load, TickOp reader, TickOp writer)
      : load(load), reader(reader), writer(writer), system(reader.getRank(), writer.getRank()) {}

  std::optional<TickConflict> run() {
    SmallVector<Linear> readerCell, writtenCell;
    for (unsigned i = 0; i < reader.getRank(); ++i)
      readerCell.push_back(system.domain(i));
    for (unsigned i = 0; i < writer.getRank(); ++i)
      writtenCell.push_back(system.range(i));
    restrict(reader, readerCell);
    restrict(writer, writtenCell);
    SmallVector<Linear> dims, indices;
    for (Value index : load.getIndices())
      dims.push_back(getIndex(index));
    for (AffineExpr result : load.getMap().getResults())
      indices.push_back(system.evaluate(result, dims));
    std::optional<TickConflict> conflict;
    auto keep = [&](const AffineSystem &conjunction) {
      if (!conflict)
        conflict = findIn(conjunction);
    };
    forEachTarget(system, indices, getLoadAxes(), 0, [&](const AffineSystem &conjunction) {
      reader == writer ? forEachDistinct(conjunction, readerCell, writtenCell, keep)
                       : keep(conjunction);
    });
    return conflict;
  }

private:
  /// The existential variable of an operand that is not known.
  Linear getUnknown(Value value) {
    auto [entry, isNew] = unknowns.try_emplace(value);
    if (isNew)
      entry->second = system.addLocal();
    return entry->second;
  }

  Linear getScalar(OpFoldResult scalar) {
    if (std::optional<int64_t> constant = getConstantIntValue(scalar))
      return Linear(*constant);
    return getUnknown(cast<Value>(scalar));
  }

  Linear getPhase(TickOp tick) {
    APInt constant;
    if (matchPattern(tick.getPhase(), m_ConstantInt(&constant)))
      return Linear(constant.getSExtValue());
    if (!phase) {
      phase = system.addLocal();
      system.addNonNegative(*phase);
    }
    return *phase;
  }

  /// The cell lies in the box, on its stride, and in the set.
  void restrict(TickOp tick, ArrayRef<Linear> cell) {
    SmallVector<OpFoldResult> offsets = tick.getMixedOffsets(), extents = tick.getMixedExtents();
    ArrayRef<int64_t> shape = cast<ShapedType>(tick.getTarget().getType()).getShape();
    for (auto [axis, stride] : llvm::enumerate(tick.getStridesOrOnes())) {
      Linear moved = cell[axis] - getScalar(offsets[axis]);
      // The extent of a box counts steps: see the verifier of `lci.tick`.
      Linear step = stride == 1 ? moved : system.floorDiv(moved, stride);
      if (stride != 1)
        system.addEqual(moved, step * stride);
      system.addNonNegative(step);
      system.addNonNegative(getScalar(extents[axis]) - step - Linear(1));
      if (!ShapedType::isDynamic(shape[axis]))
        system.addWithin(cell[axis], shape[axis]);
    }
    if (std::optional<IntegerSet> cells = tick.getCells())
      system.addSet(*cells, cell, getPhase(tick));
  }

  /// A cell's index, a constant, an index of a loop with constant bounds, or unknown.
  Linear getIndex(Value index) {
    if (std::optional<int64_t> constant = getConstantIntValue(index))
      return Linear(*constant);
    auto argument = dyn_cast<BlockArgument>(index);
    Operation *owner = argument ? argument.getOwner()->getParentOp() : nullptr;
    // Inputs of a tick may be indices as well.
    if (owner == reader && argument.getArgNumber() < reader.getRank())
      return system.domain(argument.getArgNumber());
    Linear unknown = getUnknown(index);
    auto loop = dyn_cast_or_null<scf::ForOp>(owner);
    std::optional<int64_t> lower = loop ? getConstantIntValue(loop.getLowerBound()) : std::nullopt;
    std::optional<int64_t> upper = loop ? getConstantIntValue(loop.getUpperBound()) : std::nullopt;
    if (lower && upper && argument == loop.getInductionVar())
      system.addWithin(unknown - Linear(*lower), *upper - *lower);
    return unknown;
  }

  SmallVector<Axis> getLoadAxes() {
    SmallVector<Axis> axes;
    for (auto [axis, extent] :
         llvm::enumerate(cast<ShapedType>(writer.getTarget().getType()).getShape()))
      axes.push_back({extent, load.getBoundaryOf(axis)});
    return axes;
  }

  std::optional<TickConflict> findIn(const AffineSystem &conjunction) {
    std::optional<SmallVector<int64_t>> point = findAnyPoint(conjunction.get());
    if (!point)
      return std::nullopt;
    ArrayRef<int64_t> cells = *point;
    return TickConflict{llvm::to_vector(cells.take_front(reader.getRank())),
                        llvm::to_vector(cells.drop_front(reader.getRank())), load};
  }

  LoadOp load;
  TickOp reader, writer;
  AffineSystem system;
  DenseMap<Value, Linear> unknowns;
  std::optional<Linear> phase; ///< of both ticks
};
} // namespace

std::optional<TickConflict> mlir::lci::findConflict(TickOp reader, ArrayRef<unsigned> inputs,
                                                    TickOp writer) {
  std::optional<TickConflict> conflict;
  reader.getBody().walk([&](LoadOp load) {
    auto source = dyn_cast<BlockArgument>(load.getSource());
    unsigned firstInput = reader.getRank() + 3;
    if (source && source.getOwner() == &reader.getBody().front() &&
        llvm::is_contained(inputs, source.getArgNumber() - firstInput))
      conflict = ConflictFinder(load, reader, writer).run();
    return conflict ? WalkResult::interrupt() : WalkResult::advance();
  });
  return conflict;
}

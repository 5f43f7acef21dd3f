//===- BodyAnalysis.h - Widths and legality of bit-sliced bodies -*- C++ -*-===//
//
// Determines which values are uniform in a row, the bits of the others, and
// reasons why a body cannot be computed on words.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_TRANSFORMS_LAYOUT_BITSLICE_BODYANALYSIS_H
#define LCI_LIB_TRANSFORMS_LAYOUT_BITSLICE_BODYANALYSIS_H

#include "Circuits.h"
#include "LCI/Dialect/LCIOps.h"
#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"

namespace mlir::lci::bitslice {

/// Runs integer range analysis, including the ranges of winners.
LogicalResult analyzeBodies(DataFlowSolver &solver, Operation *op);

/// An integer of some bits times a power of two; no bits if nothing is known.
struct FixedPoint {
  Width width;
  int exponent = 0;
};

class BodyAnalysis {
public:
  /// The reason why the body cannot be sliced, if there is one.
  static std::optional<std::string> findObstacle(TickOp tick, DataFlowSolver &solver);

  BodyAnalysis(TickOp tick, DataFlowSolver &solver);

  /// Whether a value is uniform in a row.
  bool isUniform(Value value) const { return !varying.contains(value); }
  /// The largest extent of the tick's box on an axis, if it is known.
  std::optional<int64_t> getMaxExtent(unsigned axis) const { return extents[axis]; }
  /// The bits that hold all possible values. A float has bits if it is known to be a small integer
  /// times a power of two, as counts and halves of counts are; others have none.
  Width widthOf(Value value) const { return widths.lookup(value); }
  /// The exponent of that power; zero for integers.
  int exponentOf(Value value) const { return exponents.lookup(value); }

private:
  void learn(Block &block, DataFlowSolver &solver);
  void follow(Operation &op);
  void note(Value value, DataFlowSolver &solver);
  void noteFloat(Value value);
  FixedPoint findFixedPoint(Value value) const;

  llvm::DenseSet<Value> varying;
  llvm::DenseMap<Value, Width> widths;
  llvm::DenseMap<Value, int> exponents;
  SmallVector<std::optional<int64_t>> extents;
};

/// The largest extent of a box, if it is known.
std::optional<int64_t> findMaxExtent(OpFoldResult extent, DataFlowSolver &solver);

/// The stream of a threshold draw, null for other operations; and its number, if any.
StreamAttr streamOf(Operation *op);
Value numberOf(Operation *draw);
/// The threshold draws of a tick, in their order.
SmallVector<Operation *> findDraws(TickOp tick);
/// The stage of each of them: the length of the chain of draws before it that decide the
/// probability of the next. Draws of stage 0 depend on no other.
SmallVector<unsigned> findStages(TickOp tick);

/// A number with known bits that orders candidates as their scores do, perhaps in reverse.
struct ScoreOrder {
  Value number;
  bool isReversed = false;
};

/// Null if a score is neither fixed point nor a constant multiple of it.
ScoreOrder findScoreOrder(Value score, const BodyAnalysis &analysis);
/// Whether an operation only scales a number to a score, and the number orders candidates as well.
bool onlyScales(Operation &op, const BodyAnalysis &analysis);

/// The divisor, if it is a positive constant and the dividend is never negative.
std::optional<uint64_t> divisorOf(Operation &op, const BodyAnalysis &analysis);

} // namespace mlir::lci::bitslice

#endif // LCI_LIB_TRANSFORMS_LAYOUT_BITSLICE_BODYANALYSIS_H

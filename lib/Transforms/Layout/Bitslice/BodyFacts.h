//===- BodyFacts.h - What is known of a body before it is sliced --*- C++ -*===//
//
// Which values are the same in all cells of a row, how many words hold each of the others, and what
// stands against computing it on words.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_TRANSFORMS_LAYOUT_BITSLICE_BODYFACTS_H
#define LCI_LIB_TRANSFORMS_LAYOUT_BITSLICE_BODYFACTS_H

#include "Circuits.h"
#include "LCI/Dialect/LCIOps.h"
#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"

namespace mlir::lci::bitslice {

/// Lets the solver find the range of every integer, those of winners among them.
LogicalResult analyzeBodies(DataFlowSolver &solver, Operation *op);

/// An integer of so many words times a power of two; no words if nothing is known.
struct FixedPoint {
  Width width;
  int exponent = 0;
};

class BodyFacts {
public:
  /// Why the body cannot be sliced, if it cannot.
  static std::optional<std::string> findObstacle(TickOp tick, DataFlowSolver &solver);

  BodyFacts(TickOp tick, DataFlowSolver &solver);

  /// Whether a value is the same in all cells of a row.
  bool isUniform(Value value) const { return !varying.contains(value); }
  /// How far the tick's box extends on an axis at most, if that is known.
  std::optional<int64_t> getMaxExtent(unsigned axis) const { return extents[axis]; }
  /// The words that hold every number the value can be. A float is one if it is known to be a small
  /// integer times a power of two, as counts and halves of counts are; others have no words.
  Width widthOf(Value value) const { return widths.lookup(value); }
  /// The exponent of that power; of integers zero.
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

/// The largest that an extent of a box can be, if that is known.
std::optional<int64_t> findMaxExtent(OpFoldResult extent, DataFlowSolver &solver);

/// The stream of a threshold draw, null for other operations; and its number, if it has one.
StreamAttr streamOf(Operation *op);
Value numberOf(Operation *draw);
/// The threshold draws of a tick, in their order.
SmallVector<Operation *> findDraws(TickOp tick);
/// Of each of them how many draws, each of which decides how likely the next one is, stand before
/// it: those of stage 0 depend on no other.
SmallVector<unsigned> findStages(TickOp tick);

/// What orders candidates as their scores do: numbers with words, which may be in reverse order.
struct ScoreOrder {
  Value number;
  bool isReversed = false;
};

/// Null if a score is neither fixed point nor that times a constant.
ScoreOrder findScoreOrder(Value score, const BodyFacts &facts);
/// Whether an operation only makes scores of what orders them as well.
bool onlyScales(Operation &op, const BodyFacts &facts);

/// What a division is by, if that is a positive constant and nothing divided is negative.
std::optional<uint64_t> divisorOf(Operation &op, const BodyFacts &facts);

} // namespace mlir::lci::bitslice

#endif // LCI_LIB_TRANSFORMS_LAYOUT_BITSLICE_BODYFACTS_H

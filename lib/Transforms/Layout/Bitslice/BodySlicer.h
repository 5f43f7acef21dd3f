//===- BodySlicer.h - Circuit of a tick's body for 64 cells -----*- C++ -*-===//
//
// Reads the body for one cell and builds the circuit for a word of cells.
// Values that are uniform in a row stay scalars; all others become planes, as
// wide as their ranges.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_TRANSFORMS_LAYOUT_BITSLICE_BODYSLICER_H
#define LCI_LIB_TRANSFORMS_LAYOUT_BITSLICE_BODYSLICER_H

#include "BodyAnalysis.h"
#include "DrawPlanes.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::lci::bitslice {

/// Callbacks that depend on the operation in which a body is built.
struct BodyContext {
  /// The planes of a load.
  llvm::function_ref<Planes(LoadOp)> load;
  /// The planes of the index on the last axis.
  llvm::function_ref<Planes(Width)> lastIndex;
  /// The word of a draw, set where it is below a threshold; `number` is null if it has none.
  llvm::function_ref<Value(StreamAttr, Value number, const Threshold &)> draw;
  /// The masks of a draw's threshold.
  llvm::function_ref<Masks(Operation *)> masks;
  /// Whether the machine has bitwise operations with three operands.
  bool hasTernaryLogic;
};

/// Marks a loop over strips of a tick's rows.
inline constexpr llvm::StringLiteral kStrips = "lci.strips";

class BodySlicer {
public:
  BodySlicer(TickOp tick, const BodyAnalysis &analysis, OpBuilder &builder, IRMapping &scalars,
             BodyContext context)
      : tick(tick), analysis(analysis), builder(builder), circuits(builder, tick.getLoc()),
        scalars(scalars), context(context) {}

  /// Builds the circuit of all operations before the install, whose operands can be queried then.
  void slice();
  Planes planesOf(Value value);
  Value wordOf(Value truth) { return circuits.bitOf(planesOf(truth), 0); }
  Circuits &getCircuits() { return circuits; }

private:
  void slice(Block &block);
  void slice(Operation &op);
  void copyScalar(Operation &op);
  Planes planesOfScalar(Value value, Width width);
  Planes build(Operation &op);
  Planes alignedTo(Value result, Value operand);
  Planes buildSumOfFloats(Operation &op);
  Planes buildSum(Operation &op);
  void collect(Value value, bool isNegative, bool isRoot,
               SmallVectorImpl<std::pair<Value, Addend>> &addends, uint64_t &constant);
  SmallVector<Addend> sumRows(ArrayRef<std::pair<Value, Addend>> addends);
  Planes buildComparison(arith::CmpIOp op);
  Planes buildExtremum(Operation &op);
  Planes buildShift(Operation &op);
  Planes buildDraw(Operation &op);
  Threshold thresholdOf(Operation &draw);

  // Agreements (SliceAgreement.cpp).
  void sliceAgreement(AgreeOp agree);
  void sliceCandidate(AgreeOp agree, int64_t token, bool isFirst);
  Planes rankOf(CandidateOp candidate);

  TickOp tick;
  const BodyAnalysis &analysis;
  OpBuilder &builder;
  Circuits circuits;
  IRMapping &scalars;
  BodyContext context;
  llvm::DenseMap<Value, Planes> planes;
};

} // namespace mlir::lci::bitslice

#endif // LCI_LIB_TRANSFORMS_LAYOUT_BITSLICE_BODYSLICER_H

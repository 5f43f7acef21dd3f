//===- Ranges.h - Ranges of integers in bodies ------------------*- C++ -*-===//
//
// Integers of the language are mathematical. Their bounds follow from tokens, indices, sizes and
// parameters through upstream's inference of ranges, done in 128 bits, so that overflow of 64 bits
// is seen instead of wrapping. A read has the range of present contents: values computed from an
// absent cell are never used.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_ANALYSIS_RANGES_H
#define LCI_ANALYSIS_RANGES_H

#include "LCI/Dialect/LCIOps.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include <memory>

namespace mlir::lci {

/// The bounds of every integer and boolean in a declaration's bodies.
class RangeAnalysis {
public:
  /// Integers and indices are kept in this many bits, booleans in one.
  static constexpr unsigned kWidth = 128;

  explicit RangeAnalysis(Operation *declaration);

  ConstantIntRanges getRange(Value value) const;
  /// Operations whose result may leave 64 bits, and divisions whose divisor may be zero.
  ArrayRef<Operation *> getOverflows() const { return overflows; }
  ArrayRef<Operation *> getZeroDivisions() const { return zeroDivisions; }
  /// The range of an operation's result before it was cut to 64 bits.
  ConstantIntRanges getExactRange(Operation *op) const { return exact.at(op); }

  static ConstantIntRanges makeRange(int64_t first, int64_t last);
  /// Whether every number of the range is from `first` to `last`.
  static bool isWithin(const ConstantIntRanges &range, int64_t first, int64_t last);
  /// Whether none is.
  static bool isOutside(const ConstantIntRanges &range, int64_t first, int64_t last);

private:
  /// The ranges of computed parameters, found once.
  using Params = DenseMap<Operation *, ConstantIntRanges>;
  RangeAnalysis(Operation *declaration, std::shared_ptr<Params> known);
  void visit(Operation *op);
  void setIndices(Operation *op);
  ConstantIntRanges infer(Operation *op, Value result);
  ConstantIntRanges inferRead(ReadOp read);
  ConstantIntRanges inferParam(ParamOp param);
  ConstantIntRanges inferReduction(ReduceOp reduce);
  ConstantIntRanges inferDivision(Operation *op);
  ConstantIntRanges inferPower(PowerOp power);
  ConstantIntRanges inferBits(Operation *op);
  ConstantIntRanges inferAnswer(EvaluateOp evaluate, Value result);
  ConstantIntRanges inferDraw(RandIntOp draw);
  ConstantIntRanges inferExtension(arith::ExtUIOp extend);
  ConstantIntRanges inferIndexCast(arith::IndexCastOp cast);
  ConstantIntRanges inferUpstream(Operation *op, Value result);
  void set(Value value, const ConstantIntRanges &range);

  ProgramOp program;
  std::shared_ptr<Params> known;
  DenseMap<Value, ConstantIntRanges> ranges;
  DenseMap<Operation *, ConstantIntRanges> exact;
  SmallVector<Operation *> overflows, zeroDivisions;
};

} // namespace mlir::lci

#endif // LCI_ANALYSIS_RANGES_H

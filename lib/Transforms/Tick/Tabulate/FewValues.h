//===- FewValues.h - Values that few integers determine ---------*- C++ -*-===//
//
// Traces the values of a tick's body back to the integers that determine them.
// An expression of few combinations of values may be tabulated, whatever it
// costs to compute.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_TRANSFORMS_TICK_TABULATE_FEWVALUES_H
#define LCI_LIB_TRANSFORMS_TICK_TABULATE_FEWVALUES_H

#include "LCI/Dialect/LCIOps.h"
#include "mlir/Analysis/DataFlowFramework.h"

namespace mlir::lci {

/// An integer that varies between cells, and takes one of `count` values from `low` on.
struct FewInteger {
  Value value;
  int64_t low = 0, count = 1;
};

/// The varying integers that determine a value.
using Deciders = SmallVector<FewInteger, 2>;

/// The number of their combinations of values.
int64_t countValues(ArrayRef<FewInteger> deciders);

class FewValues {
public:
  /// Expressions with more than `maxValues` combinations are not traced.
  FewValues(TickOp tick, DataFlowSolver &solver, int64_t maxValues)
      : tick(tick), solver(solver), maxValues(maxValues) {}

  /// The deciders of an expression's operands. Nothing if the operation is no expression, or has
  /// too many combinations.
  std::optional<Deciders> findBehind(Operation *op);

  /// Whether the result of an operation depends on its operands alone, wherever it is computed.
  static bool isExpression(Operation *op);

private:
  std::optional<Deciders> find(Value value);
  std::optional<FewInteger> asInteger(Value value);
  bool isSameForAllCells(Value value);
  std::optional<Deciders> collectBehind(Operation *op);
  void shrink(Deciders &all);
  void dropDecided(Deciders &all);

  TickOp tick;
  DataFlowSolver &solver;
  int64_t maxValues;
  llvm::DenseMap<Value, std::optional<Deciders>> known;
  llvm::DenseMap<Operation *, std::optional<Deciders>> knownBehind;
};

} // namespace mlir::lci

#endif // LCI_LIB_TRANSFORMS_TICK_TABULATE_FEWVALUES_H

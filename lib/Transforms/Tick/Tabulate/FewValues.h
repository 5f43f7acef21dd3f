//===- FewValues.h - What few integers decide in a tick's body --*- C++ -*-===//
//
// Follows the values of a tick's body back to the integers that decide them. Where these take few
// values, so does what follows from them, whatever it costs to compute: it may stand in a table.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_TRANSFORMS_TICK_TABULATE_FEWVALUES_H
#define LCI_LIB_TRANSFORMS_TICK_TABULATE_FEWVALUES_H

#include "LCI/Dialect/LCIOps.h"
#include "mlir/Analysis/DataFlowFramework.h"

namespace mlir::lci {

/// An integer that differs between cells, with the `count` values from `low` on that it may take.
struct FewInteger {
  Value value;
  int64_t low = 0, count = 1;
};

/// The integers that decide a value, and nothing else does that differs between cells.
using Deciders = SmallVector<FewInteger, 2>;

/// How many values they take together.
int64_t countValues(ArrayRef<FewInteger> deciders);

class FewValues {
public:
  /// What is decided by more than `maxValues` values is not followed.
  FewValues(TickOp tick, DataFlowSolver &solver, int64_t maxValues)
      : tick(tick), solver(solver), maxValues(maxValues) {}

  /// What decides the result of an expression, by its operands. Nothing if it is no expression, or
  /// too much decides it.
  std::optional<Deciders> findBehind(Operation *op);

  /// Whether the result of an operation follows from its operands alone, wherever it is computed.
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

//===- TableBuilder.h - The table of an expression --------------*- C++ -*-===//
//
// Where a table is built, of what, and how its entries are found again in the body.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_TRANSFORMS_TICK_TABULATE_TABLEBUILDER_H
#define LCI_LIB_TRANSFORMS_TICK_TABULATE_TABLEBUILDER_H

#include "FewValues.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::lci {

/// An expression of a tick's body, and what decides it.
struct Expression {
  Expression(Operation *root, Deciders deciders);

  Operation *root() const { return ops.back(); }
  Value result() const { return root()->getResult(0); }
  /// Whether it is the same for all cells, and needs no table.
  bool isScalar() const { return deciders.empty(); }

  Deciders deciders;
  SmallVector<Operation *> ops; ///< operands before their users, the root last
  int64_t saved = 0;            ///< how much less a look-up costs
};

class TableBuilder {
public:
  TableBuilder(TickOp tick, DataFlowSolver &solver, Expression expression);

  const Expression &getExpression() const { return expression; }
  int64_t countEntries() const { return countValues(expression.deciders); }

  /// Whether its entries are known now.
  bool isConstant() const { return !entries.empty(); }

  /// How many cells are computed each time that the table is.
  int64_t countCells() const;

  /// Builds the table and replaces the root's uses by look-ups; the operations stay where they are.
  void replaceRoot();

private:
  void chooseStorage(DataFlowSolver &solver);
  void chooseHome();
  void evaluateAll();
  Attribute evaluate(int64_t entry);
  Value getOutside(BlockArgument argument);
  Value copyOps(OpBuilder &b, IRMapping &mapping);
  Value toStored(OpBuilder &b, Value value);
  Value fromStored(OpBuilder &b, Value entry);
  Value buildTable(OpBuilder &b);
  Value buildLookUp(OpBuilder &b, Value table);
  Value addInput(Value outside);

  TickOp tick;
  Expression expression;
  Location loc;
  Type stored;                    ///< of an entry,
  bool isSigned = true;           ///< and how it becomes the root's type again
  Block *home = nullptr;          ///< where the table is built:
  Operation *behind = nullptr;    ///< after this operation, or at the start
  SmallVector<Attribute> entries; ///< where they are known
};

} // namespace mlir::lci

#endif // LCI_LIB_TRANSFORMS_TICK_TABULATE_TABLEBUILDER_H

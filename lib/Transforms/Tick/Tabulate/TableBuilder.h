//===- TableBuilder.h - Build the table of an expression --------*- C++ -*-===//
//
// Chooses where a table is built, computes its entries, and replaces the
// expression by a look-up.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_TRANSFORMS_TICK_TABULATE_TABLEBUILDER_H
#define LCI_LIB_TRANSFORMS_TICK_TABULATE_TABLEBUILDER_H

#include "FewValues.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::lci {

/// An expression of a tick's body, and its deciders.
struct Expression {
  Expression(Operation *root, Deciders deciders);

  Operation *root() const { return ops.back(); }
  Value result() const { return root()->getResult(0); }
  /// Whether it is equal for all cells, and needs no table.
  bool isScalar() const { return deciders.empty(); }

  Deciders deciders;
  SmallVector<Operation *> ops; ///< operands before their users, the root last
  int64_t saved = 0;            ///< saving of a look-up
};

class TableBuilder {
public:
  TableBuilder(TickOp tick, DataFlowSolver &solver, Expression expression);

  const Expression &getExpression() const { return expression; }
  int64_t countEntries() const { return countValues(expression.deciders); }

  /// Whether all entries are constants.
  bool isConstant() const { return !entries.empty(); }

  /// The number of cells computed per computation of the table.
  int64_t countCells() const;

  /// Builds the table and replaces the root's uses by look-ups; the operations remain in place.
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
  Type stored;                    ///< type of an entry
  bool isSigned = true;           ///< whether it is sign-extended to the root's type
  Block *home = nullptr;          ///< block in which the table is built
  Operation *behind = nullptr;    ///< after this operation, or at the start
  SmallVector<Attribute> entries; ///< if they are constants
};

} // namespace mlir::lci

#endif // LCI_LIB_TRANSFORMS_TICK_TABULATE_TABLEBUILDER_H

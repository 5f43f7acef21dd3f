//===- SettledCells.h - Skip the work of settled cells ----------*- C++ -*-===//
//
// The body of a tick may mark a cell as settled (`lci.install … unless`). How that saves work
// depends on the condition: a switch that is the same for all cells, or a test of each cell,
// before a body that is worth a branch or one that is not.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_DIALECT_SETTLEDCELLS_H
#define LCI_DIALECT_SETTLEDCELLS_H

#include "LCI/Dialect/LCIOps.h"

namespace mlir::lci {

/// Whether a body loops or calls a function, so that skipping it is worth a branch for each cell.
bool isHeavy(TickOp tick);

/// An input, the same for all cells, that settles every cell where it has a value: a lock's enable
/// bit where it is on, the enable bit of a tick's only rule where it is off.
struct SettlingSwitch {
  unsigned input;
  bool settles;
};
std::optional<SettlingSwitch> findSettlingSwitch(TickOp tick);

/// Whether no switch alone decides which cells are settled.
bool testsEachCell(TickOp tick);

/// Specializes the body of a tick to a switch that settles nothing.
void assumeOpen(TickOp tick, SettlingSwitch by);

/// One side of a box of cells, known when the tick runs: it begins or ends `move` behind an input
/// (the end is the first cell behind the box).
struct BoxSide {
  unsigned axis;
  bool isEnd;
  unsigned input; // an i64
  int64_t move;
  Value test;
};

/// A box of cells for which the body tests each cell, and which is settled by these tests and by
/// inputs alone.
struct SettlingBox {
  SmallVector<BoxSide> sides;
  /// The booleans of the body that hold inside only.
  SmallVector<Value> claims;
};

/// The first such box, in the order of the body.
std::optional<SettlingBox> findSettlingBox(TickOp tick);

/// Specializes the body of a tick to the cells inside of its first box, or to those outside.
void assumeInside(TickOp tick);
void assumeOutside(TickOp tick);

/// Folds the settled cells into the body's condition and tallies: all cells are computed.
void foldSettled(TickOp tick);

/// Makes the cells outside of the tick's set settled ones, and drops the set.
void foldCells(TickOp tick);

/// Moves the computation that only unsettled cells need into a branch.
void branchOnSettled(TickOp tick);

} // namespace mlir::lci

#endif // LCI_DIALECT_SETTLEDCELLS_H

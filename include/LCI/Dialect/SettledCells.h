//===- SettledCells.h - What is not computed where nothing can change --*- C++ -*===//
//
// The body of a tick may say that a cell is settled (`lci.install … unless`). How that saves work
// depends on what decides it: a switch that is the same for all cells, or something of each cell,
// before a body that is worth a branch or one that is not.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_DIALECT_SETTLEDCELLS_H
#define LCI_DIALECT_SETTLEDCELLS_H

#include "LCI/Dialect/LCIOps.h"

namespace mlir::lci {

/// Whether a body loops or calls a function, so that skipping it is worth a branch for each cell.
bool isHeavy(TickOp tick);

/// An input, the same for all cells, that settles every cell where it has a value: a lock's switch
/// where it is on, the switch of a tick's only rule where it is off.
struct SettlingSwitch {
  unsigned input;
  bool settles;
};
std::optional<SettlingSwitch> findSettlingSwitch(TickOp tick);

/// Whether no switch alone decides which cells a body says are settled.
bool asksEachCell(TickOp tick);

/// What is left of a tick where a switch settles nothing. The tick's body is rewritten.
void assumeOpen(TickOp tick, SettlingSwitch by);

/// One side of a box of cells, known when the tick runs: it begins or ends `move` behind what an
/// input holds (the end is the first cell behind the box).
struct BoxSide {
  unsigned axis;
  bool isEnd;
  unsigned input; // an i64
  int64_t move;
  Value test;
};

/// A box of cells of which the body asks, cell by cell, whether they are inside, and which is
/// settled by that and by inputs alone.
struct SettlingBox {
  SmallVector<BoxSide> sides;
  /// The truth values of the body that hold inside only.
  SmallVector<Value> claims;
};

/// The first such box, in the order of the body.
std::optional<SettlingBox> findSettlingBox(TickOp tick);

/// What is left of a tick for the cells inside of its first box, or for those outside. The tick's
/// body is rewritten.
void assumeInside(TickOp tick);
void assumeOutside(TickOp tick);

/// Turns what the body says of settled cells into its condition and its tallies: all is computed.
void foldSettled(TickOp tick);

/// Computes what only the other cells need in a branch of its own.
void branchOnSettled(TickOp tick);

} // namespace mlir::lci

#endif // LCI_DIALECT_SETTLEDCELLS_H

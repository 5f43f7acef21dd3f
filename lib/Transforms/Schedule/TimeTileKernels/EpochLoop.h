//===- EpochLoop.h - Match epoch loops of one stencil operation -*- C++ -*-===//
//
// The result of matching a loop over epochs for TimeTileKernels: its tick and
// its halo, and the radius of its stencil, which determines the ghosts of a
// tile.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_TRANSFORMS_SCHEDULE_TIMETILEKERNELS_EPOCHLOOP_H
#define LCI_LIB_TRANSFORMS_SCHEDULE_TIMETILEKERNELS_EPOCHLOOP_H

#include "LCI/Dialect/LCIOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::lci {

/// The indices of an element of a buffer with two axes.
using Place = std::array<int64_t, 2>;

/// A box of a buffer's cells.
struct Box {
  Place first, sides;
};

/// A loop over epochs with ping-pong buffers, in which one tick computes all cells of a torus by a
/// stencil.
struct EpochLoop {
  scf::ForOp loop;
  Value enabled; ///< null if the tick is unconditional
  TickOp tick;
  RefreshHaloOp halo;                          ///< null if only the cell itself is read
  Box cells;                                   ///< in each buffer
  SmallVector<std::pair<LoadOp, Place>> reads; ///< and their distances from the computed cell
  int64_t rowReach = 0;                        ///< radius of the stencil in rows
  /// Radius of the stencil in columns, in units of which an element has `parts`.
  int64_t columnReach = 0, parts = 1;

  Value from() { return loop.getRegionIterArg(0); }
  Value to() { return loop.getRegionIterArg(1); }
  MemRefType type() { return cast<MemRefType>(loop.getInits().front().getType()); }
  /// Radius in elements of a row after some epochs.
  int64_t columnsAfter(int64_t epochs) const {
    return llvm::divideCeil(epochs * columnReach, parts);
  }
};

/// Matches a loop; nothing if several of its iterations must not be one launch.
std::optional<EpochLoop> findEpochLoop(scf::ForOp loop);

} // namespace mlir::lci

#endif // LCI_LIB_TRANSFORMS_SCHEDULE_TIMETILEKERNELS_EPOCHLOOP_H

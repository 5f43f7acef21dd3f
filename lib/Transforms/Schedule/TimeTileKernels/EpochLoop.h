//===- EpochLoop.h - Loops over epochs of one operation ---------*- C++ -*-===//

#ifndef LCI_LIB_TRANSFORMS_SCHEDULE_BLOCKEPOCHS_EPOCHLOOP_H
#define LCI_LIB_TRANSFORMS_SCHEDULE_BLOCKEPOCHS_EPOCHLOOP_H

#include "TorusHalo.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::lci {

/// A loop over epochs whose two buffers change places, and in which one operation computes all
/// cells of a torus from cells near them.
struct EpochLoop {
  scf::ForOp loop;
  Value enabled; ///< null if the operation is always there
  linalg::GenericOp nest;
  SmallVector<Operation *> halos; ///< that make the torus of what was computed
  SmallVector<memref::AtomicRMWOp> counts;
  Box cells;                   ///< in each buffer
  SmallVector<Place> distance; ///< of each input, from the cell that is computed
  int64_t rowReach = 0;        ///< rows beyond a cell on which it depends
  /// Columns beyond a cell on which it depends, in parts of which an element has `parts`.
  int64_t columnReach = 0, parts = 1;

  Value from() { return loop.getRegionIterArg(0); }
  Value to() { return loop.getRegionIterArg(1); }
  MemRefType type() { return cast<MemRefType>(loop.getInits().front().getType()); }
  /// Elements beyond a cell, in its row, on which it depends after some epochs.
  int64_t columnsAfter(int64_t epochs) const {
    return llvm::divideCeil(epochs * columnReach, parts);
  }
};

/// The loop as one of epochs; nothing if several of its turns might not be one.
std::optional<EpochLoop> findEpochLoop(scf::ForOp loop);

} // namespace mlir::lci

#endif // LCI_LIB_TRANSFORMS_SCHEDULE_BLOCKEPOCHS_EPOCHLOOP_H

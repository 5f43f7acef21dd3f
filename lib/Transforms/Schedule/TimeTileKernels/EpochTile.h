//===- EpochTile.h - Emit kernels of several epochs -------------*- C++ -*-===//
//
// Emits the GPU kernel of time tiling: blocks load tiles with borders (ghosts)
// into registers and workgroup memory, compute several epochs and store the
// inner cells.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_TRANSFORMS_SCHEDULE_TIMETILEKERNELS_EPOCHTILE_H
#define LCI_LIB_TRANSFORMS_SCHEDULE_TIMETILEKERNELS_EPOCHTILE_H

#include "EpochLoop.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/IRMapping.h"
#include <map>

namespace mlir::lci {

/// The tile of a block. Cells at its sides (ghosts) are computed redundantly for the inner ones. A
/// thread has some rows of one column.
struct TileShape {
  int64_t epochs = 1;
  int64_t rows = 1;                        ///< of a thread
  int64_t columns = 1, threads = 1;        ///< threads of a block, in x and in y
  int64_t ghostRows = 0, ghostColumns = 0; ///< at each side

  int64_t allRows() const { return threads * rows; }
  int64_t innerRows() const { return allRows() - 2 * ghostRows; }
  int64_t innerColumns() const { return columns - 2 * ghostColumns; }
};

/// Emits the kernel of a tile: a launch that computes several epochs from one buffer into the
/// other.
class EpochTile {
public:
  EpochTile(EpochLoop &epochs, TileShape shape)
      : epochs(epochs), shape(shape), loc(epochs.tick.getLoc()) {}

  /// `first` is the first epoch of the launch.
  void emitLaunch(OpBuilder &builder, Value from, Value to, Value first);

private:
  Value index(int64_t value);
  Value add(Value left, Value right);
  Value isLess(Value left, Value right);
  bool hasWholeGroups() const { return epochs.cells.sides[0] % shape.rows == 0; }
  Value wrap(Value place, int64_t back, unsigned axis);
  void findPlaces(gpu::LaunchOp launch);
  SmallVector<Value> loadCells(Value from);
  scf::ForOp emitEpochs(Value first, Value tile, ValueRange cells);
  Value neighbour(Value tile, ValueRange registers, Place distance);
  SmallVector<Value> computeRow(int64_t row, ValueRange registers, Value tile, Value epoch);
  Value copyFrom(Value value, IRMapping &mapping);
  void mapArguments(int64_t row, Value epoch, IRMapping &mapping);
  Value countOf(int64_t row, Value tally);
  void storeResults(Value to, ValueRange results);

  EpochLoop &epochs;
  TileShape shape;
  Location loc;
  OpBuilder *b = nullptr;
  Value threadX, threadRow;     ///< in the tile
  Value columnOf;               ///< of the torus
  SmallVector<Value> rowsOf;    ///< of the torus
  Value inside;                 ///< whether the thread's cells are not ghosts
  SmallVector<Value> rowInside; ///< the same of each of its rows; empty if all are
  std::map<Place, Value> loaded;
};

} // namespace mlir::lci

#endif // LCI_LIB_TRANSFORMS_SCHEDULE_TIMETILEKERNELS_EPOCHTILE_H

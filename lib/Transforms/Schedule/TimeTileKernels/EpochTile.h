//===- EpochTile.h - Kernels of several epochs ------------------*- C++ -*-===//

#ifndef LCI_LIB_TRANSFORMS_SCHEDULE_BLOCKEPOCHS_EPOCHTILE_H
#define LCI_LIB_TRANSFORMS_SCHEDULE_BLOCKEPOCHS_EPOCHTILE_H

#include "EpochLoop.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/IRMapping.h"
#include <map>

namespace mlir::lci {

/// What a block computes: a tile of elements, of which those at its sides are there for the others.
/// A thread has some rows of one column.
struct TileShape {
  int64_t epochs = 1;
  int64_t rows = 1;                 ///< of a thread
  int64_t columns = 1, threads = 1; ///< threads of a block, side by side and one below the other
  int64_t ghostRows = 0, ghostColumns = 0; ///< at each side

  int64_t allRows() const { return threads * rows; }
  int64_t innerRows() const { return allRows() - 2 * ghostRows; }
  int64_t innerColumns() const { return columns - 2 * ghostColumns; }
};

/// Writes the kernel of a tile: a launch that computes several epochs from one buffer into the
/// other.
class EpochTile {
public:
  EpochTile(EpochLoop &epochs, TileShape shape)
      : epochs(epochs), shape(shape), loc(epochs.nest.getLoc()) {}

  /// `first` is the epoch of the first of its turns.
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
  Value neighbour(Value tile, ValueRange own, Place distance);
  SmallVector<Value> computeRow(int64_t row, ValueRange own, Value tile, Value epoch);
  Value copyFrom(Value value, IRMapping &mapping);
  void storeResults(Value to, ValueRange results);

  EpochLoop &epochs;
  TileShape shape;
  Location loc;
  OpBuilder *b = nullptr;
  Value threadX, threadRow;     ///< in the tile
  Value columnOf;               ///< of the torus
  SmallVector<Value> rowsOf;    ///< of the torus
  Value inside;                 ///< whether what the thread has is not there for others alone
  SmallVector<Value> rowInside; ///< of each of its rows then; empty if all are
  std::map<Place, Value> loaded;
};

} // namespace mlir::lci

#endif // LCI_LIB_TRANSFORMS_SCHEDULE_BLOCKEPOCHS_EPOCHTILE_H

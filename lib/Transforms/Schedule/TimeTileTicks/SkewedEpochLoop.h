//===- SkewedEpochLoop.h - Epoch loops as skewed stages ----------*- C++ -*===//
//
// The analysis and the rewriting of time tiling on CPUs. A loop over epochs is
// a sequence of stages, which access rows; each stage gets a skew in rows, and
// all run in one tile that moves over the rows.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_TRANSFORMS_SCHEDULE_TIMETILETICKS_SKEWEDEPOCHLOOP_H
#define LCI_LIB_TRANSFORMS_SCHEDULE_TIMETILETICKS_SKEWEDEPOCHLOOP_H

#include "LCI/Transforms/Support/TickPartitioning.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace mlir::lci::timetile {

/// A stage accesses the row of an array that is `move` rows below the stage's row.
struct Access {
  Value array;
  int64_t move;
  bool isWrite;
};

/// A tick or a halo's refresh in one epoch of a ping-pong period, and its accesses.
struct Stage {
  Operation *op;
  unsigned epoch;
  /// Its rows: `count` of them from `first` on, `step` apart.
  int64_t first, count, step = 1;
  SmallVector<Access> accesses = {};
  /// The skew behind the first stage of the period, and the rows by which it begins below it.
  int64_t skew = 0, lead = 0;

  /// One past the last row.
  int64_t end() const { return first + (count - 1) * step + 1; }
};

/// The number of periods per group, of rows per tile, and of threads.
struct Blocking {
  int64_t periods, rows, parts = 1;
};

/// Thresholds of profitability: bytes of the arrays and the cache, threads and the least work of
/// each. With `minBytes` 0, every loop is profitable.
struct Worth {
  int64_t minBytes, cacheBytes, threads, grain;
};

/// A loop over epochs that contains ticks and refreshes of halos, possibly behind switches, and no
/// other effects. Epochs are grouped by the ping-pong period, after which each buffer is back in
/// its place.
class SkewedEpochLoop {
public:
  explicit SkewedEpochLoop(scf::ForOp loop) : loop(loop) {}

  /// The reason why phases cannot be fused, if there is one.
  std::optional<std::string> findObstacle();
  /// Chooses the tiling, if it is profitable, with at most that many epochs and rows.
  std::optional<Blocking> choose(const Worth &worth, int64_t maxEpochs, int64_t rows);
  void fuse(Blocking by);

private:
  struct Range {
    Value begin, end;
  };
  /// The rows at which a stage runs next.
  using Ranges = llvm::function_ref<SmallVector<Range>(const Stage &)>;

  // Stages (Skews.cpp).
  std::optional<std::string> findPeriod();
  std::optional<std::string> collect(Block &block, unsigned epoch);
  std::optional<std::string> collect(TickOp tick, unsigned epoch);
  std::optional<std::string> collect(RefreshHaloOp halo, unsigned epoch);
  std::optional<std::string> collectReads(TickOp tick, Stage &stage);
  std::optional<std::string> findTorusObstacle();
  Value bufferOf(Value value, unsigned epoch);
  void skewStages();
  int64_t countParts(const Worth &worth, Blocking by);
  std::pair<int64_t, int64_t> countBytes();
  bool isBoundByMemory();
  int64_t countPeriodsAroundTorus();

  // Loops (RowTiles.cpp).
  Value index(OpBuilder &builder, int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc(), value);
  }
  Location loc() { return loop.getLoc(); }
  scf::ForOp emitGroups(OpBuilder &builder, int64_t epochs);
  void emitPeriods(OpBuilder &builder, scf::ForOp groups, scf::ForOp tiles, Blocking by);
  void emitSeam(OpBuilder &builder, scf::ForOp groups, int64_t periods);
  void emitPeriod(OpBuilder &builder, scf::ForOp groups, Value period, const IRMapping &mapping,
                  Ranges ranges);
  void emitBlock(OpBuilder &builder, Block &block, unsigned epoch, IRMapping &mapping,
                 Ranges ranges);
  void emitRows(OpBuilder &builder, const Stage &stage, IRMapping mapping, Range rows);
  Value stepsUpTo(OpBuilder &builder, const Stage &stage, Value row);
  Value scaled(OpBuilder &builder, Value period, int64_t each, int64_t more);

  scf::ForOp loop;
  SmallVector<unsigned> permutation; ///< of each carried buffer: its index in the epoch before
  unsigned epochsOfPeriod = 1;
  SmallVector<Stage> stages;
  llvm::SmallPtrSet<Value, 4> written;
  int64_t skewOfPeriod = 0, leadOfPeriod = 0;
  /// The number of rows of the torus, where the last row is adjacent to the first.
  std::optional<int64_t> torus;
};

} // namespace mlir::lci::timetile

#endif // LCI_LIB_TRANSFORMS_SCHEDULE_TIMETILETICKS_SKEWEDEPOCHLOOP_H

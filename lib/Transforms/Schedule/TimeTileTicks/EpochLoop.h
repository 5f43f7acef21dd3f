//===- EpochLoop.h - A loop over epochs and its stages ----------*- C++ -*-===//

#ifndef LCI_LIB_TRANSFORMS_SCHEDULE_FUSEPHASES_EPOCHLOOP_H
#define LCI_LIB_TRANSFORMS_SCHEDULE_FUSEPHASES_EPOCHLOOP_H

#include "LCI/Transforms/Support/TickParts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace mlir::lci::fuse {

/// A stage touches the row of an array that is `move` rows below its own.
struct Access {
  Value array;
  int64_t move;
  bool isWrite;
};

/// A tick or a halo's refresh in one epoch of a turn, and what it touches.
struct Stage {
  Operation *op;
  unsigned epoch;
  /// Its rows: `count` of them from `first` on, `step` apart.
  int64_t first, count, step = 1;
  SmallVector<Access> accesses = {};
  /// How many rows it runs behind the first stage of its turn, and how many it begins below it.
  int64_t delay = 0, lead = 0;

  /// The first row behind the last one.
  int64_t end() const { return first + (count - 1) * step + 1; }
};

/// How many turns go over memory together, in windows of how many rows, and by how many threads.
struct Blocking {
  int64_t turns, rows, parts = 1;
};

/// What there must be to do: arrays of so many bytes, and so much for each of the threads. With 0
/// bytes everything is worth it.
struct Worth {
  int64_t smallest, cacheBytes, threads, grain;
};

/// A loop over epochs that holds ticks and refreshes of halos, perhaps behind switches, and nothing
/// else with effects. Its turns are as many epochs as buffers need to be back where they were.
class EpochLoop {
public:
  explicit EpochLoop(scf::ForOp loop) : loop(loop) {}

  /// Why phases cannot be fused, if they cannot.
  std::optional<std::string> findObstacle();
  /// How to fuse them, if memory is worth it: so many epochs and rows at most.
  std::optional<Blocking> choose(const Worth &worth, int64_t maxEpochs, int64_t rows);
  void fuse(Blocking by);

private:
  struct Range {
    Value begin, end;
  };
  /// The rows at which a stage runs next.
  using Ranges = llvm::function_ref<SmallVector<Range>(const Stage &)>;

  // Stages (Stages.cpp).
  std::optional<std::string> findTurns();
  std::optional<std::string> collect(Block &block, unsigned epoch);
  std::optional<std::string> collect(TickOp tick, unsigned epoch);
  std::optional<std::string> collect(RefreshHaloOp halo, unsigned epoch);
  std::optional<std::string> collectReads(TickOp tick, Stage &stage);
  std::optional<std::string> findTorusObstacle();
  Value bufferOf(Value value, unsigned epoch);
  void delayStages();
  int64_t countParts(const Worth &worth, Blocking by);
  std::pair<int64_t, int64_t> countBytes();
  bool isBoundByMemory();
  int64_t countTurnsAroundTorus();

  // Loops (Windows.cpp).
  Value index(OpBuilder &builder, int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc(), value);
  }
  Location loc() { return loop.getLoc(); }
  scf::ForOp emitGroups(OpBuilder &builder, int64_t epochs);
  void emitTurns(OpBuilder &builder, scf::ForOp groups, scf::ForOp windows, Blocking by);
  void emitSeam(OpBuilder &builder, scf::ForOp groups, int64_t turns);
  void emitTurn(OpBuilder &builder, scf::ForOp groups, Value turn, const IRMapping &mapping,
                Ranges ranges);
  void emitBlock(OpBuilder &builder, Block &block, unsigned epoch, IRMapping &mapping,
                 Ranges ranges);
  void emitRows(OpBuilder &builder, const Stage &stage, IRMapping mapping, Range rows);
  Value stepsUpTo(OpBuilder &builder, const Stage &stage, Value row);
  Value scaled(OpBuilder &builder, Value turn, int64_t each, int64_t more);

  scf::ForOp loop;
  SmallVector<unsigned> turned; ///< by buffer that the loop carries: which one it was before
  unsigned epochsOfTurn = 1;
  SmallVector<Stage> stages;
  llvm::SmallPtrSet<Value, 4> written;
  int64_t delayOfTurn = 0, leadOfTurn = 0;
  /// How many rows there are, where the last one is next to the first.
  std::optional<int64_t> torus;
};

} // namespace mlir::lci::fuse

#endif // LCI_LIB_TRANSFORMS_SCHEDULE_FUSEPHASES_EPOCHLOOP_H

//===- StateFlow.h - Arrays, halos and phases of a function -----*- C++ -*-===//
//
// In the tick form every tensor outside of ticks is a version of one array: of an argument that
// ticks and loops forward, or of one created in the function. This finds the arrays, the halo that
// the stencils on each need, and the ticks that make up one phase of an array.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_TRANSFORMS_BUFFERIZE_BUFFERIZESTATE_STATEFLOW_H
#define LCI_LIB_TRANSFORMS_BUFFERIZE_BUFFERIZESTATE_STATEFLOW_H

#include "LCI/Dialect/LCIOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace mlir::lci::bufferstate {

/// An array that becomes one buffer, or two.
struct ArrayInfo {
  /// The argument, or the tensor made in the function, that is its first version.
  Value first;
  RankedTensorType type;
  SmallVector<int64_t> low, high;
  /// Elements behind each row that keep rows from sharing cache sets (`spareRows`).
  int64_t spare = 0;
  SmallVector<Boundary> boundary;
  /// Created in the function and returned by it: its buffer is the caller's.
  bool isResult = false;
  /// The position among the function's results, if it is returned.
  std::optional<unsigned> resultNumber;
  /// Some phase of it reads what it overwrites.
  bool needsScratch = false;

  bool hasHalo() const;
  /// Whether halos must be refreshed after writes.
  bool hasLiveHalo() const;
  MemRefType storageType() const;
  /// Chooses `spare` for a cache that maps addresses at this distance to one set.
  void spareRows(int64_t aliasBytes);
};

/// Ticks of one array without a reader in between: each but the first has the one before as its
/// target. Ticks of other arrays may appear between them.
struct Chain {
  SmallVector<TickOp> ticks;
  /// Which buffers hold the array before and after, once the first is emitted.
  unsigned from = 0, to = 0;
  /// The boxes are disjoint and together hold every cell.
  bool coversAll = false;
  /// The phase must not write the buffer that it reads.
  bool needsScratch = false;
  /// No other phase writes the array.
  bool isOnly = false;

  Value snapshot() { return ticks.front().getTarget(); }
};

/// An arithmetic progression of indices.
struct Progression {
  int64_t first, count, step;
};

/// The box of a tick, axis by axis, if all of it is constant.
std::optional<SmallVector<Progression>> getConstantBox(TickOp tick);

/// Whether a load of a tick on tensors reads the halo or a shifted view rather than gathers.
bool readsWindow(LoadOp load, RankedTensorType source);

/// The arrays and phases of one function.
class StateFlow {
public:
  /// Emits an error that names the operation if some tensor cannot be followed.
  static FailureOr<StateFlow> compute(func::FuncOp function, int64_t aliasBytes);

  ArrayRef<ArrayInfo> arrays() const { return infos; }
  unsigned arrayOf(Value tensor) const { return owner.lookup(tensor); }
  Chain &chainOf(TickOp tick) { return chains[chainIndex.lookup(tick)]; }

private:
  LogicalResult follow(Block &block);
  LogicalResult followOp(Operation *op);
  LogicalResult followTick(TickOp tick);
  LogicalResult followChoice(KeepSurestOp choice);
  LogicalResult followLoop(scf::ForOp loop);
  LogicalResult followBranch(scf::IfOp branch);
  LogicalResult followReturn(func::ReturnOp op);
  LogicalResult addHalo(TickOp tick, LoadOp load, ArrayInfo &info);
  void addArray(Value first);
  void addChain(TickOp tick);
  LogicalResult sameArray(Operation *op, Value a, Value b);

  SmallVector<ArrayInfo> infos;
  llvm::DenseMap<Value, unsigned> owner;
  SmallVector<Chain> chains;
  llvm::DenseMap<Operation *, unsigned> chainIndex;
};

/// Decides whether a chain covers its target and whether it can be computed in place.
void analyzeChain(Chain &chain);

} // namespace mlir::lci::bufferstate

#endif // LCI_LIB_TRANSFORMS_BUFFERIZE_BUFFERIZESTATE_STATEFLOW_H

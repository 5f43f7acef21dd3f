//===- StateFlow.h - Which array a tensor is a version of -------*- C++ -*-===//
//
// In the tick form every tensor outside of ticks is a version of one array: of an argument that
// ticks and loops hand on, or of one made in the function. This finds the arrays, the halo that the
// windows on each need, and which ticks make up one phase of an array.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_TRANSFORMS_BUFFERIZE_MATERIALIZESTATE_STATEFLOW_H
#define LCI_LIB_TRANSFORMS_BUFFERIZE_MATERIALIZESTATE_STATEFLOW_H

#include "LCI/Dialect/LCIOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace mlir::lci::materialize {

/// An array that becomes one buffer, or two.
struct ArrayInfo {
  /// The argument, or the tensor made in the function, that is its first version.
  Value first;
  RankedTensorType type;
  SmallVector<int64_t> low, high;
  /// Elements behind each row that keep rows out of each other's way (`spareRows`).
  int64_t spare = 0;
  SmallVector<Boundary> boundary;
  /// Made in the function and returned by it: its buffer is the caller's.
  bool isResult = false;
  /// The position among the function's results, if it is returned.
  std::optional<unsigned> resultNumber;
  /// Some phase of it reads what it overwrites.
  bool needsScratch = false;

  bool hasHalo() const;
  /// Whether a halo must follow what is written.
  bool hasLiveHalo() const;
  MemRefType storageType() const;
  /// Chooses `spare`, if a cache takes addresses so many bytes apart to the same place.
  void spareRows(int64_t aliasBytes);
};

/// Ticks of one array that nobody reads between: each but the first has the one before as its
/// target. Ticks of other arrays may stand between them.
struct Chain {
  SmallVector<TickOp> ticks;
  /// Which buffers hold the array before and after, once the first is emitted.
  unsigned from = 0, to = 0;
  /// The boxes are disjoint and together hold every cell.
  bool coversAll = false;
  /// The phase must not write where it reads.
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

} // namespace mlir::lci::materialize

#endif // LCI_LIB_TRANSFORMS_BUFFERIZE_MATERIALIZESTATE_STATEFLOW_H

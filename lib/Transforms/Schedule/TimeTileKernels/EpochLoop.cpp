//===- EpochLoop.cpp - Match epoch loops of one stencil operation ---------===//
//
// Matches epoch loops of which several iterations may be one launch, because
// each computes all cells of a torus from the iteration before and does nothing
// else. Conditions:
//
// - the loop carries two ping-pong buffers, which do not alias;
// - in it one tick, perhaps behind a switch, writes all cells of the second
//   buffer from windows of the first one, and counts;
// - after it, the second buffer's halo is refreshed, and wraps where the tick
//   reads it; before the loop, so is that of the first one;
// - after the loop, no user depends on which buffer holds the result, but for
//   the copy of the result to the first buffer if it is not there.
//
//===----------------------------------------------------------------------===//

#include "EpochLoop.h"
#include "LCI/Dialect/ArgumentRoles.h"
#include "LCI/Dialect/LCIDialect.h"
#include "LCI/Dialect/TickWindows.h"
#include "LCI/Transforms/Support/BufferAliasAnalysis.h"
#include "LCI/Transforms/Support/OperationQueries.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::lci;

//===----------------------------------------------------------------------===//
// Radius of the stencil along a row
//===----------------------------------------------------------------------===//

namespace {
/// The dependences of a bit in a word whose bits are adjacent cells: the range of bits of the row,
/// relative to its position.
struct BitReach {
  int64_t low = 0, high = 0;
  bool isAny = false;     ///< whether it depends on any cell
  bool isBitByBit = true; ///< else bits of the word depend on each other
  int64_t most() const { return std::max<int64_t>({-low, high, 0}); }
};

/// Traces dependences on cells through a body.
class BitReaches {
public:
  explicit BitReaches(EpochLoop &epochs) : install(epochs.tick.getInstall()) {
    Type element = epochs.type().getElementType();
    bits = element.isInteger() ? element.getIntOrFloatBitWidth() : 0;
    for (auto [load, distance] : epochs.reads) {
      int64_t from = distance[1] * bits;
      reaches[load.getResult()] = {from, from, true, true};
    }
    for (Operation &op : install->getBlock()->without_terminator())
      if (op.getNumResults() == 1 && !isa<LoadOp>(op))
        reaches[op.getResult(0)] = find(op);
  }

  /// The radius, in bits, of the dependences of a cell and its counts; none if bits of a word
  /// depend on each other.
  std::optional<int64_t> find() {
    BitReach cell = reaches.lookup(install.getToken());
    if (bits == 0 || !cell.isBitByBit)
      return std::nullopt;
    int64_t most = cell.most();
    for (Value tally : install.getTallies())
      most = std::max(most, reaches.lookup(tally).most());
    return most;
  }

private:
  BitReach find(Operation &op) {
    BitReach reach;
    for (Value operand : op.getOperands()) {
      BitReach its = reaches.lookup(operand);
      if (!its.isAny)
        continue;
      reach.low = reach.isAny ? std::min(reach.low, its.low) : its.low;
      reach.high = reach.isAny ? std::max(reach.high, its.high) : its.high;
      reach.isAny = true;
      reach.isBitByBit &= its.isBitByBit;
    }
    if (!reach.isAny || isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op))
      return reach;
    if (isa<arith::ShLIOp, arith::ShRUIOp>(op))
      if (std::optional<int64_t> by = getConstantIntValue(op.getOperand(1))) {
        int64_t distance = isa<arith::ShLIOp>(op) ? -*by : *by;
        reach.low += distance;
        reach.high += distance;
        return reach;
      }
    reach.isBitByBit = false;
    return reach;
  }

  InstallOp install;
  int64_t bits;
  llvm::DenseMap<Value, BitReach> reaches;
};
} // namespace

static void findReaches(EpochLoop &epochs) {
  for (auto [load, distance] : epochs.reads) {
    epochs.rowReach = std::max(epochs.rowReach, std::abs(distance[0]));
    epochs.columnReach = std::max(epochs.columnReach, std::abs(distance[1]));
  }
  if (std::optional<int64_t> bits = BitReaches(epochs).find()) {
    epochs.columnReach = *bits;
    epochs.parts = epochs.type().getElementTypeBitWidth();
  }
}

//===----------------------------------------------------------------------===//
// Structure of the loop
//===----------------------------------------------------------------------===//

/// The only operation of a block that is not pure; null if there are others.
static Operation *findOnly(Block &block) {
  Operation *only = nullptr;
  for (Operation &op : block.without_terminator())
    if (!isPlain(&op)) {
      if (only)
        return nullptr;
      only = &op;
    }
  return only;
}

/// Whether a loop carries two buffers of one static type as ping-pong buffers.
static bool carriesTwoBuffers(scf::ForOp loop) {
  if (loop.getNumResults() != 2 || getConstantIntValue(loop.getStep()) != 1 ||
      !loop.getInductionVar().getType().isInteger(64) || loop.getUnsignedCmp())
    return false;
  auto type = dyn_cast<MemRefType>(loop.getInits()[0].getType());
  return type && type == loop.getInits()[1].getType() && type.hasStaticShape() &&
         type.getRank() == 2 && type.getLayout().isIdentity() && !type.getMemorySpace() &&
         type.getElementType().isIntOrFloat() &&
         loop.getYieldedValues()[0] == loop.getRegionIterArg(1) &&
         loop.getYieldedValues()[1] == loop.getRegionIterArg(0) &&
         areDisjoint(loop.getRegionIterArg(0), loop.getRegionIterArg(1));
}

/// Decomposes the body: a tick, perhaps behind a switch that is known on the host, and the refresh
/// of a halo after it.
static bool findParts(EpochLoop &epochs) {
  for (Operation &op : epochs.loop.getBody()->without_terminator()) {
    if (isPlain(&op))
      continue;
    if (epochs.tick) {
      if (epochs.halo || !isa<RefreshHaloOp>(op))
        return false;
      epochs.halo = cast<RefreshHaloOp>(op);
      continue;
    }
    Operation *only = &op;
    if (auto choice = dyn_cast<scf::IfOp>(op)) {
      epochs.enabled = choice.getCondition();
      auto argument = dyn_cast<BlockArgument>(epochs.enabled);
      if (choice.elseBlock() || choice.getNumResults() > 0 || !argument ||
          !isa<func::FuncOp>(argument.getOwner()->getParentOp()))
        return false;
      only = findOnly(*choice.thenBlock());
    }
    epochs.tick = dyn_cast_or_null<TickOp>(only);
    if (!epochs.tick)
      return false;
  }
  return bool(epochs.tick);
}

/// The box of the target that a tick computes, if it is known and has all cells.
static std::optional<Box> findCells(EpochLoop &epochs) {
  TickOp tick = epochs.tick;
  ShiftedView target = findShift(tick.getTarget());
  if (target.buffer != epochs.to() || tick.getCells())
    return std::nullopt;
  Box cells;
  for (unsigned axis = 0; axis < 2; ++axis) {
    std::optional<int64_t> offset = getConstantIntValue(tick.getMixedOffsets()[axis]);
    std::optional<int64_t> extent = getConstantIntValue(tick.getMixedExtents()[axis]);
    if (!offset || !extent || tick.getStridesOrOnes()[axis] != 1)
      return std::nullopt;
    cells.first[axis] = target.offsets[axis] + *offset;
    cells.sides[axis] = *extent;
  }
  return cells;
}

/// The distance of a load of the first buffer from the computed cell, if it is one number on each
/// axis.
static std::optional<Place> findDistance(EpochLoop &epochs, LoadOp load) {
  Value input = getLoadedInput(load);
  if (!input || findShift(input).buffer != epochs.from())
    return std::nullopt;
  ShiftedView target = findShift(epochs.tick.getTarget());
  auto inBuffer = getDistance(load, epochs.from()); // from the cell's indices
  if (!inBuffer)
    return std::nullopt;
  return Place{(*inBuffer)[0] - target.offsets[0], (*inBuffer)[1] - target.offsets[1]};
}

/// Whether counters are outside of the loop and do not alias the buffers.
static bool countsDisjointly(EpochLoop &epochs) {
  Value counts = epochs.tick.getCounts();
  if (!counts || epochs.tick.getInstall().getTallies().empty())
    return true;
  Value number = rootOf(counts);
  return !epochs.loop->isAncestor(number.getParentRegion()->getParentOp()) &&
         llvm::all_of(epochs.loop.getInits(),
                      [&](Value buffer) { return areDisjoint(number, buffer); });
}

/// Whether one tick computes all cells from windows of the first buffer, and does nothing else but
/// count.
static bool isStencil(EpochLoop &epochs) {
  TickOp tick = epochs.tick;
  InstallOp install = tick.getInstall();
  if (tick.hasTensorSemantics() || tick.getRank() != 2 || !tick.hasOneTarget() ||
      tick.getScores() || install.getSettled() || !matchPattern(install.getCondition(), m_One()))
    return false;
  std::optional<Box> cells = findCells(epochs);
  if (!cells)
    return false;
  epochs.cells = *cells;
  for (Operation &op : tick.getBody().front().without_terminator()) {
    auto load = dyn_cast<LoadOp>(op);
    std::optional<Place> distance = load ? findDistance(epochs, load) : std::nullopt;
    if (load ? !distance : !isPlain(&op) || op.getNumResults() != 1)
      return false;
    if (load)
      epochs.reads.push_back({load, *distance});
  }
  return countsDisjointly(epochs);
}

/// Whether a refresh makes the buffer's halo hold the cells' images on the torus, wherever the tick
/// reads it.
static bool makesTorus(RefreshHaloOp halo, Value buffer, EpochLoop &epochs) {
  if (halo.getStorage() != buffer || halo.getBegin())
    return false;
  return llvm::all_of(llvm::seq<unsigned>(0, 2), [&](unsigned axis) {
    int64_t low = halo.getLow()[axis], high = halo.getHigh()[axis];
    bool reads = llvm::any_of(epochs.reads, [&](auto &read) { return read.second[axis] != 0; });
    return low == epochs.cells.first[axis] && halo.getExtent(axis) == epochs.cells.sides[axis] &&
           (!reads || halo.getBoundaryOf(axis) == Boundary::Wrap) &&
           llvm::all_of(epochs.reads, [&](auto &read) {
             return -low <= read.second[axis] && read.second[axis] <= high;
           });
  });
}

/// Whether the tick reads its own cell only.
static bool readsNoOther(EpochLoop &epochs) {
  return llvm::all_of(epochs.reads, [](auto &read) { return read.second == Place{0, 0}; });
}

/// Whether an operation may write to a buffer.
static bool mayWrite(Operation *op, Value buffer) {
  return op
      ->walk([&](Operation *inner) {
        auto effects = dyn_cast<MemoryEffectOpInterface>(inner);
        if (!effects && inner->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
          return WalkResult::advance();
        SmallVector<MemoryEffects::EffectInstance> all;
        if (effects)
          effects.getEffects(all);
        bool isLoad = effects && llvm::all_of(all, [&](const MemoryEffects::EffectInstance &one) {
                        return isa<MemoryEffects::Read, MemoryEffects::Allocate>(one.getEffect()) ||
                               (one.getValue() && areDisjoint(rootOf(one.getValue()), buffer));
                      });
        return isLoad ? WalkResult::advance() : WalkResult::interrupt();
      })
      .wasInterrupted();
}

/// Whether the last write of the first buffer before the loop refreshes its halo.
static bool beginsAsTorus(EpochLoop &epochs) {
  Value buffer = epochs.loop.getInits()[0];
  Operation *writer = epochs.loop->getPrevNode();
  while (writer && !mayWrite(writer, buffer))
    writer = writer->getPrevNode();
  auto halo = dyn_cast_or_null<RefreshHaloOp>(writer);
  return halo && makesTorus(halo, buffer, epochs);
}

/// Whether an operation copies the loop's result to the first buffer, if it is not there.
static bool bringsBack(Operation *op, EpochLoop &epochs) {
  auto choice = dyn_cast<scf::IfOp>(op);
  auto differ = choice ? choice.getCondition().getDefiningOp<arith::CmpIOp>() : nullptr;
  if (!differ || differ.getPredicate() != arith::CmpIPredicate::ne || choice.elseBlock())
    return false;
  auto addressed = [](Value address) {
    auto of = address.getDefiningOp<memref::ExtractAlignedPointerAsIndexOp>();
    return of ? of.getSource() : Value();
  };
  Value result = epochs.loop.getResult(0), first = epochs.loop.getInits()[0];
  Value left = addressed(differ.getLhs()), right = addressed(differ.getRhs());
  auto copy = dyn_cast_or_null<linalg::CopyOp>(findOnly(*choice.thenBlock()));
  return ((left == result && right == first) || (left == first && right == result)) && copy &&
         copy.getInputs()[0] == result && copy.getOutputs()[0] == first;
}

/// Whether a buffer is scratch memory of the function.
static bool isScratch(Value buffer, func::FuncOp function) {
  auto argument = dyn_cast<BlockArgument>(buffer);
  if (!argument)
    return bool(buffer.getDefiningOp<memref::AllocOp>());
  return argument.getOwner() == &function.front() && roleOf(argument) == Role::Scratch;
}

/// Whether no operation after a loop uses a buffer or a view of it.
static bool isUsedBefore(Value buffer, scf::ForOp loop) {
  return llvm::all_of(buffer.getUsers(), [&](Operation *user) {
    Operation *here = loop->getBlock()->findAncestorOpInBlock(*user);
    return user == loop || isa<memref::DeallocOp>(user) ||
           (here && here->isBeforeInBlock(loop) &&
            llvm::all_of(user->getResults(), [&](Value view) {
              return !isa<MemRefType>(view.getType()) || isUsedBefore(view, loop);
            }));
  });
}

/// Whether only the first result is used afterwards, and the first buffer once the result was
/// copied to it. The second buffer is scratch memory of the loop.
static bool endsAnywhere(EpochLoop &epochs) {
  auto function = dyn_cast<func::FuncOp>(epochs.loop->getParentOp());
  Value second = epochs.loop.getInits()[1];
  Operation *next = epochs.loop->getNextNode();
  while (next && isPlain(next))
    next = next->getNextNode();
  return function && next && bringsBack(next, epochs) && epochs.loop.getResult(1).use_empty() &&
         isScratch(second, function) && isUsedBefore(second, epochs.loop);
}

std::optional<EpochLoop> mlir::lci::findEpochLoop(scf::ForOp loop) {
  EpochLoop epochs;
  epochs.loop = loop;
  if (!carriesTwoBuffers(loop) || !findParts(epochs) || !isStencil(epochs))
    return std::nullopt;
  bool isTorus = epochs.halo && makesTorus(epochs.halo, epochs.to(), epochs);
  if (readsNoOther(epochs) ? epochs.halo && !isTorus : !isTorus || !beginsAsTorus(epochs))
    return std::nullopt;
  if (!endsAnywhere(epochs))
    return std::nullopt;
  findReaches(epochs);
  return epochs;
}

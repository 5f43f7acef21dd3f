//===- EpochLoop.cpp - Match epoch loops of one stencil operation ---------===//
//
// Matches epoch loops of which several iterations may be one launch, because
// each computes all cells of a torus from the iteration before and does nothing
// else. Conditions:
//
// - the loop carries two ping-pong buffers, which do not alias;
// - in it one linalg operation, perhaps behind a switch, writes all cells of
//   the second buffer from shifted boxes of the first one; its only other
//   effects are atomic additions;
// - after it, copies fill the second buffer's halo, so that all elements that
//   the operation reads hold their images on the torus; so do they in the first
//   buffer before the loop;
// - after the loop, no user depends on which buffer holds the result, but for
//   the copy of the result to the first buffer if it is not there.
//
//===----------------------------------------------------------------------===//

#include "EpochLoop.h"
#include "LCI/Dialect/ArgumentRoles.h"
#include "LCI/Dialect/LCIDialect.h"
#include "LCI/Transforms/Support/BufferAliasAnalysis.h"
#include "LCI/Transforms/Support/BufferFacts.h"
#include "LCI/Transforms/Support/NestFacts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
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
  explicit BitReaches(EpochLoop &epochs) : body(epochs.nest.getBody()) {
    Type element = epochs.type().getElementType();
    bits = element.isInteger() ? element.getIntOrFloatBitWidth() : 0;
    for (auto [argument, distance] : llvm::zip(body->getArguments(), epochs.distance)) {
      int64_t from = distance[1] * bits;
      reaches[argument] = {from, from, true, true};
    }
    for (Operation &op : body->without_terminator())
      if (op.getNumResults() == 1)
        reaches[op.getResult(0)] = find(op);
  }

  /// The radius, in bits, of the dependences of a cell and its counts; none if bits of a word
  /// depend on each other.
  std::optional<int64_t> find(EpochLoop &epochs) {
    BitReach cell = reaches.lookup(body->getTerminator()->getOperand(0));
    if (bits == 0 || !cell.isBitByBit)
      return std::nullopt;
    int64_t most = cell.most();
    for (memref::AtomicRMWOp count : epochs.counts)
      most = std::max(most, reaches.lookup(count.getValue()).most());
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

  Block *body;
  int64_t bits;
  llvm::DenseMap<Value, BitReach> reaches;
};
} // namespace

static void findReaches(EpochLoop &epochs) {
  for (Place distance : epochs.distance) {
    epochs.rowReach = std::max(epochs.rowReach, std::abs(distance[0]));
    epochs.columnReach = std::max(epochs.columnReach, std::abs(distance[1]));
  }
  if (std::optional<int64_t> bits = BitReaches(epochs).find(epochs)) {
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

/// Decomposes the body: a linalg operation, perhaps behind a switch that is known on the host, and
/// the operations after it.
static bool findParts(EpochLoop &epochs) {
  for (Operation &op : epochs.loop.getBody()->without_terminator()) {
    if (isPlain(&op))
      continue;
    if (epochs.nest) {
      epochs.halos.push_back(&op);
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
    epochs.nest = dyn_cast_or_null<linalg::GenericOp>(only);
    if (!epochs.nest)
      return false;
  }
  return bool(epochs.nest);
}

/// Whether the body only computes from its inputs and counts.
static bool isBodyPlain(EpochLoop &epochs) {
  Block *body = epochs.nest.getBody();
  for (Operation &op : body->without_terminator()) {
    std::optional<Count> count = getCount(op);
    if (count && !count->condition && isa<IntegerType>(count->addition.getValue().getType()))
      epochs.counts.push_back(count->addition);
    else if (!isPlain(&op) || op.getNumResults() != 1)
      return false;
  }
  // The previous content of the cell is unused. Counters do not alias the buffers.
  return body->getArguments().back().use_empty() &&
         llvm::all_of(epochs.counts, [&](memref::AtomicRMWOp count) {
           Value number = rootOf(count.getMemref());
           return !epochs.loop->isAncestor(number.getParentRegion()->getParentOp()) &&
                  llvm::all_of(epochs.loop.getInits(),
                               [&](Value buffer) { return areDisjoint(number, buffer); });
         });
}

/// Whether one operation computes all cells from boxes of the two buffers.
static bool isStencil(EpochLoop &epochs) {
  linalg::GenericOp nest = epochs.nest;
  auto isIdentity = [](AffineMap map) { return map.isIdentity(); };
  if (!nest.hasPureBufferSemantics() || nest.getNumDpsInits() != 1 || nest.getNumLoops() != 2 ||
      !nest.isAllParallelLoops() || !llvm::all_of(nest.getIndexingMapsArray(), isIdentity))
    return false;
  auto target = nest.getDpsInitOperand(0)->get().getDefiningOp<memref::SubViewOp>();
  std::optional<Box> cells = target ? boxOf(target) : std::nullopt;
  if (!cells || target.getSource() != epochs.to())
    return false;
  epochs.cells = *cells;
  for (Value input : nest.getDpsInputs()) {
    auto view = input.getDefiningOp<memref::SubViewOp>();
    std::optional<Box> box = view ? boxOf(view) : std::nullopt;
    if (!box || view.getSource() != epochs.from())
      return false;
    epochs.distance.push_back({box->first[0] - cells->first[0], box->first[1] - cells->first[1]});
  }
  return isBodyPlain(epochs);
}

/// Whether the operation only reads elements that hold their images on the torus.
static bool readsTorus(EpochLoop &epochs, const TorusHalo &halo) {
  return llvm::all_of(epochs.distance, [&](Place distance) {
    Box box = epochs.cells;
    for (unsigned axis = 0; axis < 2; ++axis)
      box.first[axis] += distance[axis];
    return halo.covers(box);
  });
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

/// The most operations that fill a halo.
static constexpr size_t kMaxWriters = 8;

/// Whether before the loop, after all other writes, the first buffer's halo is filled.
static bool beginsAsTorus(EpochLoop &epochs) {
  Value buffer = epochs.loop.getInits()[0];
  SmallVector<Operation *> writers; // in reverse order
  for (Operation *op = epochs.loop->getPrevNode(); op; op = op->getPrevNode()) {
    if (!mayWrite(op, buffer))
      continue;
    writers.push_back(op);
    TorusHalo halo(epochs.cells);
    halo.fill(op, buffer); // else it may write cells, and the halo is unknown
    auto isHalo = [&](Operation *writer) { return halo.fill(writer, buffer); };
    if (llvm::all_of(llvm::drop_begin(llvm::reverse(writers)), isHalo) && readsTorus(epochs, halo))
      return true;
    if (writers.size() > kMaxWriters)
      return false;
  }
  return false;
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
  TorusHalo halo(epochs.cells);
  for (Operation *op : epochs.halos)
    if (!halo.fill(op, epochs.to()))
      return std::nullopt;
  if (!readsTorus(epochs, halo) || !beginsAsTorus(epochs) || !endsAnywhere(epochs))
    return std::nullopt;
  findReaches(epochs);
  return epochs;
}

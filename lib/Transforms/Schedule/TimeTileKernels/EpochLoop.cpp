//===- EpochLoop.cpp - Loops over epochs of one operation -----------------===//
//
// Several turns of a loop may be one if each computes all cells of a torus from what the turn
// before left, and nothing else. What has to hold:
//
// - the loop carries two buffers, which lie apart and change places;
// - in it one linalg operation, perhaps behind a switch, writes all cells of the second one from
//   boxes of the first one that lie beside them, and adds to numbers atomically, and does nothing
//   else;
// - what follows it are copies of the second buffer into its halo, after which all places that the
//   operation reads hold what the torus has there; so they do in the first buffer before the loop;
// - nobody looks afterwards at which buffer holds what, but for where the result is copied to if it
//   is not there.
//
//===----------------------------------------------------------------------===//

#include "EpochLoop.h"
#include "LCI/Dialect/ArgumentRoles.h"
#include "LCI/Dialect/LCIDialect.h"
#include "LCI/Transforms/Support/BufferFacts.h"
#include "LCI/Transforms/Support/BufferOrigins.h"
#include "LCI/Transforms/Support/NestFacts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::lci;

//===----------------------------------------------------------------------===//
// How far a cell sees in its row
//===----------------------------------------------------------------------===//

namespace {
/// Of a word whose bits are cells side by side: on which bits of the row a bit depends, beyond its
/// own place.
struct BitReach {
  int64_t low = 0, high = 0;
  bool isAny = false;     ///< whether it depends on cells at all
  bool isBitByBit = true; ///< else bits of the word depend on each other
  int64_t most() const { return std::max<int64_t>({-low, high, 0}); }
};

/// Follows the cells through a body.
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

  /// How far a cell, and what is counted of it, depends on others; none if its bits depend on each
  /// other.
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
// What the loop does
//===----------------------------------------------------------------------===//

/// The only operation of a block that does not compute alone; null if there are others.
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

/// Two buffers of one known form, which change places.
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
         lieApart(loop.getRegionIterArg(0), loop.getRegionIterArg(1));
}

/// Takes a loop's body apart: a linalg operation, perhaps behind a switch that the host has, and
/// what follows it.
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

/// A body that computes from the cells that it is given, and counts.
static bool isBodyPlain(EpochLoop &epochs) {
  Block *body = epochs.nest.getBody();
  for (Operation &op : body->without_terminator()) {
    std::optional<Count> count = getCount(op);
    if (count && !count->condition && isa<IntegerType>(count->addition.getValue().getType()))
      epochs.counts.push_back(count->addition);
    else if (!isPlain(&op) || op.getNumResults() != 1)
      return false;
  }
  // What was in the cell's place is not looked at. Numbers that are counted lie elsewhere.
  return body->getArguments().back().use_empty() &&
         llvm::all_of(epochs.counts, [&](memref::AtomicRMWOp count) {
           Value number = rootOf(count.getMemref());
           return !epochs.loop->isAncestor(number.getParentRegion()->getParentOp()) &&
                  llvm::all_of(epochs.loop.getInits(),
                               [&](Value buffer) { return lieApart(number, buffer); });
         });
}

/// One operation on all cells, whose operands are boxes of the two buffers.
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

/// Whether the operation reads places only that hold what the torus has there.
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
                               (one.getValue() && lieApart(rootOf(one.getValue()), buffer));
                      });
        return isLoad ? WalkResult::advance() : WalkResult::interrupt();
      })
      .wasInterrupted();
}

/// Operations that make a halo, at most.
static constexpr size_t kMostWriters = 8;

/// What there is before the loop: halos of the first buffer, after whatever else writes to it.
static bool beginsAsTorus(EpochLoop &epochs) {
  Value buffer = epochs.loop.getInits()[0];
  SmallVector<Operation *> writers; // the last one first
  for (Operation *op = epochs.loop->getPrevNode(); op; op = op->getPrevNode()) {
    if (!mayWrite(op, buffer))
      continue;
    writers.push_back(op);
    TorusHalo halo(epochs.cells);
    halo.fill(op, buffer); // else it writes to cells, perhaps, and nothing is known of the halo
    auto isHalo = [&](Operation *writer) { return halo.fill(writer, buffer); };
    if (llvm::all_of(llvm::drop_begin(llvm::reverse(writers)), isHalo) && readsTorus(epochs, halo))
      return true;
    if (writers.size() > kMostWriters)
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

/// Whether a buffer is there for the function alone.
static bool isScratch(Value buffer, func::FuncOp function) {
  auto argument = dyn_cast<BlockArgument>(buffer);
  if (!argument)
    return bool(buffer.getDefiningOp<memref::AllocOp>());
  return argument.getOwner() == &function.front() && roleOf(argument) == Role::Scratch;
}

/// Whether nobody looks at a buffer, or a view of it, behind a loop.
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

/// Whether all that is looked at afterwards is the first result, and the first buffer after that
/// was copied to it. The second buffer is memory for the loop alone.
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

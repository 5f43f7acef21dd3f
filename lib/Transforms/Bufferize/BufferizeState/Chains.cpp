//===- Chains.cpp - In-place computation of phases ------------------------===//
//
// Decides whether a phase may write the buffer that it reads. It is computed in place if the state
// before it has no further reader and none of its cells reads what another one writes. Otherwise it
// writes to the second buffer and must define every cell there: cells are kept one by one where its
// boxes cover the array, else the array is copied before.
//
//===----------------------------------------------------------------------===//

#include "LCI/Analysis/Independence.h"
#include "LCI/Dialect/SettledCells.h"
#include "StateFlow.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::bufferstate;

using Box = SmallVector<Progression>;

std::optional<Box> bufferstate::getConstantBox(TickOp tick) {
  Box box;
  for (auto [offset, extent, stride] :
       llvm::zip_equal(tick.getMixedOffsets(), tick.getMixedExtents(), tick.getStridesOrOnes())) {
    std::optional<int64_t> first = getConstantIntValue(offset), count = getConstantIntValue(extent);
    if (!first || !count)
      return std::nullopt;
    box.push_back({*first, *count, stride});
  }
  return box;
}

static bool meet(const Progression &a, const Progression &b) {
  for (int64_t i = 0; i < a.count; ++i) {
    int64_t distance = a.first + i * a.step - b.first;
    if (distance >= 0 && distance % b.step == 0 && distance / b.step < b.count)
      return true;
  }
  return false;
}

static bool areDisjoint(const Box &a, const Box &b) {
  return llvm::any_of(llvm::zip_equal(a, b),
                      [](auto axis) { return !meet(std::get<0>(axis), std::get<1>(axis)); });
}

static int64_t countCells(const Box &box) {
  int64_t cells = 1;
  for (const Progression &axis : box)
    cells *= axis.count;
  return cells;
}

/// The boxes of a chain if they are constant and disjoint.
static std::optional<SmallVector<Box>> disjointBoxes(Chain &chain) {
  SmallVector<Box> boxes;
  for (TickOp tick : chain.ticks) {
    std::optional<Box> box = getConstantBox(tick);
    if (!box || !llvm::all_of(boxes, [&](const Box &other) { return areDisjoint(*box, other); }))
      return std::nullopt;
    boxes.push_back(std::move(*box));
  }
  return boxes;
}

/// The positions of the inputs that are the state before the phase. Nothing if some of it is read
/// otherwise than by loads, at any index.
static std::optional<SmallVector<unsigned>> snapshotInputs(Chain &chain, TickOp tick) {
  SmallVector<unsigned> inputs;
  for (auto [position, input] : llvm::enumerate(tick.getInputs())) {
    if (input != chain.snapshot())
      continue;
    inputs.push_back(position);
    auto isLoad = [](Operation *user) { return isa<LoadOp>(user); };
    if (!llvm::all_of(tick.getInputArguments()[position].getUsers(), isLoad))
      return std::nullopt;
  }
  return inputs;
}

/// Whether a cell of the phase reads the state before it where another cell writes.
static bool hasConflict(Chain &chain) {
  for (TickOp reader : chain.ticks) {
    std::optional<SmallVector<unsigned>> inputs = snapshotInputs(chain, reader);
    if (!inputs)
      return true;
    for (TickOp writer : chain.ticks)
      if (!inputs->empty() && findConflict(reader, *inputs, writer))
        return true;
  }
  return false;
}

/// Whether an operation runs after another one within `home`, or may do so in the next iteration of
/// a loop in it.
static bool runsLater(Operation *op, Operation *first, Block *home) {
  Operation *before = first, *after = nullptr;
  while (!(after = before->getBlock()->findAncestorOpInBlock(*op)))
    before = before->getParentOp();
  bool isInLoop = false;
  for (Block *block = before->getBlock(); block != home; block = block->getParentOp()->getBlock())
    isInLoop |= !isa<scf::IfOp>(block->getParentOp());
  // Two branches of one operation exclude each other.
  return isInLoop || (before != after && before->isBeforeInBlock(after));
}

/// Whether the state before the phase is read by an operation that runs after its first tick.
static bool isReadLater(Chain &chain) {
  Value snapshot = chain.snapshot();
  return llvm::any_of(snapshot.getUsers(), [&](Operation *user) {
    auto tick = dyn_cast<TickOp>(user);
    bool isInChain = tick && llvm::is_contained(chain.ticks, tick);
    return !isInChain && runsLater(user, chain.ticks.front(), snapshot.getParentBlock());
  });
}

void bufferstate::analyzeChain(Chain &chain) {
  auto type = cast<RankedTensorType>(chain.snapshot().getType());
  std::optional<SmallVector<Box>> boxes = disjointBoxes(chain);
  int64_t cells = 0;
  if (boxes)
    for (const Box &box : *boxes)
      cells += countCells(box);
  // Skipped cells write nothing, not even their old content.
  bool skipsCells = llvm::any_of(chain.ticks, [](TickOp tick) {
    bool skips = tick.getCells() || (testsEachCell(tick) && !findSettlingBox(tick));
    return skips && isHeavy(tick);
  });
  chain.coversAll = boxes && cells == type.getNumElements() && !skipsCells;
  chain.needsScratch = isReadLater(chain) || hasConflict(chain);
}

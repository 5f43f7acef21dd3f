//===- Chains.cpp - Whether a phase may write where it reads --------------===//
//
// A phase is computed in place if nobody reads the state before it any more, and none of its cells
// reads what another one writes. Otherwise it writes to the second buffer, and must then leave
// every cell there with a content: it keeps cells one by one where its boxes cover all of them.
//
//===----------------------------------------------------------------------===//

#include "LCI/Analysis/Independence.h"
#include "LCI/Dialect/SettledCells.h"
#include "StateFlow.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::materialize;

using Box = SmallVector<Progression>;

std::optional<Box> materialize::getConstantBox(TickOp tick) {
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
/// otherwise than by loads, at any place.
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

/// Whether a cell of the phase reads the state before it where another cell has written.
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

/// Whether an operation runs after another one within `home`, or may do so the next time around a
/// loop in it.
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
    bool isOwn = tick && llvm::is_contained(chain.ticks, tick);
    return !isOwn && runsLater(user, chain.ticks.front(), snapshot.getParentBlock());
  });
}

void materialize::analyzeChain(Chain &chain) {
  auto type = cast<RankedTensorType>(chain.snapshot().getType());
  std::optional<SmallVector<Box>> boxes = disjointBoxes(chain);
  int64_t cells = 0;
  if (boxes)
    for (const Box &box : *boxes)
      cells += countCells(box);
  // Cells that are skipped keep nothing by themselves.
  bool skipsCells = llvm::any_of(chain.ticks, [](TickOp tick) {
    bool skips = tick.getCells() || (asksEachCell(tick) && !findSettlingBox(tick));
    return skips && isHeavy(tick);
  });
  chain.coversAll = boxes && cells == type.getNumElements() && !skipsCells;
  chain.needsScratch = isReadLater(chain) || hasConflict(chain);
}

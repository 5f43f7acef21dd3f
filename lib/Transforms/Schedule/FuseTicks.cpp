//===- FuseTicks.cpp - Fuse ticks of a phase over the same cells ----------===//
//
// Values computed in one phase read the same arrays. Their ticks, which are
// separated by switches and refreshes of halos, become one tick with several
// targets, for the case that all switches are on: it loads common windows once.
//
//===----------------------------------------------------------------------===//

#include "LCI/Dialect/TickWindows.h"
#include "LCI/Transforms/Schedule/Passes.h"
#include "LCI/Transforms/Support/BufferAliasAnalysis.h"
#include "LCI/Transforms/Support/OperationQueries.h"
#include "LCI/Transforms/Support/PassOptions.h"
#include "LCI/Transforms/Support/Thresholds.h"
#include "LCI/Transforms/Support/TickMerging.h"
#include "LCI/Transforms/Support/Ways.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/DebugLog.h"

#undef DEBUG_TYPE // of another file that is compiled with this one
#define DEBUG_TYPE "lci-fuse-ticks"

namespace mlir::lci {
#define GEN_PASS_DEF_FUSETICKSPASS
#include "LCI/Transforms/Schedule/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

//===----------------------------------------------------------------------===//
// Accesses, groups, and their fuser
//===----------------------------------------------------------------------===//

namespace {

/// The buffers that operations read and write.
struct Accesses {
  llvm::SetVector<Value> read, written;

  /// False if the effects of the operation are unknown.
  bool add(Operation *op) {
    auto effects = getEffectsRecursively(op);
    if (!effects)
      return false;
    for (const MemoryEffects::EffectInstance &effect : *effects) {
      bool reads = isa<MemoryEffects::Read>(effect.getEffect());
      if (!effect.getValue() || (!reads && !isa<MemoryEffects::Write>(effect.getEffect())))
        return false;
      (reads ? read : written).insert(rootOf(effect.getValue()));
    }
    return true;
  }

  void add(const Accesses &other) {
    read.insert_range(other.read);
    written.insert_range(other.written);
  }
};

/// Ticks, alone or behind a switch.
struct Member {
  Operation *op;
  SmallVector<TickOp> ticks;
  Value condition; ///< null if unconditional
};

using Group = SmallVector<Member>;

/// A group that may still grow, and the accesses after its first member.
struct OpenGroup {
  Group members;
  Accesses between;
};

class TickFuser {
public:
  TickFuser(func::FuncOp function, int64_t minCells, int64_t maxOperations)
      : function(function), minCells(minCells), maxOperations(maxOperations) {}

  /// Returns the number of groups.
  int64_t fuse();

private:
  bool isFusible(Operation *op) const;
  std::optional<Member> findMember(Operation *op) const;
  void clearBranches(Block &block);
  void findGroups(Block &block, SmallVectorImpl<Group> &groups);
  StringRef considerMember(const OpenGroup &group, const Member &member,
                           const Accesses &accesses) const;
  bool takes(OpenGroup &group, const Member &member, const Accesses &accesses) const;

  func::FuncOp function;
  int64_t minCells, maxOperations;
};

} // namespace

//===----------------------------------------------------------------------===//
// Dependences
//===----------------------------------------------------------------------===//

static bool areAllDisjoint(const llvm::SetVector<Value> &some,
                           const llvm::SetVector<Value> &others) {
  return llvm::all_of(some, [&](Value one) {
    return llvm::all_of(others, [&](Value other) { return areDisjoint(one, other); });
  });
}

/// Whether accesses may be moved before the others.
static bool mayMoveBefore(const Accesses &accesses, const Accesses &others) {
  return areAllDisjoint(accesses.written, others.read) &&
         areAllDisjoint(accesses.written, others.written) &&
         areAllDisjoint(accesses.read, others.written);
}

/// Whether a tick neither reads nor writes an array.
static bool touchesNone(TickOp tick, Value array) {
  return llvm::all_of(tick->getOperands(), [&](Value operand) {
    return !isa<MemRefType>(operand.getType()) || areDisjoint(operand, array);
  });
}

/// Whether a tick does not touch what another one counts, unless it counts there, too: sums may be
/// added up in any order.
static bool countsApart(TickOp tick, TickOp other) {
  Value counts = other.getCounts();
  return !counts || llvm::all_of(tick->getOperands(), [&](Value operand) {
    return !isa<MemRefType>(operand.getType()) || operand == counts || areDisjoint(operand, counts);
  });
}

/// Whether a tick neither reads nor writes what another one writes or counts.
static bool touchesNoneOf(TickOp tick, TickOp writer) {
  return countsApart(tick, writer) &&
         llvm::all_of(writer.getTargets(), [&](Value target) { return touchesNone(tick, target); });
}

/// Whether a tick reads nothing of an array, or each cell only what is its own in it.
static bool readsOwnOnly(TickOp tick, Value array) {
  for (auto [argument, input] : llvm::zip_equal(tick.getInputArguments(), tick.getInputs())) {
    if (!isa<MemRefType>(input.getType()) || areDisjoint(input, array))
      continue;
    for (Operation *user : argument.getUsers()) {
      auto load = dyn_cast<LoadOp>(user);
      if (!load || !readsOwn(load, array))
        return false;
    }
  }
  return true;
}

/// Whether two ticks may be computed cell by cell, the first one first in each: the second one
/// touches nothing that the first one writes, and the first one reads what the second one writes in
/// its own cell only.
static bool mayBeOne(TickOp first, TickOp second) {
  bool haveOneCounter =
      !first.getCounts() || !second.getCounts() || first.getCounts() == second.getCounts();
  return haveOneCounter && touchesNoneOf(second, first) && countsApart(first, second) &&
         llvm::all_of(second.getTargets(),
                      [&](Value target) { return readsOwnOnly(first, target); });
}

//===----------------------------------------------------------------------===//
// Which ticks may be grouped
//===----------------------------------------------------------------------===//

/// The number of cells of a box, if it is known.
static int64_t countCells(TickOp tick) {
  int64_t cells = tick.getPacked();
  for (OpFoldResult extent : tick.getMixedExtents()) {
    std::optional<int64_t> constant = getConstantIntValue(extent);
    if (!constant)
      return ShapedType::kDynamic;
    cells *= *constant;
  }
  return cells;
}

/// Whether an operation is a tick with a large box, where traversals of memory are costly.
bool TickFuser::isFusible(Operation *op) const {
  auto tick = dyn_cast<TickOp>(op);
  if (!tick || !onlyComputes(tick))
    return false;
  int64_t cells = countCells(tick);
  return ShapedType::isDynamic(cells) || cells >= minCells;
}

std::optional<Member> TickFuser::findMember(Operation *op) const {
  if (isFusible(op))
    return Member{op, {cast<TickOp>(op)}, nullptr};
  auto branch = dyn_cast<scf::IfOp>(op);
  if (!branch || branch.getNumResults() != 0 || !branch.getElseRegion().empty())
    return std::nullopt;
  Member member{op, {}, branch.getCondition()};
  for (Operation &inner : branch.thenBlock()->without_terminator())
    if (isFusible(&inner))
      member.ticks.push_back(cast<TickOp>(inner));
    else if (!isPlain(&inner))
      return std::nullopt;
  return member.ticks.empty() ? std::nullopt : std::optional(member);
}

/// Moves the computation of switched ticks' boxes before the switch, where equal boxes become equal
/// values.
void TickFuser::clearBranches(Block &block) {
  SmallVector<Member> members;
  for (Operation &op : block)
    if (std::optional<Member> member = findMember(&op))
      members.push_back(*member);
  if (members.size() < 2)
    return;
  for (Member &member : members)
    if (auto branch = dyn_cast<scf::IfOp>(member.op))
      for (Operation &inner : llvm::make_early_inc_range(branch.thenBlock()->without_terminator()))
        if (isPlain(&inner))
          inner.moveBefore(branch);
}

/// Moves the operations that define a value before an operation of its block; false if that is
/// illegal.
static bool moveUp(Value value, Operation *before) {
  Operation *made = value.getDefiningOp();
  if (!made || made->getBlock() != before->getBlock() || made->isBeforeInBlock(before))
    return true;
  if (!isPlain(made) ||
      !llvm::all_of(made->getOperands(), [&](Value operand) { return moveUp(operand, before); }))
    return false;
  made->moveBefore(before);
  return true;
}

static bool moveUpInputs(Operation *op, Operation *before) {
  llvm::SetVector<Value> inputs(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), inputs);
  return llvm::all_of(inputs, [&](Value input) { return moveUp(input, before); });
}

/// Whether two ticks go over the same elements in the same way.
static bool haveOneBox(TickOp one, TickOp other) {
  return one.getRank() == other.getRank() && one.getMixedOffsets() == other.getMixedOffsets() &&
         one.getMixedExtents() == other.getMixedExtents() &&
         one.getStridesOrOnes() == other.getStridesOrOnes() && one.getCells() == other.getCells() &&
         one.getPacked() == other.getPacked();
}

/// Whether both ticks load a window, which is then loaded once.
static bool shareWindow(TickOp one, TickOp other) {
  auto loads = one.getBody().getOps<LoadOp>();
  return llvm::any_of(other.getBody().getOps<LoadOp>(), [&](LoadOp load) {
    return llvm::any_of(loads, [&](LoadOp known) {
      return known.getMap() == load.getMap() && getLoadedInput(known) == getLoadedInput(load);
    });
  });
}

static int64_t countOperations(const Member &member) {
  int64_t count = 0;
  for (TickOp tick : member.ticks)
    count += llvm::range_size(tick.getBody().front());
  return count;
}

/// Whether a tick goes over the cells of those of a group at its position and loads a window of
/// theirs, and all together have no more windows and targets than LLVM makes vectors of.
static bool fitsAt(const Group &group, TickOp tick, size_t position) {
  int64_t accesses = countWindows(tick) + tick.getTargets().size();
  bool shares = false;
  for (const Member &other : group) {
    TickOp first = other.ticks[position];
    if (!haveOneBox(first, tick))
      return false;
    accesses += countWindows(first) + first.getTargets().size();
    shares |= shareWindow(first, tick);
  }
  return shares && accesses <= kMaxAccesses;
}

/// Whether a tick may become one with those of a group at its position, and move before those at
/// later positions.
static bool mayBeOneAt(const Group &group, TickOp tick, size_t position) {
  return llvm::all_of(group, [&](const Member &other) {
    return mayBeOne(other.ticks[position], tick) &&
           llvm::all_of(ArrayRef(other.ticks).drop_front(position + 1), [&](TickOp later) {
             return touchesNoneOf(tick, later) && touchesNoneOf(later, tick);
           });
  });
}

/// What keeps a member from a group, in a word; empty if nothing does. What is cheap to answer
/// comes first.
StringRef TickFuser::considerMember(const OpenGroup &group, const Member &member,
                                    const Accesses &accesses) const {
  int64_t operations = countOperations(member);
  for (const Member &other : group.members)
    operations += countOperations(other);
  if (operations > maxOperations)
    return "max-operations";
  if (group.members.front().ticks.size() != member.ticks.size())
    return "switches";
  auto all = llvm::enumerate(member.ticks);
  if (!llvm::all_of(all,
                    [&](auto tick) { return fitsAt(group.members, tick.value(), tick.index()); }))
    return "windows";
  if (!llvm::all_of(
          all, [&](auto tick) { return mayBeOneAt(group.members, tick.value(), tick.index()); }))
    return "dependences";
  return mayMoveBefore(accesses, group.between) ? "" : "order";
}

/// Adds a member that may move up to the first one: it does not depend on the operations between.
bool TickFuser::takes(OpenGroup &group, const Member &member, const Accesses &accesses) const {
  const Member &first = group.members.front();
  StringRef obstacle = considerMember(group, member, accesses);
  if (obstacle.empty() && !moveUpInputs(member.op, first.op))
    obstacle = "inputs";
  TickOp one = first.ticks.front(), other = member.ticks.front();
  LDBG() << one.getName() << " and " << other.getName()
         << (obstacle.empty() ? " are fused" : " are not fused because of ") << obstacle;
  if (obstacle.empty())
    group.members.push_back(member);
  return obstacle.empty();
}

void TickFuser::findGroups(Block &block, SmallVectorImpl<Group> &groups) {
  SmallVector<OpenGroup> open;
  auto close = [&] {
    for (OpenGroup &group : open)
      if (group.members.size() > 1)
        groups.push_back(group.members);
    open.clear();
  };
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (isPlain(&op))
      continue;
    Accesses accesses;
    if (!accesses.add(&op)) {
      close();
      continue;
    }
    std::optional<Member> member = findMember(&op);
    bool isTaken = false;
    for (OpenGroup &group : open)
      if (member && !isTaken && takes(group, *member, accesses))
        isTaken = true;
      else
        group.between.add(accesses);
    if (member && !isTaken)
      open.push_back({{*member}, {}});
  }
  close();
}

//===----------------------------------------------------------------------===//
// Fusion
//===----------------------------------------------------------------------===//

/// Appends the body of a tick to that of another one, and its targets.
static void append(TickOp fused, TickOp tick) {
  IRMapping mapping;
  mapping.map(tick.getIndexArguments(), fused.getIndexArguments());
  auto mapClock = [&](BlockArgument argument, Value clock, BlockArgument own, Value ownClock) {
    if (!argument.use_empty())
      mapping.map(argument, clock == ownClock ? Value(own) : addInput(fused, clock));
  };
  mapClock(tick.getEpochArgument(), tick.getEpoch(), fused.getEpochArgument(), fused.getEpoch());
  mapClock(tick.getPhaseArgument(), tick.getPhase(), fused.getPhaseArgument(), fused.getPhase());
  mapClock(tick.getSeedArgument(), tick.getSeed(), fused.getSeedArgument(), fused.getSeed());
  for (auto [argument, input] : llvm::zip_equal(tick.getInputArguments(), tick.getInputs()))
    mapping.map(argument, addInput(fused, input));
  InstallOp end = tick.getInstall(), install = fused.getInstall();
  OpBuilder builder(install);
  for (Operation &op : end->getBlock()->without_terminator())
    builder.clone(op, mapping);
  for (Value token : end.getTokens())
    install.getTokensMutable().append(mapping.lookupOrDefault(token));
  for (Value tally : end.getTallies())
    install.getTalliesMutable().append(mapping.lookupOrDefault(tally));
  SmallVector<int64_t> slots(install.getSlots());
  llvm::append_range(slots, end.getSlots());
  install.setSlots(slots);
  fused.getTargetsMutable().append(tick.getTargets());
  if (!fused.getCounts() && tick.getCounts())
    fused.getCountsMutable().assign(tick.getCounts());
}

/// Emits one tick for those of all members at a position.
static void emitAt(IRRewriter &rewriter, const Group &group, size_t position) {
  llvm::SetVector<StringRef> names;
  TickOp fused;
  for (const Member &member : group) {
    TickOp tick = member.ticks[position];
    names.insert(tick.getName());
    auto clone = cast<TickOp>(rewriter.clone(*tick));
    installAlways(clone);
    if (!fused) {
      fused = clone;
      continue;
    }
    append(fused, clone);
    clone.erase();
  }
  fused.setName(llvm::join(names, "."));
  DominanceInfo dominance(fused);
  eliminateCommonSubExpressions(rewriter, dominance, fused);
}

static void emit(IRRewriter &rewriter, const Group &group) {
  Location loc = group.front().op->getLoc();
  rewriter.setInsertionPoint(group.front().op);
  auto emitAll = [&] {
    for (size_t position = 0; position < group.front().ticks.size(); ++position)
      emitAt(rewriter, group, position);
  };
  llvm::SetVector<Value> conditions;
  for (const Member &member : group)
    if (member.condition)
      conditions.insert(member.condition);
  if (conditions.empty()) {
    emitAll();
    for (const Member &member : group)
      member.op->erase();
    return;
  }
  Value all = conditions.front();
  for (Value condition : conditions.getArrayRef().drop_front())
    all = arith::AndIOp::create(rewriter, loc, all, condition);
  auto branch = scf::IfOp::create(rewriter, loc, all, /*withElseRegion=*/true);
  rewriter.setInsertionPointToStart(branch.thenBlock());
  emitAll();
  for (const Member &member : group)
    member.op->moveBefore(branch.elseBlock()->getTerminator());
}

int64_t TickFuser::fuse() {
  function.walk([&](Block *block) { clearBranches(*block); });
  // Then equal boxes are equal values, and dead operations are erased.
  IRRewriter rewriter(function.getContext());
  DominanceInfo dominance(function);
  eliminateCommonSubExpressions(rewriter, dominance, function);
  SmallVector<Group> groups;
  function.walk([&](Block *block) { findGroups(*block, groups); });
  // Outer groups first: their inner groups are moved with them, and the groups' operations remain
  // valid.
  for (const Group &group : llvm::reverse(groups))
    emit(rewriter, group);
  return groups.size();
}

namespace {
struct FuseTicks : mlir::lci::impl::FuseTicksPassBase<FuseTicks> {
  using FuseTicksPassBase::FuseTicksPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    return checkOptions(context,
                        {{"min-cells", minCells, 0}, {"max-operations", maxOperations, 0}});
  }

  void runOnOperation() override {
    int64_t fused = TickFuser(getOperation(), minCells, maxOperations).fuse();
    if (fused > 0)
      took(getOperation(), Way::FusedTicks);
    numGroups += fused;
  }
};
} // namespace

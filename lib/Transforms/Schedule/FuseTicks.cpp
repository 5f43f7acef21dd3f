//===- FuseTicks.cpp - Group ticks of a phase over the same cells ---------===//
//
// Values computed in one phase read the same arrays. Their ticks, which could
// share a loop nest, are separated by switches and refreshes of halos. Here
// they are moved together, for the case that all switches are on. Common
// computations are found when they are loops (`lci-fuse-nests`).
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/Schedule/Passes.h"
#include "LCI/Transforms/Support/BufferAliasAnalysis.h"
#include "LCI/Transforms/Support/NestFacts.h"
#include "LCI/Transforms/Support/PassOptions.h"
#include "LCI/Transforms/Support/RowViews.h"
#include "LCI/Transforms/Support/Ways.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

namespace mlir::lci {
#define GEN_PASS_DEF_FUSETICKSPASS
#include "LCI/Transforms/Schedule/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

//===----------------------------------------------------------------------===//
// Aliasing
//===----------------------------------------------------------------------===//

namespace {

/// The buffers that operations read and write.
struct Accesses {
  SmallVector<Value> read, written;

  /// False if the effects of the operation are unknown.
  bool add(Operation *op) {
    auto effects = getEffectsRecursively(op);
    if (!effects)
      return false;
    for (const MemoryEffects::EffectInstance &effect : *effects) {
      bool reads = isa<MemoryEffects::Read>(effect.getEffect());
      if (!effect.getValue() || (!reads && !isa<MemoryEffects::Write>(effect.getEffect())))
        return false;
      (reads ? read : written).push_back(rootOf(effect.getValue()));
    }
    return true;
  }

  void add(const Accesses &other) {
    llvm::append_range(read, other.read);
    llvm::append_range(written, other.written);
  }

  /// Whether the accesses may be moved before the others.
  bool areFreeOf(const Accesses &other) const {
    auto allDisjoint = [](ArrayRef<Value> some, ArrayRef<Value> others) {
      return llvm::all_of(some, [&](Value one) {
        return llvm::all_of(others, [&](Value two) { return areDisjoint(one, two); });
      });
    };
    return allDisjoint(written, other.read) && allDisjoint(written, other.written) &&
           allDisjoint(read, other.written);
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
  TickFuser(func::FuncOp function, int64_t minCells, int64_t maxOperations, bool inRegions)
      : function(function), minCells(minCells), maxOperations(maxOperations), inRegions(inRegions) {
  }

  /// Returns the number of groups.
  int64_t fuse();

private:
  bool isFusible(Operation *op) const;
  std::optional<Member> findMember(Operation *op) const;
  void clearBranches(Block &block);
  void findGroups(Block &block, SmallVectorImpl<Group> &groups);
  bool fits(const Group &group, const Member &member) const;
  bool takes(OpenGroup &group, const Member &member, const Accesses &accesses) const;

  func::FuncOp function;
  int64_t minCells, maxOperations;
  bool inRegions;
};

} // namespace

//===----------------------------------------------------------------------===//
// Which ticks may be grouped
//===----------------------------------------------------------------------===//

/// Whether the cells of a tick only read stencils and compute.
static bool onlyComputes(TickOp tick) {
  return !tick.hasTensorSemantics() && tick.getBoxed().empty() && !tick.getScores() &&
         !tick.callsModel() && llvm::all_of(tick.getBody().front(), [](Operation &op) {
           auto load = dyn_cast<LoadOp>(op);
           return isa<InstallOp>(op) || (load ? load.getWindow().has_value() : isPlain(&op));
         });
}

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

static bool haveOneBox(TickOp one, TickOp other) {
  return one.getRank() == other.getRank() && one.getMixedOffsets() == other.getMixedOffsets() &&
         one.getMixedExtents() == other.getMixedExtents() &&
         one.getStridesOrOnes() == other.getStridesOrOnes();
}

/// The buffers that a tick reads.
static llvm::SmallPtrSet<Value, 4> getBuffersRead(TickOp tick) {
  llvm::SmallPtrSet<Value, 4> buffers;
  for (Value input : tick.getInputs())
    if (isa<MemRefType>(input.getType()))
      buffers.insert(rootOf(input));
  return buffers;
}

static bool readTheSame(TickOp one, TickOp other) {
  llvm::SmallPtrSet<Value, 4> buffers = getBuffersRead(one);
  return llvm::any_of(getBuffersRead(other), [&](Value read) { return buffers.contains(read); });
}

static int64_t countOperations(const Member &member) {
  int64_t count = 0;
  for (TickOp tick : member.ticks)
    count += llvm::range_size(tick.getBody().front());
  return count;
}

bool TickFuser::fits(const Group &group, const Member &member) const {
  const Member &first = group.front();
  int64_t operations = countOperations(member);
  for (const Member &other : group)
    operations += countOperations(other);
  if (operations > maxOperations || first.ticks.size() != member.ticks.size())
    return false;
  return llvm::all_of(llvm::zip_equal(first.ticks, member.ticks), [](auto pair) {
    auto [one, other] = pair;
    return haveOneBox(one, other) && readTheSame(one, other);
  });
}

/// Adds a member that may move up to the first one: it does not depend on the operations between.
bool TickFuser::takes(OpenGroup &group, const Member &member, const Accesses &accesses) const {
  if (!fits(group.members, member) || !accesses.areFreeOf(group.between) ||
      !moveUpInputs(member.op, group.members.front().op))
    return false;
  group.members.push_back(member);
  return true;
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
// Grouping
//===----------------------------------------------------------------------===//

static StringAttr getName(const Group &group) {
  llvm::SetVector<StringRef> names;
  for (const Member &member : group)
    for (TickOp tick : member.ticks)
      names.insert(tick.getName());
  return StringAttr::get(group.front().op->getContext(), llvm::join(names, "."));
}

/// Emits all ticks consecutively, within a named region if requested.
static void buildTogether(OpBuilder &builder, const Group &group, bool inRegion) {
  Location loc = group.front().op->getLoc();
  if (!inRegion) {
    for (const Member &member : group)
      for (TickOp tick : member.ticks)
        builder.clone(*tick);
    return;
  }
  auto together = scf::ExecuteRegionOp::create(builder, loc, TypeRange());
  together.setNoInline(true);
  together->setAttr("lci.name", getName(group));
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&together.getRegion());
  for (const Member &member : group)
    for (TickOp tick : member.ticks)
      builder.clone(*tick);
  scf::YieldOp::create(builder, loc);
}

static void emit(const Group &group, bool inRegions) {
  OpBuilder builder(group.front().op);
  Location loc = group.front().op->getLoc();
  llvm::SetVector<Value> conditions;
  for (const Member &member : group)
    if (member.condition)
      conditions.insert(member.condition);
  if (conditions.empty()) {
    buildTogether(builder, group, inRegions);
    for (const Member &member : group)
      member.op->erase();
    return;
  }
  Value all = conditions.front();
  for (Value condition : conditions.getArrayRef().drop_front())
    all = arith::AndIOp::create(builder, loc, all, condition);
  auto branch = scf::IfOp::create(builder, loc, all, /*withElseRegion=*/true);
  builder.setInsertionPointToStart(branch.thenBlock());
  buildTogether(builder, group, inRegions);
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
    emit(group, inRegions);
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
    int64_t fused = TickFuser(getOperation(), minCells, maxOperations, regions).fuse();
    if (fused > 0)
      took(getOperation(), Way::FusedTicks);
    numGroups += fused;
  }
};
} // namespace

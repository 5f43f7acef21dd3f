//===- FuseSiblingLoops.cpp - Loops of a cell over the same become one ----===//
//
// Several questions about the same candidates ("who wins?", "who would, without this constraint?")
// are loops that check the same of each. Joined, they check it once.
//
// Loops are compared in blocks that read and do nothing else, so that anything in them may move up
// as far as what it is computed from. Upstream's fusion of loops that follow each other leaves to
// its caller which ones may be, and its elimination of common subexpressions leaves loops that load
// alone.
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/Schedule/Passes.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::lci {
#define GEN_PASS_DEF_FUSESIBLINGLOOPSPASS
#include "LCI/Transforms/Schedule/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

static bool readsOnly(Block &block) {
  return llvm::all_of(block, [](Operation &op) {
    std::optional<SmallVector<MemoryEffects::EffectInstance>> effects = getEffectsRecursively(&op);
    return effects && llvm::all_of(*effects, [](const MemoryEffects::EffectInstance &effect) {
             return isa<MemoryEffects::Read>(effect.getEffect());
           });
  });
}

/// Whether two loops read the same buffer or compute with the same number, which is more than to
/// begin and end alike.
static bool haveInCommon(scf::ForOp first, scf::ForOp second) {
  auto usedBy = [](scf::ForOp loop) {
    SetVector<Value> used;
    getUsedValuesDefinedAbove(loop.getRegion(), used);
    used.remove_if(
        [](Value value) { return value.getType().isIndex() || matchPattern(value, m_Constant()); });
    return used;
  };
  SetVector<Value> one = usedBy(first), other = usedBy(second);
  return llvm::any_of(one, [&](Value value) { return other.contains(value); });
}

/// Moves what `op` is computed from before an earlier operation of its block, unless it is computed
/// from that one.
static bool bringBefore(Operation *op, Operation *place) {
  SetVector<Operation *> sources;
  BackwardSliceOptions options;
  options.omitBlockArguments = true;
  options.omitUsesFromAbove = false;
  options.filter = [&](Operation *source) {
    return source->getBlock() == place->getBlock() && !source->isBeforeInBlock(place);
  };
  if (failed(getBackwardSlice(op, &sources, options)) || sources.contains(place))
    return false;
  for (auto it = place->getIterator(); &*it != op;) {
    Operation *source = &*it++;
    if (sources.contains(source))
      source->moveBefore(place);
  }
  return true;
}

namespace {

struct FuseSiblingLoops : lci::impl::FuseSiblingLoopsPassBase<FuseSiblingLoops> {
  using FuseSiblingLoopsPassBase::FuseSiblingLoopsPassBase;

  void runOnOperation() override {
    for (Block &block : getOperation().getBody())
      visit(block);
  }

private:
  /// Blocks from the outside in: joined loops bring together what is in them.
  void visit(Block &block) {
    auto hasRegions = [](Operation &op) { return op.getNumRegions() > 0; };
    if (llvm::count_if(block, hasRegions) > 1 && readsOnly(block))
      joinAll(block);
    for (Operation &op : block)
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          visit(inner);
  }

  /// What is computed from equal loops becomes equal with them, and so may other loops.
  void joinAll(Block &block) {
    while (dropEqual(block) || joinSome(block)) {
      IRRewriter rewriter(&getContext());
      DominanceInfo dominance;
      eliminateCommonSubExpressions(rewriter, dominance, block.getParentOp());
    }
  }

  /// Drops what has regions and an equal before it.
  bool dropEqual(Block &block) {
    constexpr auto flags = OperationEquivalence::IgnoreLocations;
    llvm::DenseMap<size_t, SmallVector<Operation *>> known;
    bool changed = false;
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (op.getNumRegions() == 0)
        continue;
      SmallVector<Operation *> &likely =
          known[OperationEquivalence::computeHash(&op, OperationEquivalence::directHashValue,
                                                  OperationEquivalence::ignoreHashValue, flags)];
      auto *equal = llvm::find_if(likely, [&](Operation *other) {
        return OperationEquivalence::isEquivalentTo(other, &op, flags);
      });
      if (equal == likely.end()) {
        likely.push_back(&op);
        continue;
      }
      op.replaceAllUsesWith(*equal);
      op.erase();
      ++numDropped;
      changed = true;
    }
    return changed;
  }

  /// Joins each loop with the first of the same range that it can go along with.
  bool joinSome(Block &block) {
    llvm::DenseMap<std::tuple<Value, Value, Value>, SmallVector<scf::ForOp>> known;
    bool changed = false;
    for (scf::ForOp loop : llvm::make_early_inc_range(block.getOps<scf::ForOp>())) {
      SmallVector<scf::ForOp> &before =
          known[{loop.getLowerBound(), loop.getUpperBound(), loop.getStep()}];
      auto *other = llvm::find_if(before, [&](scf::ForOp first) {
        return first.getUnsignedCmp() == loop.getUnsignedCmp() && haveInCommon(first, loop) &&
               bringBefore(loop, first);
      });
      if (other == before.end()) {
        before.push_back(loop);
        continue;
      }
      IRRewriter rewriter(&getContext());
      *other = fuseIndependentSiblingForLoops(loop, *other, rewriter);
      ++numJoined;
      changed = true;
    }
    return changed;
  }
};

} // namespace

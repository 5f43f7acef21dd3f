//===- FuseSiblingLoops.cpp - Fuse loops with equal bounds within a cell --===//
//
// Several agreements on the same candidates ("who wins?", "who would, without
// this constraint?") are loops that check the same of each candidate. Fused,
// they check it once.
// Loops are fused in blocks without effects but reads, so that any operation
// may move up to its operands. Upstream's fusion of sibling loops leaves the
// legality to its caller, and its CSE does not merge loops that load.
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

/// Whether two loops read a common buffer or compute with a common number. Equal bounds alone are
/// not enough.
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

/// Moves the backward slice of `op` before an earlier operation of its block, unless the slice
/// contains that operation.
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

struct FuseSiblingLoops : mlir::lci::impl::FuseSiblingLoopsPassBase<FuseSiblingLoops> {
  using FuseSiblingLoopsPassBase::FuseSiblingLoopsPassBase;

  void runOnOperation() override {
    for (Block &block : getOperation().getBody())
      visit(block);
  }

private:
  /// Visits blocks from the outside in: fusion brings inner loops together.
  void visit(Block &block) {
    auto hasRegions = [](Operation &op) { return op.getNumRegions() > 0; };
    if (llvm::count_if(block, hasRegions) > 1 && readsOnly(block))
      fuseAll(block);
    for (Operation &op : block)
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          visit(inner);
  }

  /// Repeats until nothing changes: users of merged loops become equal, and so may other loops.
  void fuseAll(Block &block) {
    while (dropEqual(block) || fuseSome(block)) {
      IRRewriter rewriter(&getContext());
      DominanceInfo dominance;
      eliminateCommonSubExpressions(rewriter, dominance, block.getParentOp());
    }
  }

  /// Erases operations with regions that equal an earlier one.
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

  /// Fuses each loop with the first compatible one of the same range.
  bool fuseSome(Block &block) {
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

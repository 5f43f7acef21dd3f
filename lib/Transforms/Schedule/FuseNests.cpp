//===- FuseNests.cpp - Fuse linalg operations over the same cells ---------===//
//
// Common inputs are loaded once, and memory is traversed once. Upstream fuses a
// producer into its consumer, and adjacent loops of `scf.parallel`; these
// operations are neither, and stay linalg because later passes match it.
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/Schedule/Passes.h"
#include "LCI/Transforms/Support/BufferAliasAnalysis.h"
#include "LCI/Transforms/Support/LinalgUtils.h"
#include "LCI/Transforms/Support/OperationQueries.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/CSE.h"

namespace mlir::lci {
#define GEN_PASS_DEF_FUSENESTSPASS
#include "LCI/Transforms/Schedule/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

//===----------------------------------------------------------------------===//
// Dependences
//===----------------------------------------------------------------------===//

/// The outputs of an operation and the arrays to which it adds counts.
static SmallVector<Value> getWritten(linalg::GenericOp op) {
  SmallVector<Value> written = getCounted(op);
  llvm::append_range(written, op.getDpsInits());
  return written;
}

/// Whether the counters of one operation are not accessed by another one, except for counting.
static bool countsDisjointly(linalg::GenericOp op, linalg::GenericOp other) {
  return llvm::all_of(getCounted(op), [&](Value counted) {
    return llvm::all_of(other->getOperands(),
                        [&](Value operand) { return areDisjoint(counted, operand); });
  });
}

/// Whether two operations may be reordered.
static bool areIndependent(linalg::GenericOp one, linalg::GenericOp other) {
  auto writesNone = [](linalg::GenericOp writer, linalg::GenericOp reader) {
    return llvm::all_of(getWritten(writer), [&](Value written) {
      return llvm::all_of(reader->getOperands(),
                          [&](Value operand) { return areDisjoint(written, operand); });
    });
  };
  return writesNone(one, other) && writesNone(other, one);
}

/// Whether the bodies may run consecutively at each element: the second operation accesses nothing
/// that the first one writes, and the first one reads what the second one writes at the same
/// element only.
static bool mayInterleave(linalg::GenericOp first, linalg::GenericOp second) {
  if (!countsDisjointly(first, second) || !countsDisjointly(second, first))
    return false;
  for (Value written : first.getDpsInits())
    for (Value operand : second->getOperands())
      if (!areDisjoint(written, operand))
        return false;
  SmallVector<AffineMap> maps = first.getIndexingMapsArray();
  for (OpOperand &written : second.getDpsInitsMutable())
    for (OpOperand *read : first.getDpsInputOperands()) {
      bool isSameElement =
          read->get() == written.get() &&
          maps[read->getOperandNumber()] == second.getMatchingIndexingMap(&written);
      if (!isSameElement && !areDisjoint(read->get(), written.get()))
        return false;
    }
  return true;
}

/// The number of common inputs.
static int64_t countShared(linalg::GenericOp first, linalg::GenericOp second) {
  return llvm::count_if(second.getDpsInputOperands(), [&](OpOperand *read) {
    return llvm::any_of(first.getDpsInputOperands(), [&](OpOperand *other) {
      return read->get() == other->get() &&
             second.getMatchingIndexingMap(read) == first.getMatchingIndexingMap(other);
    });
  });
}

//===----------------------------------------------------------------------===//
// Fusion
//===----------------------------------------------------------------------===//

namespace {
/// The operands of both operations, and the index of each operation's operands among them.
struct Operands {
  SmallVector<Value> inputs, outputs;
  SmallVector<AffineMap> inputMaps, outputMaps;
  SmallVector<SmallVector<unsigned>> places;

  void add(linalg::GenericOp op) {
    places.emplace_back();
    for (OpOperand *read : op.getDpsInputOperands())
      places.back().push_back(addInput(read->get(), op.getMatchingIndexingMap(read)));
    for (OpOperand &written : op.getDpsInitsMutable()) {
      places.back().push_back(outputs.size());
      outputs.push_back(written.get());
      outputMaps.push_back(op.getMatchingIndexingMap(&written));
    }
  }

private:
  unsigned addInput(Value input, AffineMap map) {
    for (auto [i, other] : llvm::enumerate(inputs))
      if (other == input && inputMaps[i] == map)
        return i;
    inputs.push_back(input);
    inputMaps.push_back(map);
    return inputs.size() - 1;
  }
};
} // namespace

static SmallVector<utils::IteratorType> getIterators(linalg::GenericOp one,
                                                     linalg::GenericOp other) {
  SmallVector<utils::IteratorType> iterators = one.getIteratorTypesArray();
  for (auto [mine, its] : llvm::zip_equal(iterators, other.getIteratorTypesArray()))
    if (its == utils::IteratorType::reduction)
      mine = its;
  return iterators;
}

/// Appends the body of the second operation to that of the first.
static linalg::GenericOp fusePair(IRRewriter &rewriter, linalg::GenericOp first,
                                  linalg::GenericOp second) {
  Operands all;
  all.add(first);
  all.add(second);
  SmallVector<AffineMap> maps = all.inputMaps;
  llvm::append_range(maps, all.outputMaps);
  auto emit = [&](OpBuilder &inner, Location loc, ValueRange arguments) {
    SmallVector<Value> results;
    linalg::GenericOp both[] = {first, second};
    for (auto [op, places] : llvm::zip_equal(both, all.places)) {
      IRMapping mapping;
      for (auto [number, place] : llvm::enumerate(places)) {
        size_t behind = static_cast<int64_t>(number) < op.getNumDpsInputs() ? 0 : all.inputs.size();
        mapping.map(op.getBody()->getArgument(number), arguments[behind + place]);
      }
      for (Operation &computed : op.getBody()->without_terminator())
        inner.clone(computed, mapping);
      for (Value yielded : op.getBody()->getTerminator()->getOperands())
        results.push_back(mapping.lookupOrDefault(yielded));
    }
    linalg::YieldOp::create(inner, loc, results);
  };
  rewriter.setInsertionPoint(second);
  auto fused = linalg::GenericOp::create(rewriter, first.getLoc(), TypeRange(), all.inputs,
                                         all.outputs, maps, getIterators(first, second), emit);
  fused->setDiscardableAttrs(first->getDiscardableAttrDictionary());
  rewriter.eraseOp(first);
  rewriter.eraseOp(second);
  DominanceInfo dominance(fused);
  eliminateCommonSubExpressions(rewriter, dominance, fused);
  return fused;
}

namespace {
struct FuseNests : mlir::lci::impl::FuseNestsPassBase<FuseNests> {
  using FuseNestsPassBase::FuseNestsPassBase;

  void runOnOperation() override {
    auto hasSeveral = [](Block *block) {
      bool several = llvm::range_size(block->getOps<linalg::GenericOp>()) > 1;
      return several ? WalkResult::interrupt() : WalkResult::advance();
    };
    if (!getOperation().walk(hasSeveral).wasInterrupted())
      return;
    // Then equal views are equal values, and dead operations are erased.
    IRRewriter rewriter(&getContext());
    DominanceInfo dominance(getOperation());
    eliminateCommonSubExpressions(rewriter, dominance, getOperation());
    getOperation().walk([&](Block *block) { fuseIn(*block); });
  }

private:
  /// Fuses each operation with an earlier one of its block, which moves down past others.
  void fuseIn(Block &block) {
    SmallVector<linalg::GenericOp> before;
    IRRewriter rewriter(&getContext());
    for (Operation &op : llvm::make_early_inc_range(block)) {
      auto generic = dyn_cast<linalg::GenericOp>(op);
      if (!generic || !isElementwise(generic)) {
        if (!isPlain(&op)) // any effect
          before.clear();
        continue;
      }
      before.push_back(generic);
      for (size_t i = before.size() - 1; i-- > 0;) {
        if (!mayMoveDown(ArrayRef(before).drop_front(i)) || !isWorthIt(before[i], generic))
          continue;
        before.back() = ::fusePair(rewriter, before[i], generic);
        before.erase(before.begin() + i);
        ++numJoined;
        break;
      }
    }
  }

  /// Whether the first of some operations may move down to just before the last.
  static bool mayMoveDown(ArrayRef<linalg::GenericOp> ops) {
    return llvm::all_of(ops.drop_front().drop_back(), [&](linalg::GenericOp other) {
      return areIndependent(ops.front(), other);
    });
  }

  bool isWorthIt(linalg::GenericOp first, linalg::GenericOp second) {
    if (isForGPU(first) && (!first.isAllParallelLoops() || !second.isAllParallelLoops()))
      return false;
    int64_t shared = countShared(first, second);
    int64_t accesses = first->getNumOperands() + second->getNumOperands() - shared;
    return shared > 0 && accesses <= kMaxAccesses && haveOneNest(first, second) &&
           mayInterleave(first, second);
  }
};
} // namespace

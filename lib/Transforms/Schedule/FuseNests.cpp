//===- FuseNests.cpp - Two linalg operations over the same cells, one nest -===//
//
// What both read is loaded once, and memory is passed once. Upstream fuses a producer into its
// consumer, and loops of `scf.parallel` side by side; these operations are neither, and as linalg
// they keep what the passes behind this one ask for.
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/Schedule/Passes.h"
#include "LCI/Transforms/Support/BufferFacts.h"
#include "LCI/Transforms/Support/NestFacts.h"
#include "LCI/Transforms/Support/RowViews.h"
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
// Facts
//===----------------------------------------------------------------------===//

/// What an operation writes and what it counts to.
static SmallVector<Value> getWritten(linalg::GenericOp op) {
  SmallVector<Value> written = getCounted(op);
  llvm::append_range(written, op.getDpsInits());
  return written;
}

/// Whether what an operation counts, another one neither reads nor writes; it may count as well.
static bool countsAside(linalg::GenericOp op, linalg::GenericOp other) {
  return llvm::all_of(getCounted(op), [&](Value counted) {
    return llvm::all_of(other->getOperands(),
                        [&](Value operand) { return areApart(counted, operand); });
  });
}

/// Whether the order of two operations does not matter.
static bool areIndependent(linalg::GenericOp one, linalg::GenericOp other) {
  auto writesNone = [](linalg::GenericOp writer, linalg::GenericOp reader) {
    return llvm::all_of(getWritten(writer), [&](Value written) {
      return llvm::all_of(reader->getOperands(),
                          [&](Value operand) { return areApart(written, operand); });
    });
  };
  return writesNone(one, other) && writesNone(other, one);
}

/// Whether an element's computations may follow one another: what the first one writes the second
/// one does not touch, and what the second one writes the first one reads at the same element only.
static bool mayAlternate(linalg::GenericOp first, linalg::GenericOp second) {
  if (!countsAside(first, second) || !countsAside(second, first))
    return false;
  for (Value written : first.getDpsInits())
    for (Value operand : second->getOperands())
      if (!areApart(written, operand))
        return false;
  SmallVector<AffineMap> maps = first.getIndexingMapsArray();
  for (OpOperand &written : second.getDpsInitsMutable())
    for (OpOperand *read : first.getDpsInputOperands()) {
      bool isOwn = read->get() == written.get() &&
                   maps[read->getOperandNumber()] == second.getMatchingIndexingMap(&written);
      if (!isOwn && !areApart(read->get(), written.get()))
        return false;
    }
  return true;
}

/// How many inputs both read.
static int64_t countShared(linalg::GenericOp first, linalg::GenericOp second) {
  return llvm::count_if(second.getDpsInputOperands(), [&](OpOperand *read) {
    return llvm::any_of(first.getDpsInputOperands(), [&](OpOperand *other) {
      return read->get() == other->get() &&
             second.getMatchingIndexingMap(read) == first.getMatchingIndexingMap(other);
    });
  });
}

//===----------------------------------------------------------------------===//
// Joining
//===----------------------------------------------------------------------===//

namespace {
/// Operands of both, and where each one's stand among them.
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

/// The second one's operations behind those of the first.
static linalg::GenericOp join(IRRewriter &rewriter, linalg::GenericOp first,
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
  auto joined = linalg::GenericOp::create(rewriter, first.getLoc(), TypeRange(), all.inputs,
                                          all.outputs, maps, getIterators(first, second), emit);
  joined->setDiscardableAttrs(first->getDiscardableAttrDictionary());
  rewriter.eraseOp(first);
  rewriter.eraseOp(second);
  DominanceInfo dominance(joined);
  eliminateCommonSubExpressions(rewriter, dominance, joined);
  return joined;
}

namespace {
struct FuseNests : lci::impl::FuseNestsPassBase<FuseNests> {
  using FuseNestsPassBase::FuseNestsPassBase;

  void runOnOperation() override {
    auto hasSeveral = [](Block *block) {
      bool several = llvm::range_size(block->getOps<linalg::GenericOp>()) > 1;
      return several ? WalkResult::interrupt() : WalkResult::advance();
    };
    if (!getOperation().walk(hasSeveral).wasInterrupted())
      return;
    // Equal views are equal values then; what is dead is gone with its blocks.
    IRRewriter rewriter(&getContext());
    DominanceInfo dominance(getOperation());
    eliminateCommonSubExpressions(rewriter, dominance, getOperation());
    getOperation().walk([&](Block *block) { joinIn(*block); });
  }

private:
  /// Each operation with one before it, which moves down to it past others.
  void joinIn(Block &block) {
    SmallVector<linalg::GenericOp> before;
    IRRewriter rewriter(&getContext());
    for (Operation &op : llvm::make_early_inc_range(block)) {
      auto generic = dyn_cast<linalg::GenericOp>(op);
      if (!generic || !isElementwise(generic)) {
        if (!isPlain(&op)) // whatever it does
          before.clear();
        continue;
      }
      before.push_back(generic);
      for (size_t i = before.size() - 1; i-- > 0;) {
        if (!mayMoveDown(ArrayRef(before).drop_front(i)) || !isWorthIt(before[i], generic))
          continue;
        before.back() = ::join(rewriter, before[i], generic);
        before.erase(before.begin() + i);
        ++numJoined;
        break;
      }
    }
  }

  /// The first of some to just before the last.
  static bool mayMoveDown(ArrayRef<linalg::GenericOp> ops) {
    return llvm::all_of(ops.drop_front().drop_back(), [&](linalg::GenericOp other) {
      return areIndependent(ops.front(), other);
    });
  }

  bool isWorthIt(linalg::GenericOp first, linalg::GenericOp second) {
    if (threads && (!first.isAllParallelLoops() || !second.isAllParallelLoops()))
      return false;
    int64_t shared = countShared(first, second);
    int64_t accesses = first->getNumOperands() + second->getNumOperands() - shared;
    return shared > 0 && accesses <= kMostAccesses && haveOneNest(first, second) &&
           mayAlternate(first, second);
  }
};
} // namespace

//===- StripMineDraws.cpp - Share one Philox block among its cells --------===//
//
// A block of a threshold draw serves 32 cells, but expanded code computes it for each. This pass
// cuts the loop over cells where their group changes: the group is then invariant in the inner
// loop, and so is the Philox computation on it, which code motion hoists. The cut is correct
// whatever the loop computes; the choice of the group only decides how much is shared.
//
//===----------------------------------------------------------------------===//

#include "LCI/Conversion/DrawsToArith/Passes.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::lci {
#define GEN_PASS_DEF_STRIPMINEDRAWSPASS
#include "LCI/Conversion/DrawsToArith/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

namespace {

/// The group of a cell, and the operations that compute it from the induction variable, in order.
struct Group {
  arith::ShRUIOp shift;
  SetVector<Operation *> slice;
};

} // namespace

/// Cells share a block by 32 in threshold draws and by 4 in number draws.
static bool isGroupShift(arith::ShRUIOp op, unsigned shift) {
  APInt amount;
  return op.getType().isInteger(64) && matchPattern(op.getRhs(), m_ConstantInt(&amount)) &&
         amount == shift;
}

/// The computation of the shift inside of the loop, if it depends only on the induction variable.
static std::optional<Group> getGroup(scf::ForOp loop, arith::ShRUIOp shift) {
  Group group{shift, {}};
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitBlockArguments = true;
  options.filter = [&](Operation *op) { return loop->isProperAncestor(op); };
  if (failed(getBackwardSlice(shift.getOperation(), &group.slice, options)))
    return std::nullopt;
  bool usesIndex = false;
  for (Operation *op : group.slice) {
    if (op->getBlock() != loop.getBody() || !isPure(op) || op->getNumRegions() != 0)
      return std::nullopt;
    for (Value operand : op->getOperands()) {
      if (llvm::is_contained(loop.getRegionIterArgs(), operand))
        return std::nullopt;
      usesIndex |= operand == loop.getInductionVar();
    }
  }
  return usesIndex ? std::optional<Group>(std::move(group)) : std::nullopt;
}

/// Vectors of cells may be as long as groups: then no two iterations share one.
static bool stepsOverGroups(scf::ForOp loop, unsigned shift) {
  APInt step;
  return matchPattern(loop.getStep(), m_ConstantInt(&step)) && step.sge(int64_t(1) << shift);
}

static std::optional<Group> findGroup(scf::ForOp loop) {
  for (unsigned shift : {5, 2}) {
    if (stepsOverGroups(loop, shift))
      continue;
    for (auto op : loop.getBody()->getOps<arith::ShRUIOp>())
      if (isGroupShift(op, shift))
        if (std::optional<Group> group = getGroup(loop, op))
          return group;
  }
  return std::nullopt;
}

/// The group of the cell at another index.
static Value buildGroup(OpBuilder &builder, Group &group, Value from, Value index) {
  IRMapping mapping;
  mapping.map(from, index);
  for (Operation *op : group.slice)
    builder.clone(*op, mapping);
  return mapping.lookup(group.shift.getResult());
}

/// Moves the loop's body into a loop that ends with the group. Returns that loop, whose results are
/// the next index and the carried values.
static scf::WhileOp buildInner(RewriterBase &rewriter, scf::ForOp loop, Group &group,
                               ValueRange start) {
  Location loc = loop.getLoc();
  Value index = loop.getInductionVar();
  Value current = buildGroup(rewriter, group, index, start.front());
  auto inner = scf::WhileOp::create(rewriter, loc, start.getTypes(), start);
  SmallVector<Location> locs(start.size(), loc);
  Block *body = rewriter.createBlock(&inner.getBefore(), {}, start.getTypes(), locs);
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());

  // Is the next cell in the loop and in this group?
  rewriter.setInsertionPointToEnd(body);
  Value next = arith::AddIOp::create(rewriter, loc, body->getArgument(0), loop.getStep());
  Value inside =
      arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt, next, loop.getUpperBound());
  Value nextGroup = buildGroup(rewriter, group, index, next);
  Value same = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, nextGroup, current);
  Value goOn = arith::AndIOp::create(rewriter, loc, inside, same);
  SmallVector<Value> carried{next};
  llvm::append_range(carried, yield.getOperands());
  scf::ConditionOp::create(rewriter, loc, goOn, carried);

  rewriter.replaceAllUsesWith(group.shift.getResult(), current);
  rewriter.eraseOp(yield);
  rewriter.inlineBlockBefore(loop.getBody(), &body->front(), body->getArguments());
  Block *after = rewriter.createBlock(&inner.getAfter(), {}, start.getTypes(), locs);
  scf::YieldOp::create(rewriter, loc, after->getArguments());
  rewriter.setInsertionPointAfter(inner);
  return inner;
}

static void cutLoop(RewriterBase &rewriter, scf::ForOp loop, Group &group) {
  Location loc = loop.getLoc();
  rewriter.setInsertionPoint(loop);
  SmallVector<Value> start{loop.getLowerBound()};
  llvm::append_range(start, loop.getInitArgs());
  TypeRange types = ValueRange(start).getTypes();
  SmallVector<Location> locs(start.size(), loc);
  auto outer = scf::WhileOp::create(rewriter, loc, types, start);

  Block *before = rewriter.createBlock(&outer.getBefore(), {}, types, locs);
  Value inside = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt,
                                       before->getArgument(0), loop.getUpperBound());
  scf::ConditionOp::create(rewriter, loc, inside, before->getArguments());

  Block *after = rewriter.createBlock(&outer.getAfter(), {}, types, locs);
  scf::WhileOp inner = buildInner(rewriter, loop, group, after->getArguments());
  scf::YieldOp::create(rewriter, loc, inner.getResults());
  rewriter.replaceOp(loop, outer.getResults().drop_front());
}

namespace {
struct StripMineDraws : mlir::lci::impl::StripMineDrawsPassBase<StripMineDraws> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation()->walk([&](scf::ForOp loop) { loops.push_back(loop); });
    IRRewriter rewriter(&getContext());
    for (scf::ForOp loop : loops) {
      std::optional<Group> group = findGroup(loop);
      if (!group)
        continue;
      cutLoop(rewriter, loop, *group);
      ++numLoops;
    }
  }
};
} // namespace

//===- ConcatParallelLoops.cpp - Two parallel loops as one ----------------===//

#include "LCI/Transforms/Schedule/ConcatParallelLoops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::lci;

/// Moves what a loop does in a turn to another place.
static void inlineTurn(RewriterBase &rewriter, scf::ParallelOp loop, Operation *before,
                       ValueRange turn) {
  rewriter.eraseOp(loop.getBody()->getTerminator());
  rewriter.inlineBlockBefore(loop.getBody(), before, turn);
  rewriter.eraseOp(loop);
}

scf::ParallelOp lci::mergeTurns(RewriterBase &rewriter, scf::ParallelOp first,
                                scf::ParallelOp second) {
  inlineTurn(rewriter, first, &second.getBody()->front(), second.getInductionVars());
  return second;
}

scf::ParallelOp lci::concatParallelLoops(RewriterBase &rewriter, scf::ParallelOp first,
                                         scf::ParallelOp second, unsigned axis) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(second);
  Location loc = first.getLoc();
  Value many = first.getUpperBound()[axis];
  SmallVector<Value> upper(first.getUpperBound());
  upper[axis] = rewriter.createOrFold<arith::AddIOp>(loc, many, second.getUpperBound()[axis]);
  auto joined =
      scf::ParallelOp::create(rewriter, loc, first.getLowerBound(), upper, first.getStep());
  rewriter.setInsertionPointToStart(joined.getBody());
  SmallVector<Value> turn(joined.getInductionVars());
  Value isFirst = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ult, turn[axis], many);
  auto choice = scf::IfOp::create(rewriter, loc, isFirst, /*withElseRegion=*/true);
  inlineTurn(rewriter, first, choice.thenBlock()->getTerminator(), turn);
  rewriter.setInsertionPointToStart(choice.elseBlock());
  turn[axis] = arith::SubIOp::create(rewriter, loc, turn[axis], many);
  inlineTurn(rewriter, second, choice.elseBlock()->getTerminator(), turn);
  return joined;
}

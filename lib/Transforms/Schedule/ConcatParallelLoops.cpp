//===- ConcatParallelLoops.cpp - Concatenate parallel loops ---------------===//

#include "LCI/Transforms/Schedule/ConcatParallelLoops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::lci;

/// Moves the body of a loop before an operation, with given induction variables.
static void inlineIteration(RewriterBase &rewriter, scf::ParallelOp loop, Operation *before,
                            ValueRange indices) {
  rewriter.eraseOp(loop.getBody()->getTerminator());
  rewriter.inlineBlockBefore(loop.getBody(), before, indices);
  rewriter.eraseOp(loop);
}

scf::ParallelOp mlir::lci::mergeIterations(RewriterBase &rewriter, scf::ParallelOp first,
                                           scf::ParallelOp second) {
  inlineIteration(rewriter, first, &second.getBody()->front(), second.getInductionVars());
  return second;
}

scf::ParallelOp mlir::lci::concatParallelLoops(RewriterBase &rewriter, scf::ParallelOp first,
                                               scf::ParallelOp second, unsigned axis) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(second);
  Location loc = first.getLoc();
  Value many = first.getUpperBound()[axis];
  SmallVector<Value> upper(first.getUpperBound());
  upper[axis] = rewriter.createOrFold<arith::AddIOp>(loc, many, second.getUpperBound()[axis]);
  auto loop = scf::ParallelOp::create(rewriter, loc, first.getLowerBound(), upper, first.getStep());
  rewriter.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> indices(loop.getInductionVars());
  Value isFirst =
      arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ult, indices[axis], many);
  auto choice = scf::IfOp::create(rewriter, loc, isFirst, /*withElseRegion=*/true);
  inlineIteration(rewriter, first, choice.thenBlock()->getTerminator(), indices);
  rewriter.setInsertionPointToStart(choice.elseBlock());
  indices[axis] = arith::SubIOp::create(rewriter, loc, indices[axis], many);
  inlineIteration(rewriter, second, choice.elseBlock()->getTerminator(), indices);
  return loop;
}

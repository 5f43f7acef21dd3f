//===- MergeIterations.cpp - One parallel loop of two ---------------------===//

#include "LCI/Transforms/Schedule/MergeIterations.h"

using namespace mlir;
using namespace mlir::lci;

scf::ParallelOp mlir::lci::mergeIterations(RewriterBase &rewriter, scf::ParallelOp first,
                                           scf::ParallelOp second) {
  rewriter.eraseOp(first.getBody()->getTerminator());
  rewriter.inlineBlockBefore(first.getBody(), &second.getBody()->front(),
                             second.getInductionVars());
  rewriter.eraseOp(first);
  return second;
}

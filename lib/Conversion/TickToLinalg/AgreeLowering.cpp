//===- AgreeLowering.cpp - Lower agreement to a loop over candidates ------===//
//
// Candidates come in the order of their tokens, and only a strictly better one replaces the best so
// far: the lowest token wins ties without comparing tokens.
//
//===----------------------------------------------------------------------===//

#include "LCI/Dialect/CandidateOrder.h"
#include "Lowerings.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace mlir::lci;

namespace {

struct AgreeOpLowering : OpConversionPattern<AgreeOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(AgreeOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Block &body = op.getBody().front();
    CandidateOp candidate = op.getCandidate();
    Value one = arith::ConstantIntOp::create(rewriter, loc, 1, 64);
    auto loop = scf::ForOp::create(rewriter, loc, adaptor.getLower(), adaptor.getUpper(), one,
                                   buildWorst(rewriter, loc, adaptor.getLower(), candidate));
    Block *loopBody = loop.getBody();
    if (!loopBody->empty())
      rewriter.eraseOp(loopBody->getTerminator());
    rewriter.inlineBlockBefore(&body, loopBody, loopBody->end(), loop.getInductionVar());
    rewriter.setInsertionPoint(candidate);
    SmallVector<Value> mine{loop.getInductionVar()};
    llvm::append_range(mine, flattenRank(candidate));
    SmallVector<Value> next =
        buildBetter(rewriter, loc, mine, loop.getRegionIterArgs(), candidate.getLevels().size());
    scf::YieldOp::create(rewriter, loc, next);
    rewriter.eraseOp(candidate);
    rewriter.replaceOp(op, loop.getResults().take_front(op.getNumResults()));
    return success();
  }
};

} // namespace

void mlir::lci::populateAgreeLowering(RewritePatternSet &patterns) {
  patterns.add<AgreeOpLowering>(patterns.getContext());
}

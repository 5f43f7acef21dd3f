//===- AgreeLowering.cpp - The best candidate by a loop over all ----------===//
//
// Candidates come in the order of their tokens, and only a strictly better one replaces the best so
// far: that makes the lowest token win ties without comparing tokens.
//
//===----------------------------------------------------------------------===//

#include "LCI/Dialect/CandidateOrder.h"
#include "Lowerings.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace mlir::lci;

namespace {

/// A candidate and what ranks it, as values that a loop carries.
struct Ranked {
  Value token;
  CandidateRank rank;

  Ranked(Value token, CandidateOp candidate)
      : token(token), rank{candidate.getAdmissible(), candidate.getScore(), candidate.getProposed(),
                           candidate.getLevels(), candidate.getTies()} {}
  /// The same from what `flatten` made of another candidate.
  Ranked(ValueRange values, CandidateOp like)
      : token(values[0]), rank{values[1], values[2], values[3], {}, {}} {
    ValueRange rest = values.drop_front(4);
    rank.levels.assign(rest.begin(), rest.begin() + like.getLevels().size());
    rank.ties.assign(rest.begin() + like.getLevels().size(), rest.end());
  }

  SmallVector<Value> flatten() const {
    SmallVector<Value> values{token, rank.admissible, rank.score, rank.proposed};
    llvm::append_range(values, rank.levels);
    llvm::append_range(values, rank.ties);
    return values;
  }
};

struct AgreeOpLowering : OpConversionPattern<AgreeOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(AgreeOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Block &body = op.getBody().front();
    auto candidate = cast<CandidateOp>(body.getTerminator());
    Value one = arith::ConstantIntOp::create(rewriter, loc, 1, 64);
    auto loop = scf::ForOp::create(rewriter, loc, adaptor.getLower(), adaptor.getUpper(), one,
                                   worst(rewriter, loc, adaptor.getLower(), candidate));
    Block *loopBody = loop.getBody();
    if (!loopBody->empty())
      rewriter.eraseOp(loopBody->getTerminator());
    rewriter.inlineBlockBefore(&body, loopBody, loopBody->end(), loop.getInductionVar());
    rewriter.setInsertionPoint(candidate);
    Ranked mine(loop.getInductionVar(), candidate);
    Ranked best(loop.getRegionIterArgs(), candidate);
    Value better = buildRanksAbove(rewriter, loc, mine.rank, best.rank);
    SmallVector<Value> next;
    for (auto [a, b] : llvm::zip_equal(mine.flatten(), best.flatten()))
      next.push_back(arith::SelectOp::create(rewriter, loc, better, a, b));
    scf::YieldOp::create(rewriter, loc, next);
    rewriter.eraseOp(candidate);
    rewriter.replaceOp(op, loop.getResults().take_front(2));
    return success();
  }

  /// What every admissible candidate beats.
  static SmallVector<Value> worst(OpBuilder &builder, Location loc, Value token,
                                  CandidateOp candidate) {
    Value no = arith::ConstantIntOp::create(builder, loc, 0, 1);
    Value score = arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(0.0f));
    SmallVector<Value> values{token, no, score, no};
    Value zero = arith::ConstantIntOp::create(builder, loc, 0, 64);
    values.append(candidate.getLevels().size() + candidate.getTies().size(), zero);
    return values;
  }
};

} // namespace

void lci::populateAgreeLowering(RewritePatternSet &patterns) {
  patterns.add<AgreeOpLowering>(patterns.getContext());
}

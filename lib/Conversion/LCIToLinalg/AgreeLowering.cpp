//===- AgreeLowering.cpp - The best candidate by a loop over all ----------===//
//
// Candidates come in the order of their tokens, and only a strictly better one replaces the best so
// far: that makes the lowest token win ties without comparing tokens.
//
//===----------------------------------------------------------------------===//

#include "Lowerings.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace mlir::lci;

namespace {

/// What ranks a candidate, and the best so far.
struct Rank {
  Value token, found, score, proposed;
  SmallVector<Value> levels;

  explicit Rank(ValueRange values)
      : token(values[0]), found(values[1]), score(values[2]), proposed(values[3]),
        levels(values.drop_front(4)) {}
  Rank(Value token, CandidateOp candidate)
      : token(token), found(candidate.getAdmissible()), score(candidate.getScore()),
        proposed(candidate.getProposed()), levels(candidate.getLevels()) {}

  SmallVector<Value> flatten() const {
    SmallVector<Value> values{token, found, score, proposed};
    llvm::append_range(values, levels);
    return values;
  }
};

/// Builds the comparison of two candidates.
class Comparison {
public:
  Comparison(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  /// Whether `a` is admissible and ranks strictly above `b`.
  Value better(const Rank &a, const Rank &b) {
    // From the last criterion to the first: decided there, or equal there and decided so far.
    Value above = both(a.proposed, negate(b.proposed));
    above = decide(scoreAbove(a.score, b.score), scoreEqual(a.score, b.score), above);
    for (auto [mine, other] : llvm::reverse(llvm::zip_equal(a.levels, b.levels)))
      above = decide(compare(arith::CmpIPredicate::sgt, mine, other),
                     compare(arith::CmpIPredicate::eq, mine, other), above);
    return both(a.found, either(negate(b.found), above));
  }

private:
  Value both(Value a, Value b) { return arith::AndIOp::create(builder, loc, a, b); }
  Value either(Value a, Value b) { return arith::OrIOp::create(builder, loc, a, b); }
  Value negate(Value a) {
    Value yes = arith::ConstantIntOp::create(builder, loc, 1, 1);
    return arith::XOrIOp::create(builder, loc, a, yes);
  }
  Value compare(arith::CmpIPredicate predicate, Value a, Value b) {
    return arith::CmpIOp::create(builder, loc, predicate, a, b);
  }
  Value compare(arith::CmpFPredicate predicate, Value a, Value b) {
    return arith::CmpFOp::create(builder, loc, predicate, a, b);
  }
  Value decide(Value above, Value equal, Value rest) { return either(above, both(equal, rest)); }
  Value isNaN(Value a) { return compare(arith::CmpFPredicate::UNO, a, a); }
  /// A NaN loses to every number.
  Value scoreAbove(Value a, Value b) {
    return either(compare(arith::CmpFPredicate::OGT, a, b), both(negate(isNaN(a)), isNaN(b)));
  }
  Value scoreEqual(Value a, Value b) {
    return either(compare(arith::CmpFPredicate::OEQ, a, b), both(isNaN(a), isNaN(b)));
  }

  OpBuilder &builder;
  Location loc;
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
    Rank mine(loop.getInductionVar(), candidate);
    Rank best(loop.getRegionIterArgs());
    Value better = Comparison(rewriter, loc).better(mine, best);
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
    values.append(candidate.getLevels().size(), zero);
    return values;
  }
};

} // namespace

void lci::populateAgreeLowering(RewritePatternSet &patterns) {
  patterns.add<AgreeOpLowering>(patterns.getContext());
}

//===- Policies.cpp - Policies: the choice among equal candidates ---------===//
//
// AGREE for each policy, over a list or a loop of candidates: accept and satisfy take the best one,
// quorum counts votes, sample and Metropolis draw. One proposal against keep has a shorter form.
//
//===----------------------------------------------------------------------===//

#include "Agreement.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <cmath>

using namespace mlir;
using namespace mlir::lci;

/// With one proposal, `sample` draws that one.
Policy Agreement::getPolicy() {
  bool isOne = isSingle() && isList();
  return isOne && commit.getPolicy() == Policy::Sample ? Policy::Accept : commit.getPolicy();
}

bool Agreement::isOneProposal() {
  return isSingle() && isList() && !scores && getPolicy() != Policy::Quorum;
}

FailureOr<Agreement::Winner> Agreement::agree(ConstraintOp without) {
  Policy policy = getPolicy();
  if (policy == Policy::Sample)
    return sample(without);
  if (policy == Policy::Quorum)
    return agreeOnQuorum(without);
  if (isOneProposal())
    return agreeOnOne(without);
  if (policy == Policy::Metropolis)
    return walk(without);
  Order order = policy == Policy::Accept ? Order::Accept : Order::Satisfy;
  if (!isList() && visitsAllTokens())
    return findBestAny(order, without);
  FailureOr<Candidate> best = findBest(order, without);
  if (failed(best))
    return failure();
  return Winner{best->token, best->admissible};
}

/// S-POLICY-QUORUM: fewer votes than the quorum count as none, and if no candidate has votes keep
/// wins. If neither is among the equals, nothing wins.
FailureOr<Agreement::Winner> Agreement::agreeOnQuorum(ConstraintOp without) {
  FailureOr<Candidate> best = findBest(Order::Quorum, without);
  if (failed(best))
    return failure();
  Value enough =
      arith::CmpIOp::create(b, body.loc(), arith::CmpIPredicate::sgt, best->votes, body.integer(0));
  Value wins = body.either(enough, best->isKeep);
  return Winner{best->token, body.both(best->admissible, wins)};
}

//===----------------------------------------------------------------------===//
// One proposal against keep
//===----------------------------------------------------------------------===//

/// Whether the proposal beats keep: lexicographically by the levels, then by the policy.
Value Agreement::prefersProposal(const Candidate &proposal, const Candidate &keep) {
  Location loc = body.loc();
  Value better;
  if (getPolicy() == Policy::Accept) {
    better = body.truthValue(true);
  } else if (getPolicy() == Policy::Metropolis) {
    better = acceptsMetropolis(proposal, keep);
  } else {
    // Not worse is enough, because proposals come before keep. A NaN loses to every number.
    Value notWorse =
        arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGE, proposal.score, keep.score);
    Value keepIsNaN =
        arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, keep.score, keep.score);
    better = body.either(notWorse, keepIsNaN);
  }
  for (auto [mine, other] : llvm::reverse(llvm::zip_equal(proposal.levels, keep.levels))) {
    Value more = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt, mine, other);
    Value equal = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, mine, other);
    better = body.either(more, body.both(equal, better));
  }
  return better;
}

FailureOr<Agreement::Winner> Agreement::agreeOnOne(ConstraintOp without) {
  Voice &voice = voices.front();
  Candidate mine{voice.proposal, isValid(voice), {}, {}, {}, {}, {}, {}, {}};
  Candidate kept{keep.value, body.both(active, keep.present), {}, {}, {}, {}, {}, {}, {}};
  if (failed(rank(mine, without)) || failed(rank(kept, without)))
    return failure();
  if (getPolicy() != Policy::Accept) {
    FailureOr<Value> score = scoreOf(voice, mine.token), keepScore = scoreOfKeep(voice, kept.token);
    if (failed(score) || failed(keepScore))
      return failure();
    mine.score = *score;
    kept.score = *keepScore;
    // Where keep is the same token the two merge and the best score counts.
    if (voice.emit.getSureness())
      kept.score = arith::SelectOp::create(b, body.loc(), sameToken(mine.token, kept.token),
                                           mine.score, kept.score);
    mine.score = weigh(mine);
    kept.score = weigh(kept);
  }
  Value better = prefersProposal(mine, kept);
  Value keepLoses = kept.admissible ? body.either(body.negate(kept.admissible), better) : better;
  if (!kept.admissible && !better)
    keepLoses = Value();
  Value wins = body.both(mine.admissible, keepLoses);
  Value token = wins ? Value(arith::SelectOp::create(b, body.loc(), wins, mine.token, kept.token))
                     : mine.token;
  return Winner{token, body.either(wins, kept.admissible)};
}

//===----------------------------------------------------------------------===//
// Draws
//===----------------------------------------------------------------------===//

/// S-POLICY-DRAW: all calls compare the same draw.
Value Agreement::drawsBelow(Value probability) {
  auto stream = StreamAttr::get(b.getContext(), ProgramOp::getDeclarationNumber(commit), 0);
  return BernoulliOp::create(b, body.loc(), b.getI1Type(), probability, Value(), stream);
}

/// A temperature that reads an array cannot be computed by the enclosing function, so the tick
/// does.
LogicalResult Agreement::lowerTemperature() {
  if (commit.getTemperature().empty() || body.temperature())
    return success();
  Block &formula = commit.getTemperature().front();
  if (failed(body.lower(formula)))
    return failure();
  lowered = body.lookup(cast<YieldOp>(formula.getTerminator()).getValue());
  return success();
}

Value Agreement::temperature() { return lowered ? lowered : body.import(body.temperature()); }

/// exp(difference / T).
static Value buildBoltzmann(OpBuilder &b, Location loc, Value difference, Value temperature) {
  Value exponent = arith::DivFOp::create(b, loc, difference, temperature);
  return ElementaryOp::create(b, loc, exponent.getType(), Elementary::Exp, exponent);
}

/// Δscore ≥ 0, or a draw with probability exp(Δscore / T).
Value Agreement::acceptsMetropolis(const Candidate &proposal, const Candidate &keep) {
  Location loc = body.loc();
  Value delta = arith::SubFOp::create(b, loc, proposal.score, keep.score);
  Value up = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGE, delta, body.number(0.0f));
  Value chance = buildBoltzmann(b, loc, delta, temperature());
  return body.either(up, drawsBelow(chance));
}

/// Whether a candidate is a proposal among the equals, of which `best` is one.
Value Agreement::isEqualProposal(const Candidate &candidate, const Candidate &best) {
  Value same = buildSameLevels(b, body.loc(), candidate.levels, best.levels);
  return body.orTrue(body.both(candidate.admissible, body.both(candidate.proposed, same)));
}

/// S-POLICY-METROPOLIS: the best is the proposal if no other one is among the equals.
FailureOr<Agreement::Winner> Agreement::walk(ConstraintOp without) {
  FailureOr<Candidate> best = findBest(Order::Accept, without), kept = getKeep(without);
  if (failed(best) || failed(kept))
    return failure();
  auto findOther = [&](const Candidate &candidate, ValueRange found) -> SmallVector<Value> {
    Value differs = body.negate(sameToken(candidate.token, best->token));
    Value isOther = body.both(isEqualProposal(candidate, *best), differs);
    return {body.either(found.front(), isOther)};
  };
  FailureOr<SmallVector<Value>> other = visit(body.truthValue(false), without, findOther);
  if (failed(other))
    return failure();
  Value isOne = body.both(best->proposed, body.negate(other->front()));
  Value keepIsEqual =
      body.both(kept->admissible, buildSameLevels(b, body.loc(), kept->levels, best->levels));
  Value accepts = body.either(body.negate(keepIsEqual), acceptsMetropolis(*best, *kept));
  Value moves = body.both(best->admissible, body.both(isOne, accepts));
  Value token = arith::SelectOp::create(b, body.loc(), moves, best->token, kept->token);
  return Winner{token, body.either(moves, body.both(best->admissible, keepIsEqual))};
}

/// The sum of all weights. None is negative; `absf` tells divisions by it so, which then need not
/// test the sign.
static Value buildWhole(OpBuilder &b, Location loc, Value sum) {
  return math::AbsFOp::create(b, loc, sum);
}

/// S-POLICY-SAMPLE: exp((s − m) / T), 1 where s is m and 0 where only s is NaN; 0 for a candidate
/// that cannot be drawn.
Value Agreement::getSampleWeight(const Candidate &candidate, const Candidate &best) {
  Location loc = body.loc();
  auto isNaN = [&](Value v) -> Value {
    return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, v, v);
  };
  Value distance = arith::SubFOp::create(b, loc, candidate.score, best.score);
  Value weight = buildBoltzmann(b, loc, distance, temperature());
  Value noNumber = isNaN(candidate.score), zero = body.number(0.0f);
  Value same =
      arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, candidate.score, best.score);
  same = body.either(same, body.both(noNumber, isNaN(best.score)));
  weight = arith::SelectOp::create(b, loc, noNumber, zero, weight);
  weight = arith::SelectOp::create(b, loc, same, body.number(1.0f), weight);
  Value isDrawn = isEqualProposal(candidate, best);
  return arith::SelectOp::create(b, loc, isDrawn, weight, zero);
}

/// Two loops over all tokens: the sum of the weights, then the first token at which the draw is
/// below its partial sum, or, if the sums are not numbers, the last that may be drawn.
FailureOr<Value> Agreement::drawFromAll(const Candidate &best, ConstraintOp without) {
  Location loc = body.loc();
  auto add = [&](const Candidate &candidate, ValueRange sum) -> SmallVector<Value> {
    Value weight = getSampleWeight(candidate, best);
    return {arith::AddFOp::create(b, loc, sum.front(), weight)};
  };
  FailureOr<SmallVector<Value>> all = visit(body.number(0.0f), without, add);
  if (failed(all))
    return failure();
  Value whole = buildWhole(b, loc, all->front());
  auto meet = [&](const Candidate &candidate, ValueRange state) -> SmallVector<Value> {
    Value running = add(candidate, state.front()).front(), isFound = state[1];
    Value share = arith::DivFOp::create(b, loc, running, whole);
    Value takes = body.both(isEqualProposal(candidate, best), body.negate(isFound));
    Value token = arith::SelectOp::create(b, loc, takes, candidate.token, state[2]);
    return {running, body.either(isFound, body.both(takes, drawsBelow(share))), token};
  };
  SmallVector<Value> start{body.number(0.0f), body.truthValue(false), best.token};
  FailureOr<SmallVector<Value>> met = visit(start, without, meet);
  if (failed(met))
    return failure();
  return met->back();
}

/// The same over a list, which is sorted first. A candidate that cannot be drawn is replaced by
/// another copy of the best, of weight zero.
FailureOr<Value> Agreement::drawFromList(const Candidate &best, ConstraintOp without) {
  Location loc = body.loc();
  FailureOr<SmallVector<Candidate>> list = getList(without);
  if (failed(list))
    return failure();
  SmallVector<std::pair<Value, Value>> sorted; // tokens and weights
  for (const Candidate &candidate : ArrayRef(*list).drop_back()) {
    Value weight = getSampleWeight(candidate, best), isDrawn = isEqualProposal(candidate, best);
    Value token = arith::SelectOp::create(b, loc, isDrawn, candidate.token, best.token);
    for (auto &[other, otherWeight] : sorted) { // of equal proposals the last one counts
      Value same = body.both(isDrawn, sameToken(token, other));
      otherWeight = arith::SelectOp::create(b, loc, same, body.number(0.0f), otherWeight);
    }
    sorted.push_back({token, weight});
    for (size_t i = sorted.size(); --i > 0;) {
      auto &[low, lowWeight] = sorted[i - 1];
      auto &[high, highWeight] = sorted[i];
      Value swaps = buildIsLower(b, loc, high, low);
      auto exchange = [&](Value &first, Value &second) {
        Value lower = arith::SelectOp::create(b, loc, swaps, second, first);
        second = arith::SelectOp::create(b, loc, swaps, first, second);
        first = lower;
      };
      exchange(low, high);
      exchange(lowWeight, highWeight);
    }
  }
  SmallVector<Value> sums;
  for (auto &[token, weight] : sorted)
    sums.push_back(sums.empty() ? weight
                                : Value(arith::AddFOp::create(b, loc, sums.back(), weight)));
  Value drawn = sorted.back().first, whole = buildWhole(b, loc, sums.back());
  for (auto [entry, sum] : llvm::reverse(llvm::zip_equal(sorted, sums))) {
    Value share = arith::DivFOp::create(b, loc, sum, whole);
    drawn = arith::SelectOp::create(b, loc, drawsBelow(share), entry.first, drawn);
  }
  return drawn;
}

FailureOr<Agreement::Winner> Agreement::sample(ConstraintOp without) {
  FailureOr<Candidate> best = findBest(Order::Accept, without);
  if (failed(best))
    return failure();
  FailureOr<Value> drawn = isList() ? drawFromList(*best, without) : drawFromAll(*best, without);
  if (failed(drawn))
    return failure();
  // The best is a proposal unless there is none among the equals: then it is keep.
  Value token = *drawn;
  if (best->proposed)
    token = arith::SelectOp::create(b, body.loc(), best->proposed, token, best->token);
  return Winner{token, best->admissible};
}

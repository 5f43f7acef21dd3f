//===- Candidates.cpp - Candidates, as a list or as a loop ----------------===//
//
// S-CANDIDATES: candidates are a set, so equal ones merge. In a list all of them are compared with
// each other; in a loop over the vocabulary each token is compared with every rule's proposal.
//
//===----------------------------------------------------------------------===//

#include "Agreement.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <cmath>

using namespace mlir;
using namespace mlir::lci;

bool Agreement::isList() const {
  return llvm::none_of(voices, [](const Voice &voice) { return EmitOp(voice.emit).getAny(); });
}

Value Agreement::sameToken(Value lhs, Value rhs) {
  Location loc = body.loc();
  if (auto vector = dyn_cast<VectorType>(lhs.getType())) {
    Type bits = vector.clone(b.getI32Type());
    lhs = arith::BitcastOp::create(b, loc, bits, lhs);
    rhs = arith::BitcastOp::create(b, loc, bits, rhs);
    Value same = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, lhs, rhs);
    return vector::ReductionOp::create(b, loc, vector::CombiningKind::AND, same);
  }
  if (lhs.getType().isF32()) { // numbers are the same if their bits are
    Type bits = b.getI32Type();
    lhs = arith::BitcastOp::create(b, loc, bits, lhs);
    rhs = arith::BitcastOp::create(b, loc, bits, rhs);
  }
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, lhs, rhs);
}

//===----------------------------------------------------------------------===//
// Scores and votes
//===----------------------------------------------------------------------===//

FailureOr<Value> Agreement::scoreOf(Voice &voice, Value token) {
  if (voice.emit.getSureness()) // the proposal brings its score
    return body.lookup(voice.emit.getSureness());
  if (voice.emit.getScore().empty())
    return body.number(0.0f);
  if (voice.scores) {
    Value index = arith::IndexCastOp::create(b, body.loc(), b.getIndexType(), token);
    return tensor::ExtractOp::create(b, body.loc(), voice.scores, index).getResult();
  }
  Block &score = voice.emit.getScore().front();
  // A list may contain tokens outside of the vocabulary, whose scores do not count but are
  // computed; a model's result has no element for them, and a model's table may have none.
  bool callsModel =
      !score.getOps<tensor::ExtractOp>().empty() || !score.getOps<EvaluateOp>().empty();
  if (isList() && callsModel && body.value().getKind() == Kind::Token)
    token = arith::MinUIOp::create(b, body.loc(), token,
                                   body.integer(*body.value().getVocabularySize() - 1));
  body.map(score.getArgument(0), token);
  if (failed(body.lower(score)))
    return failure();
  return body.lookup(cast<YieldOp>(score.getTerminator()).getValue());
}

FailureOr<Value> Agreement::scoreOfKeep(Voice &voice, Value token) {
  return voice.emit.getSureness() ? body.number(-INFINITY) : scoreOf(voice, token);
}

/// Larger for earlier rules, and never zero.
Value Agreement::getPrecedence(const Voice &voice) { return body.integer(voices.end() - &voice); }

/// A candidate without any rule's score yet; every score is at least as good as a NaN.
Agreement::Candidate Agreement::makeCandidate(Value token) {
  Candidate candidate{token, {}, body.number(std::nanf("")), {}, {}, {}, {}, {}, {}};
  candidate.precedence = candidate.votes = body.integer(0);
  return candidate;
}

/// Merges a rule's score where `truth` holds: the best score counts, and the first rule that has
/// it.
void Agreement::mergeScore(Candidate &candidate, Value truth, Value score, Value precedence) {
  Location loc = body.loc();
  Value yes = body.truthValue(true);
  CandidateRank mine{body.orTrue(truth), score, yes, {}, {precedence}};
  CandidateRank known{yes, candidate.score, yes, {}, {candidate.precedence}};
  Value wins = buildRanksAbove(b, loc, mine, known);
  candidate.score = arith::SelectOp::create(b, loc, wins, score, candidate.score);
  candidate.precedence = arith::SelectOp::create(b, loc, wins, precedence, candidate.precedence);
}

void Agreement::addVote(Candidate &candidate, Value truth) {
  Value vote = arith::ExtUIOp::create(b, body.loc(), b.getI64Type(), body.orTrue(truth));
  candidate.votes = arith::AddIOp::create(b, body.loc(), candidate.votes, vote);
}

/// S-POLICY-QUORUM: fewer votes than the quorum count as none.
void Agreement::countVotes(Candidate &candidate) {
  if (commit.getPolicy() != Policy::Quorum)
    return;
  Value enough = arith::CmpIOp::create(b, body.loc(), arith::CmpIPredicate::sge, candidate.votes,
                                       body.integer(commit.getQuorum().value_or(0)));
  candidate.votes =
      arith::SelectOp::create(b, body.loc(), enough, candidate.votes, body.integer(0));
}

/// Whether the rule applies and its proposal is in the vocabulary; null if it surely does.
Value Agreement::isValid(const Voice &voice) {
  return voice.invalid ? body.both(voice.applies, body.negate(voice.invalid)) : voice.applies;
}

//===----------------------------------------------------------------------===//
// A list of proposals
//===----------------------------------------------------------------------===//

/// Keep, with the scores that the applying rules give it.
FailureOr<Agreement::Candidate> Agreement::mergeKeep() {
  Candidate candidate = makeCandidate(keep.value);
  for (Voice &voice : voices) {
    FailureOr<Value> score = scoreOfKeep(voice, keep.value);
    if (failed(score))
      return failure();
    mergeScore(candidate, voice.applies, *score, getPrecedence(voice));
  }
  return candidate;
}

/// Merges all rules' scores for one candidate of the list; `own` are those of their proposals.
void Agreement::mergeListed(Candidate &candidate, const Candidate &keptAs, ArrayRef<Value> own) {
  Value proposed = body.truthValue(false);
  for (auto [voice, score] : llvm::zip_equal(voices, own)) {
    Value same = body.both(isValid(voice), sameToken(voice.proposal, candidate.token));
    mergeScore(candidate, same, score, getPrecedence(voice));
    addVote(candidate, same);
    proposed = body.either(proposed, same);
  }
  candidate.proposed = proposed;
  candidate.isKeep = body.both(keep.present, sameToken(candidate.token, keep.value));
  mergeScore(candidate, body.both(active, candidate.isKeep), keptAs.score, keptAs.precedence);
}

LogicalResult Agreement::listCandidates() {
  FailureOr<Candidate> keptAs = mergeKeep();
  SmallVector<Value> own;
  for (Voice &voice : voices) {
    FailureOr<Value> score = scoreOf(voice, voice.proposal);
    if (failed(score) || failed(keptAs))
      return failure();
    own.push_back(*score);
  }
  for (Voice &voice : voices) {
    listed.push_back(makeCandidate(voice.proposal));
    listed.back().admissible = isValid(voice);
  }
  listed.push_back(makeCandidate(keep.value));
  listed.back().admissible = body.both(active, keep.present);
  for (Candidate &candidate : listed)
    mergeListed(candidate, *keptAs, own);
  return success();
}

FailureOr<SmallVector<Agreement::Candidate>> Agreement::getList(ConstraintOp without) {
  SmallVector<Candidate> ranked(listed);
  for (Candidate &candidate : ranked) {
    if (failed(rank(candidate, without)))
      return failure();
    candidate.score = weigh(candidate);
    countVotes(candidate);
  }
  return ranked;
}

//===----------------------------------------------------------------------===//
// All tokens
//===----------------------------------------------------------------------===//

/// The ends of `any in a..b`.
static IndexRange toIndexRange(AffineMap range) {
  auto end = [&](unsigned i) { return cast<AffineConstantExpr>(range.getResult(i)).getValue(); };
  return {end(0), end(1)};
}

IndexRange Agreement::getVisitedTokens() const {
  IndexRange all{0, *body.value().getVocabularySize() - 1}, visited{all.upper, all.lower};
  for (const Voice &voice : voices) {
    std::optional<AffineMap> range = EmitOp(voice.emit).getRange();
    if (!range)
      return all;
    IndexRange own = toIndexRange(*range);
    visited = {std::min(visited.lower, own.lower), std::max(visited.upper, own.upper)};
  }
  return 2 * visited.size() < all.size() ? visited : all;
}

bool Agreement::visitsAllTokens() const {
  return getVisitedTokens().size() == *body.value().getVocabularySize();
}

/// Whether the rule proposes a token of the vocabulary; null if it surely does.
Value Agreement::proposes(const Voice &voice, Value token) {
  if (voice.proposal)
    return body.both(isValid(voice), sameToken(voice.proposal, token));
  // Where a single rule does not apply, the result is not used.
  Value proposed = isSingle() ? Value() : voice.applies;
  std::optional<AffineMap> range = EmitOp(voice.emit).getRange();
  if (!range)
    return proposed;
  auto compare = [&](arith::CmpIPredicate predicate, int64_t end) -> Value {
    return arith::CmpIOp::create(b, body.loc(), predicate, token, body.integer(end));
  };
  IndexRange ends = toIndexRange(*range);
  Value inRange = body.both(compare(arith::CmpIPredicate::sge, ends.lower),
                            compare(arith::CmpIPredicate::sle, ends.upper));
  return body.both(proposed, inRange);
}

FailureOr<Agreement::Candidate> Agreement::getCandidate(Value token, ConstraintOp without) {
  Candidate candidate = makeCandidate(token);
  candidate.isKeep = body.both(keep.present, sameToken(token, keep.value));
  candidate.proposed = isSingle() ? Value() : body.truthValue(false);
  for (Voice &voice : voices) {
    Value proposed = proposes(voice, token);
    FailureOr<Value> score = scoreOf(voice, token);
    if (failed(score))
      return failure();
    if (commit.getPolicy() == Policy::Quorum)
      addVote(candidate, proposed);
    if (isSingle()) {
      candidate.proposed = proposed;
      candidate.score = *score;
      continue;
    }
    candidate.proposed = body.either(candidate.proposed, proposed);
    Value scoresKeep = body.both(voice.applies, candidate.isKeep);
    if (!voice.emit.getSureness()) {
      mergeScore(candidate, body.either(proposed, scoresKeep), *score, getPrecedence(voice));
      continue;
    }
    mergeScore(candidate, proposed, *score, getPrecedence(voice));
    mergeScore(candidate, scoresKeep, body.number(-INFINITY), getPrecedence(voice));
  }
  if (candidate.proposed)
    candidate.admissible = body.either(candidate.proposed, candidate.isKeep);
  if (failed(rank(candidate, without)))
    return failure();
  candidate.score = weigh(candidate);
  countVotes(candidate);
  return candidate;
}

FailureOr<Agreement::Candidate> Agreement::getKeep(ConstraintOp without) {
  if (isList()) {
    FailureOr<SmallVector<Candidate>> list = getList(without);
    if (failed(list))
      return failure();
    return list->back();
  }
  // An absent cell holds no token; the outcome for the replacement does not count.
  Value token = keep.value;
  if (keep.present)
    token = arith::SelectOp::create(b, body.loc(), keep.present, token, body.integer(0));
  FailureOr<Candidate> candidate = getCandidate(token, without);
  if (succeeded(candidate))
    candidate->admissible = body.both(candidate->admissible, body.both(active, keep.present));
  return candidate;
}

//===----------------------------------------------------------------------===//
// The best of them
//===----------------------------------------------------------------------===//

CandidateRank Agreement::getRank(const Candidate &candidate, Order order) {
  Location loc = body.loc();
  CandidateRank rank{body.orTrue(candidate.admissible),
                     candidate.score,
                     body.orTrue(candidate.proposed),
                     candidate.levels,
                     {}};
  auto addLevel = [&](Value truth) {
    rank.levels.push_back(arith::ExtUIOp::create(b, loc, b.getI64Type(), body.orTrue(truth)));
  };
  if (order == Order::Accept) { // proposals come before the score, for the others after it
    addLevel(candidate.proposed);
    if (!isSingle())
      rank.ties.push_back(candidate.precedence);
  }
  if (order == Order::Quorum) { // enough votes, or else keep
    Value none =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, candidate.votes, body.integer(0));
    rank.levels.push_back(candidate.votes);
    addLevel(body.both(none, candidate.isKeep));
    rank.score = body.number(0.0f);
    rank.proposed = body.truthValue(true);
  }
  return rank;
}

Agreement::Candidate Agreement::choose(Value condition, const Candidate &yes, const Candidate &no) {
  auto select = [&](Value a, Value c) -> Value {
    return arith::SelectOp::create(b, body.loc(), condition, a, c);
  };
  Candidate chosen = yes;
  chosen.token = select(yes.token, no.token);
  chosen.admissible = select(body.orTrue(yes.admissible), body.orTrue(no.admissible));
  chosen.score = select(yes.score, no.score);
  for (auto [mine, a, c] : llvm::zip_equal(chosen.levels, yes.levels, no.levels))
    mine = select(a, c);
  chosen.proposed = select(body.orTrue(yes.proposed), body.orTrue(no.proposed));
  chosen.isKeep = select(body.orTrue(yes.isKeep), body.orTrue(no.isKeep));
  chosen.precedence = select(yes.precedence, no.precedence);
  chosen.votes = select(yes.votes, no.votes);
  return chosen;
}

/// The best of the visited tokens.
FailureOr<Agreement::Winner> Agreement::findBestAny(Order order, ConstraintOp without,
                                                    bool tellsScore) {
  IndexRange visited = getVisitedTokens();
  SmallVector<Type> types{b.getI64Type(), b.getI1Type()};
  if (tellsScore)
    types.push_back(b.getF32Type());
  auto agree = AgreeOp::create(b, body.loc(), types, body.integer(visited.lower),
                               body.integer(visited.upper + 1));
  {
    OpBuilder::InsertionGuard guard(b);
    Block *each = b.createBlock(&agree.getBody(), {}, b.getI64Type(), body.loc());
    FailureOr<Candidate> candidate = getCandidate(each->getArgument(0), without);
    if (failed(candidate))
      return failure();
    CandidateRank rank = getRank(*candidate, order);
    CandidateOp::create(b, body.loc(), rank.admissible, rank.levels, rank.score, rank.ties,
                        rank.proposed);
  }
  return Winner{agree.getWinner(), body.both(active, agree.getFound()), agree.getScore()};
}

Agreement::Candidate Agreement::better(const Candidate &next, const Candidate &best, Order order) {
  Value isLower = buildIsLower(b, body.loc(), next.token, best.token);
  Value above = buildRanksAbove(b, body.loc(), getRank(next, order), getRank(best, order), isLower);
  return choose(above, next, best);
}

FailureOr<Agreement::Candidate> Agreement::findBestInLoop(Order order, ConstraintOp without) {
  // A sum of weights is recomputed: carried from candidate to candidate, it makes Sudoku's kernel
  // spill.
  bool tellsScore = order != Order::Quorum && !commit.getWeighted();
  FailureOr<Winner> winner = findBestAny(order, without, tellsScore);
  if (failed(winner))
    return failure();
  FailureOr<Candidate> best = getCandidate(winner->token, without);
  if (failed(best))
    return failure();
  best->admissible = winner->exists;
  if (winner->score)
    best->score = winner->score;
  if (visitsAllTokens())
    return best;
  FailureOr<Candidate> kept = getKeep(without);
  if (failed(kept))
    return failure();
  return better(*kept, *best, order);
}

FailureOr<Agreement::Candidate> Agreement::findBest(Order order, ConstraintOp without) {
  if (!isList())
    return findBestInLoop(order, without);
  FailureOr<SmallVector<Candidate>> list = getList(without);
  if (failed(list))
    return failure();
  Candidate best = list->front();
  for (const Candidate &next : llvm::drop_begin(*list))
    best = better(next, best, order);
  return best;
}

FailureOr<Agreement::Candidate> Agreement::findCandidate(Value token) {
  if (!isList())
    return getCandidate(token, nullptr);
  FailureOr<SmallVector<Candidate>> list = getList(nullptr);
  if (failed(list))
    return failure();
  Candidate found = list->back();
  for (const Candidate &candidate : *list)
    found = choose(sameToken(candidate.token, token), candidate, found);
  return found;
}

/// Visits the list in its order, or in a loop every token that may be proposed.
FailureOr<SmallVector<Value>> Agreement::visit(ValueRange initial, ConstraintOp without,
                                               Visit visit) {
  SmallVector<Value> state(initial);
  if (isList()) {
    FailureOr<SmallVector<Candidate>> list = getList(without);
    if (failed(list))
      return failure();
    for (const Candidate &candidate : *list)
      state = visit(candidate, state);
    return state;
  }
  Location loc = body.loc();
  IndexRange visited = getVisitedTokens();
  auto loop = scf::ForOp::create(b, loc, body.integer(visited.lower),
                                 body.integer(visited.upper + 1), body.integer(1), state);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  FailureOr<Candidate> candidate = getCandidate(loop.getInductionVar(), without);
  if (failed(candidate))
    return failure();
  scf::YieldOp::create(b, loc, visit(*candidate, loop.getRegionIterArgs()));
  return llvm::to_vector_of<Value>(loop.getResults());
}

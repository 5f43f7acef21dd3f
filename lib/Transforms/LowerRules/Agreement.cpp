//===- Agreement.cpp - Which candidate a cell agrees on ---------------------===//

#include "Agreement.h"
#include "LCI/Analysis/Dominance.h"
#include "LCI/Analysis/Independence.h"
#include "LCI/Transforms/IROps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::lci;

int64_t Counters::slot(const Twine &name) {
  std::string text = name.str();
  auto *known = llvm::find(names, text);
  if (known == names.end())
    names.push_back(text);
  return llvm::find(names, text) - names.begin();
}

Agreement::Agreement(TickBody &body, RuleOp rule, CommitOp commit, Counters &counters)
    : body(body), b(body.builder()), rule(rule),
      emit(cast<EmitOp>(rule.getBody().front().getTerminator())), commit(commit),
      counters(counters) {
  // Whether a lock was decisive takes the proposal to know, so that full counts know no short cut.
  bool mayLock = counters.getCounting() != Counting::Full;
  for (auto constraint : body.program().getOps<ConstraintOp>()) {
    if (constraint.getValue() != rule.getValue())
      continue;
    bool locks = mayLock && isLock(constraint) && analyzeDominance(constraint).dominates;
    (locks ? this->locks : constraints).push_back(constraint);
  }
  for (ConstraintOp constraint : constraints)
    if (!constraint.cannotBeOutvoted())
      priorities.push_back(constraint.getPriority());
  llvm::sort(priorities, std::greater<>());
  priorities.erase(llvm::unique(priorities), priorities.end());
}

LogicalResult Agreement::checkSupported() {
  switch (commit.getPolicy()) {
  case Policy::Accept:
  case Policy::SatisfyMax:
  case Policy::SatisfyCount:
  case Policy::SatisfyWeighted:
    break;
  case Policy::Metropolis:
    if (emit.getAny())
      return rule.emitOpError("proposes any token, but 'metropolis' expects exactly one proposal");
    break;
  default:
    return commit.emitOpError("with the policy '")
           << stringifyPolicy(commit.getPolicy()) << "' is not lowered yet";
  }
  if (commit.getWeighted())
    return commit.emitOpError("with weighted constraints is not lowered yet");
  return success();
}

//===----------------------------------------------------------------------===//
// CHECK
//===----------------------------------------------------------------------===//

Value Agreement::speaks(ConstraintOp constraint) {
  Value speaks = body.contains(constraint.getWhere(), body.indices());
  if (constraint.getRegion())
    speaks = body.both(speaks, body.inRegion(*constraint.getRegion(), *constraint.getAxis()));
  return speaks;
}

/// Where an enabled lock that dominates speaks, a cell that holds something stays as it is;
/// everywhere else such a lock says the same of all candidates. Where no rule applies, nothing
/// happens either, which is worth knowing before a model is asked.
Value Agreement::settle() {
  Value settled;
  auto add = [&](Value truth) {
    settled = settled ? body.either(settled, body.orTrue(truth)) : body.orTrue(truth);
  };
  for (ConstraintOp lock : locks) {
    Value enabled = body.import(body.enabled(lock.getSymName()));
    add(body.both(body.both(enabled, speaks(lock)), keep.present));
  }
  if (rule.getBody().front().getOps<EvaluateOp>().empty())
    return settled;
  add(body.negate(active));
  return settled;
}

FailureOr<Maybe> Agreement::check(ConstraintOp constraint, Value token) {
  SmallVector<Value> at = body.indices();
  Value speaks = this->speaks(constraint);
  Block &predicate = constraint.getBody().front();
  for (auto [argument, index] : llvm::zip(predicate.getArguments(), at))
    body.map(argument, index);
  body.map(predicate.getArguments().back(), token);
  for (auto changes : predicate.getOps<ChangesOp>())
    body.map(changes.getResult(),
             body.both(keep.present, body.negate(sameToken(token, keep.value))));
  if (failed(body.lower(predicate)))
    return failure();
  Value holds = body.lookup(cast<YieldOp>(predicate.getTerminator()).getValue());
  if (constraint.getMood() == Mood::Forbid)
    holds = body.negate(holds);
  return Maybe{holds, speaks};
}

LogicalResult Agreement::rank(Candidate &candidate, ConstraintOp without) {
  bool byPriority =
      commit.getPolicy() != Policy::SatisfyCount && commit.getPolicy() != Policy::SatisfyWeighted;
  unsigned numLevels = byPriority ? priorities.size() : std::min<size_t>(priorities.size(), 1);
  candidate.levels.assign(numLevels, body.integer(0));
  Location loc = body.loc();
  for (ConstraintOp constraint : constraints) {
    if (constraint == without)
      continue;
    FailureOr<Maybe> holds = check(constraint, candidate.token);
    if (failed(holds))
      return failure();
    Value enabled = body.import(body.enabled(constraint.getSymName()));
    // Where a constraint is disabled or does not speak, it is satisfied by every candidate alike.
    Value applies = body.both(enabled, holds->present);
    Value satisfied = body.either(body.negate(applies), holds->value);
    if (constraint.cannotBeOutvoted()) {
      candidate.admissible = body.both(candidate.admissible, satisfied);
      continue;
    }
    bool weighs = commit.getPolicy() == Policy::SatisfyWeighted;
    Value gain = body.integer(weighs ? constraint.getPriority() : 1);
    gain = arith::SelectOp::create(b, loc, satisfied, gain, body.integer(0));
    unsigned level = byPriority
                         ? llvm::find(priorities, static_cast<int64_t>(constraint.getPriority())) -
                               priorities.begin()
                         : 0;
    candidate.levels[level] = arith::AddIOp::create(b, loc, candidate.levels[level], gain);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// AGREE
//===----------------------------------------------------------------------===//

Value Agreement::sameToken(Value lhs, Value rhs) {
  Location loc = body.loc();
  if (lhs.getType().isF32()) { // numbers are the same if their bits are
    Type bits = b.getI32Type();
    lhs = arith::BitcastOp::create(b, loc, bits, lhs);
    rhs = arith::BitcastOp::create(b, loc, bits, rhs);
  }
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, lhs, rhs);
}

FailureOr<Value> Agreement::scoreOf(Value token) {
  if (emit.getScore().empty())
    return body.number(0.0f);
  Block &score = emit.getScore().front();
  body.map(score.getArgument(0), token);
  if (failed(body.lower(score)))
    return failure();
  return body.lookup(cast<YieldOp>(score.getTerminator()).getValue());
}

/// Whether the proposal beats keep: by the levels in turn, then as the policy says.
Value Agreement::prefersProposal(const Candidate &proposal, const Candidate &keep) {
  Location loc = body.loc();
  Value better;
  if (commit.getPolicy() == Policy::Accept) {
    better = body.truthValue(true);
  } else if (commit.getPolicy() == Policy::Metropolis) {
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

/// Δscore ≥ 0, or a draw with probability exp(Δscore / T).
Value Agreement::acceptsMetropolis(const Candidate &proposal, const Candidate &keep) {
  Location loc = body.loc();
  Value delta = arith::SubFOp::create(b, loc, proposal.score, keep.score);
  Value up = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGE, delta, body.number(0.0f));
  Value temperature = body.import(body.temperature());
  Value exponent = arith::DivFOp::create(b, loc, delta, temperature);
  Value chance = ElementaryOp::create(b, loc, exponent.getType(), Elementary::Exp, exponent);
  auto stream = StreamAttr::get(b.getContext(), ProgramOp::getDeclarationNumber(commit), 0);
  Value drawn = BernoulliOp::create(b, loc, b.getI1Type(), chance, Value(), stream);
  return body.either(up, drawn);
}

FailureOr<Agreement::Winner> Agreement::agreeOnOne(ConstraintOp without) {
  Candidate mine{proposal, body.both(active, invalid ? body.negate(invalid) : Value()), {}, {}};
  Candidate kept{keep.value, body.both(active, keep.present), {}, {}};
  if (failed(rank(mine, without)) || failed(rank(kept, without)))
    return failure();
  bool usesScore = commit.getPolicy() != Policy::Accept;
  if (usesScore && emit.getSureness()) {
    // The proposal's own number; where keep is the same token the two merge and the best counts.
    mine.score = body.lookup(emit.getSureness());
    Value lowest = body.number(-INFINITY);
    kept.score = arith::SelectOp::create(b, body.loc(), sameToken(mine.token, kept.token),
                                         mine.score, lowest);
  } else if (usesScore) {
    FailureOr<Value> score = scoreOf(mine.token), keepScore = scoreOf(kept.token);
    if (failed(score) || failed(keepScore))
      return failure();
    mine.score = *score;
    kept.score = *keepScore;
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

FailureOr<Agreement::Winner> Agreement::agreeOnAny(ConstraintOp without) {
  int64_t vocabulary = *body.value().getVocabularySize();
  auto agree = AgreeOp::create(b, body.loc(), TypeRange{b.getI64Type(), b.getI1Type()},
                               body.integer(0), body.integer(vocabulary));
  if (failed(buildCandidate(agree, without)))
    return failure();
  return Winner{agree.getWinner(), body.both(active, agree.getFound())};
}

/// The body of an agreement over the whole vocabulary.
LogicalResult Agreement::buildCandidate(AgreeOp agree, ConstraintOp without) {
  Location loc = body.loc();
  OpBuilder::InsertionGuard guard(b);
  Block *each = b.createBlock(&agree.getBody(), {}, b.getI64Type(), loc);
  Candidate candidate{each->getArgument(0), Value(), {}, {}};
  Value proposed = body.truthValue(true);
  if (std::optional<AffineMap> range = emit.getRange()) {
    auto compare = [&](arith::CmpIPredicate predicate, unsigned end) -> Value {
      Value bound = body.integer(cast<AffineConstantExpr>(range->getResult(end)).getValue());
      return arith::CmpIOp::create(b, loc, predicate, candidate.token, bound);
    };
    proposed =
        body.both(compare(arith::CmpIPredicate::sge, 0), compare(arith::CmpIPredicate::sle, 1));
    Value isKeep = body.both(keep.present, sameToken(candidate.token, keep.value));
    candidate.admissible = body.either(proposed, isKeep);
  }
  FailureOr<Value> score = scoreOf(candidate.token);
  if (failed(rank(candidate, without)) || failed(score))
    return failure();
  // For `accept` proposals come before the score, for the others after it.
  if (commit.getPolicy() == Policy::Accept)
    candidate.levels.push_back(arith::ExtUIOp::create(b, loc, b.getI64Type(), proposed));
  CandidateOp::create(b, loc, body.orTrue(candidate.admissible), candidate.levels, *score,
                      proposed);
  return success();
}

FailureOr<Agreement::Winner> Agreement::agree(ConstraintOp without) {
  return emit.getAny() ? agreeOnAny(without) : agreeOnOne(without);
}

//===----------------------------------------------------------------------===//
// COMMIT and what is counted
//===----------------------------------------------------------------------===//

void Agreement::count(const Twine &name, Value condition) {
  tallies.push_back(body.orTrue(condition));
  slots.push_back(counters.slot(name));
}

LogicalResult Agreement::tally(const Winner &winner, Value changes) {
  if (counters.getCounting() == Counting::None)
    return success();
  StringRef name = body.value().getSymName();
  count(name + ".changed", changes);
  if (counters.getCounting() != Counting::Full)
    return success();
  if (invalid)
    count(name + ".invalid", body.both(active, invalid));
  for (ConstraintOp constraint : constraints) {
    FailureOr<Maybe> holds = check(constraint, winner.token);
    if (failed(holds))
      return failure();
    Value enabled = body.import(body.enabled(constraint.getSymName()));
    Value applies = body.both(body.both(enabled, holds->present), winner.exists);
    count(constraint.getSymName() + ".satisfied", body.both(applies, holds->value));
    count(constraint.getSymName() + ".violated", body.both(applies, body.negate(holds->value)));
    FailureOr<Winner> other = agree(constraint);
    if (failed(other))
      return failure();
    // Another would have won, or one where now none does, or none where now one does.
    Value same = body.both(winner.exists, sameToken(winner.token, other->token));
    Value bothNone = body.both(body.negate(winner.exists), body.negate(other->exists));
    Value unchanged = body.either(body.both(same, other->exists), bothNone);
    count(constraint.getSymName() + ".decisive",
          body.both(body.both(enabled, active), body.negate(unchanged)));
  }
  return success();
}

LogicalResult Agreement::lowerRule() {
  Block &block = rule.getBody().front();
  for (auto [argument, index] : llvm::zip(block.getArguments(), body.indices()))
    body.map(argument, index);
  keep = body.self();
  active = body.both(body.import(body.enabled(rule.getSymName())),
                     body.contains(rule.getWhere(), body.indices()));
  active = body.both(active, body.isUp());
  ScheduleOp schedule = getSchedule(body.value());
  if (schedule && schedule.getStrategy() == Strategy::Masked) // where it is absent
    active = body.both(active, body.negate(keep.present));
  if (failed(body.lower(block)))
    return failure();
  active = body.both(active, body.lookupOrNull(emit.getCondition()));
  return success();
}

LogicalResult Agreement::build() {
  if (failed(checkSupported()) || failed(lowerRule()))
    return failure();
  Value settled = settle();
  Location loc = body.loc();
  if (!emit.getAny()) {
    proposal = body.lookup(emit.getProposal());
    if (body.value().getKind() == Kind::Token) {
      Value tooLarge = body.integer(*body.value().getVocabularySize());
      invalid = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::uge, proposal, tooLarge);
    } else if (proposal.getType().isF32()) { // what is committed has one NaN only
      // Decided on the bits: LLVM drops a select between NaNs.
      IROps ops(b, loc, proposal.getType());
      proposal = ops.canonical(ops.asF32(proposal)).value;
    }
  }
  FailureOr<Winner> winner = agree(nullptr);
  if (failed(winner))
    return failure();
  Value differs = body.negate(sameToken(winner->token, keep.value));
  Value changes = body.both(winner->exists, differs);
  if (failed(tally(*winner, changes)))
    return failure();
  InstallOp::create(b, loc, winner->token, body.orTrue(winner->exists), settled, tallies,
                    b.getDenseI64ArrayAttr(slots));
  return success();
}

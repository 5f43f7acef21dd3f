//===- Agreement.cpp - Rules, proposals and counters of a cell ------------===//
//
// The frame of `Agreement`: lowers the rules on a value, guards their proposals (S-INVALID), finds
// cells that locks settle, and builds the final `lci.install` with its tallies. Candidates, checks
// and policies are in their files.
//
//===----------------------------------------------------------------------===//

#include "Agreement.h"
#include "LCI/Analysis/Independence.h"
#include "LCI/Analysis/LockDominance.h"
#include "LCI/Analysis/Ranges.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::lci;

int64_t Counters::slot(const Twine &name) {
  std::string text = name.str();
  auto *known = llvm::find(names, text);
  if (known == names.end())
    names.push_back(text);
  return llvm::find(names, text) - names.begin();
}

Agreement::Agreement(TickBody &body, ArrayRef<RuleOp> rules, CommitOp commit, Counters &counters,
                     bool scores, CommitPart part)
    : body(body), b(body.builder()), commit(commit), counters(counters), scores(scores),
      part(part) {
  for (RuleOp rule : rules)
    voices.push_back(
        {rule, cast<EmitOp>(rule.getBody().front().getTerminator()), {}, {}, {}, {}, {}, false});
  // Whether a lock was decisive depends on the proposal, so full counts allow no short cut; and a
  // record notes for every constraint whether it held.
  bool mayLock = counters.getCounting() != Counting::Full && part.kind != CommitPart::Level;
  for (auto constraint : body.program().getOps<ConstraintOp>()) {
    if (constraint.getValue() != body.value().getSymName())
      continue;
    bool dominates = isLock(constraint) && analyzeDominance(constraint).dominates;
    if (dominates)
      dominating.push_back(constraint);
    (mayLock && dominates ? locks : constraints).push_back(constraint);
  }
  for (ConstraintOp constraint : constraints)
    if (!constraint.cannotBeOutvoted())
      priorities.push_back(constraint.getPriority());
  llvm::sort(priorities, std::greater<>());
  priorities.erase(llvm::unique(priorities), priorities.end());
}

//===----------------------------------------------------------------------===//
// PROPOSE
//===----------------------------------------------------------------------===//

/// Whether the cell is scheduled in this phase, as far as the tick's set does not decide it; null
/// for yes.
Value Agreement::isUp() {
  Value isUp = body.isUp();
  ScheduleOp schedule = getSchedule(body.value());
  if (schedule && schedule.getStrategy() == Strategy::Masked) // where it is absent
    isUp = body.both(isUp, body.negate(keep.present));
  if (schedule && schedule.getStrategy() == Strategy::Random) {
    auto stream = StreamAttr::get(b.getContext(), ProgramOp::getDeclarationNumber(schedule), 0);
    Value fraction = body.number(schedule.getFraction()->convertToFloat());
    isUp = body.both(isUp,
                     BernoulliOp::create(b, body.loc(), b.getI1Type(), fraction, Value(), stream));
  }
  return isUp;
}

LogicalResult Agreement::lowerRule(Voice &voice) {
  Block &block = voice.rule.getBody().front();
  for (auto [argument, index] : llvm::zip(block.getArguments(), body.indices()))
    body.map(argument, index);
  voice.applies = body.both(body.import(body.enabled(voice.rule.getSymName())),
                            body.contains(voice.rule.getWhere(), body.indices()));
  voice.applies = body.both(voice.applies, isUp());
  if (part.kind == CommitPart::Stamp)
    body.beginStamps();
  if (failed(body.lower(block)))
    return failure();
  voice.applies = body.both(voice.applies, body.lookupOrNull(voice.emit.getCondition()));
  if (part.kind == CommitPart::Stamp) { // what a score reads does not depend on the candidate
    Value candidate = isList() ? keep.value : body.integer(0);
    if (!voice.emit.getScore().empty() && failed(scoreOf(voice, candidate)))
      return failure();
    voice.stamp = body.endStamps();
    if (isSingle())
      return success();
  }
  return scoreAllTokens(voice);
}

/// The first and the last integer that a cell can hold; nothing where it holds no integers.
static std::optional<std::pair<int64_t, int64_t>> getHeldRange(ValueOp value) {
  if (value.getKind() == Kind::Token)
    return std::make_pair(int64_t(0), *value.getVocabularySize() - 1);
  if (value.getKind() == Kind::I32)
    return std::make_pair(int64_t(std::numeric_limits<int32_t>::min()),
                          int64_t(std::numeric_limits<int32_t>::max()));
  return std::nullopt;
}

bool mlir::lci::mayReject(RuleOp rule) {
  auto emit = cast<EmitOp>(rule.getBody().front().getTerminator());
  ValueOp value = rule->getParentOfType<ProgramOp>().lookupValue(rule.getValue());
  auto held = getHeldRange(value);
  if (emit.getAny() || !held)
    return false;
  RangeAnalysis ranges(rule);
  return !RangeAnalysis::isWithin(ranges.getRange(emit.getProposal()), held->first, held->second);
}

/// S-INVALID, S-NAN: rejects or canonicalizes a proposal that cannot be committed as it is.
void Agreement::guardProposal(Voice &voice) {
  if (voice.emit.getAny())
    return;
  Location loc = body.loc();
  voice.proposal = body.lookup(voice.emit.getProposal());
  if (auto held = getHeldRange(body.value())) {
    voice.mayReject = mayReject(voice.rule);
    // A token that was read may be absent unless it is proved to be present.
    if (!voice.mayReject && body.value().getKind() == Kind::I32)
      return;
    Value place = voice.proposal;
    if (held->first != 0)
      place = arith::SubIOp::create(b, loc, place, body.integer(held->first));
    voice.invalid = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ugt, place,
                                          body.integer(held->second - held->first));
  } else if (getElementTypeOrSelf(voice.proposal.getType()).isF32()) {
    voice.proposal = body.canonicalNumber(voice.proposal);
  }
}

/// Where an enabled dominating lock applies, a cell that holds something is unchanged; everywhere
/// else such a lock judges all candidates alike. Where no rule applies nothing happens either,
/// which is tested first only where a model would be called.
Value Agreement::settle() {
  Value settled;
  auto add = [&](Value truth) {
    settled = settled ? body.either(settled, body.orTrue(truth)) : body.orTrue(truth);
  };
  for (ConstraintOp lock : locks) {
    Value enabled = body.import(body.enabled(lock.getSymName()));
    add(body.both(body.both(enabled, speaks(lock)), keep.present));
  }
  if (llvm::all_of(voices, [](const Voice &voice) {
        return !voice.scores && RuleOp(voice.rule).getBody().front().getOps<EvaluateOp>().empty();
      }))
    return settled;
  add(body.negate(active));
  return settled;
}

//===----------------------------------------------------------------------===//
// COMMIT and what is counted
//===----------------------------------------------------------------------===//

void Agreement::count(const Twine &name, Value condition) {
  tallies.push_back(body.orTrue(condition));
  slots.push_back(counters.slot(name));
}

/// S-INVALID: rejected proposals are counted in every run, except where a lock keeps the cell
/// anyway; by rule, where the first one is searched for.
void Agreement::countRejected() {
  Value isOpen = body.isBefore();
  bool byRule = static_cast<bool>(isOpen);
  for (ConstraintOp lock : dominating) { // where it settles the cell, nothing is counted
    if (llvm::is_contained(locks, lock))
      continue;
    Value enabled = body.import(body.enabled(lock.getSymName()));
    Value keeps = body.both(body.both(enabled, speaks(lock)), keep.present);
    isOpen = body.both(isOpen, body.negate(keeps));
  }
  bool countsAll = counters.getCounting() == Counting::Full;
  for (Voice &voice : voices)
    if (voice.invalid && (countsAll || voice.mayReject))
      count(body.value().getSymName() + ".invalid" + (byRule ? "." + voice.rule.getSymName() : ""),
            body.both(body.both(voice.applies, voice.invalid), isOpen));
}

LogicalResult Agreement::tally(const Winner &winner, Value changes) {
  if (part.kind != CommitPart::Content)
    return success();
  if (counters.getCounting() != Counting::None && !scores)
    count(body.value().getSymName() + ".changed", changes);
  countRejected();
  if (counters.getCounting() != Counting::Full)
    return success();
  for (ConstraintOp constraint : constraints) {
    FailureOr<Verdict> verdict = judge(constraint, winner.token);
    if (failed(verdict))
      return failure();
    Value applies = body.both(verdict->applies, winner.exists);
    count(constraint.getSymName() + ".satisfied", body.both(applies, verdict->holds));
    count(constraint.getSymName() + ".violated", body.both(applies, body.negate(verdict->holds)));
    FailureOr<Winner> other = agree(constraint);
    if (failed(other))
      return failure();
    // Another one would have won, or one instead of none, or none instead of one.
    Value same = body.both(winner.exists, sameToken(winner.token, other->token));
    Value bothNone = body.both(body.negate(winner.exists), body.negate(other->exists));
    Value unchanged = body.either(body.both(same, other->exists), bothNone);
    count(constraint.getSymName() + ".decisive",
          body.both(body.both(verdict->enabled, active), body.negate(unchanged)));
  }
  return success();
}

LogicalResult Agreement::lowerRules() {
  for (Voice &voice : voices)
    if (failed(lowerRule(voice)))
      return failure();
  active = voices.front().applies;
  for (Voice &voice : llvm::drop_begin(voices))
    active = body.either(active, voice.applies);
  isSettled = settle();
  for (Voice &voice : voices)
    guardProposal(voice);
  return needsList() ? listCandidates() : success();
}

LogicalResult Agreement::build() {
  keep = body.self();
  if (Value replacement = body.replacement())
    return buildRecord(replacement);
  if (failed(lowerRules()) || failed(lowerTemperature()))
    return failure();
  FailureOr<Winner> winner = agree(nullptr);
  if (failed(winner))
    return failure();
  Value differs = body.negate(sameToken(winner->token, keep.value));
  Value changes = body.both(winner->exists, differs);
  if (failed(tally(*winner, changes)))
    return failure();
  Value score;
  if (scores && part.kind == CommitPart::Content) {
    FailureOr<Candidate> candidate = findCandidate(winner->token);
    if (failed(candidate))
      return failure();
    score = candidate->score;
  }
  // Every commit leaves a record, even if it writes the same contents again.
  Value isWritten = part.kind == CommitPart::Content ? winner->exists : changes;
  FailureOr<Value> written = getPart(*winner);
  if (failed(written))
    return failure();
  InstallOp::create(b, body.loc(), *written, body.orTrue(isWritten), isSettled, score, tallies,
                    b.getDenseI64ArrayAttr(slots));
  return success();
}

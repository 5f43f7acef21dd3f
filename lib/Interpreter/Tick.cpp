//===- Tick.cpp - One phase of one value ----------------------------------===//
//
// The steps propose, check, agree and commit of docs/semantics.md section 2, cell by cell from the
// snapshot, with a function for each step. Explanations and searches for rejected proposals execute
// the same steps without committing.
//
//===----------------------------------------------------------------------===//

#include "Tick.h"
#include "Arrays.h"
#include "LCI/Runtime/Switches.h"
#include "Selection.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::lci;
namespace numerics = ::lci::numerics;

Tick::Tick(RuledValue &value, ValueState &state, Bodies &bodies,
           const std::map<std::string, bool> &enables, std::map<std::string, int64_t> &counters,
           bool countConstraints)
    : ruled(value), state(state), bodies(bodies), enables(enables), counters(counters),
      countConstraints(countConstraints) {}

// S-ENABLE: rules and constraints are on unless they were switched off.
bool Tick::isEnabled(StringRef name) const { return ::lci::isOn(enables, name.str()); }

bool Tick::isScheduled(ArrayRef<int64_t> cell, int64_t number, int64_t epoch, int64_t phase) const {
  Phases::Now now{bodies.seed, static_cast<uint64_t>(epoch), static_cast<uint64_t>(phase)};
  return ruled.phases.contains(cell, now, !state.isPresent(state.get(number)));
}

//===----------------------------------------------------------------------===//
// PROPOSE
//===----------------------------------------------------------------------===//

// S-SCORE: a function of the candidate, 0 by default; sureness is only for the proposal.
float Tick::getScore(EmitOp emit, const Datum &token, bool isKeep) {
  if (emit.getSureness())
    return isKeep ? -INFINITY : bodies.evaluator.get(emit.getSureness()).asNumber();
  if (emit.getScore().empty())
    return 0;
  std::optional<Datum> score = bodies.yield(emit.getScore().front(), token);
  return score ? score->asNumber() : 0;
}

// S-ANY: one candidate for each entry of the vocabulary, or of the range.
void Tick::addAny(Meeting &meeting, unsigned rule, EmitOp emit) {
  int64_t first = 0, last = state.getVocabulary() - 1;
  if (std::optional<AffineMap> range = emit.getRange()) {
    SmallVector<int64_t> ends = evaluateMap(*range, {});
    first = std::max(first, ends[0]);
    last = std::min(last, ends[1]);
  }
  for (int64_t token = first; token <= last; ++token) {
    Datum datum = Datum::integer(token);
    meeting.candidates.add({datum, false, true, getScore(emit, datum, false), rule, 1, {}});
  }
}

/// Whether a cell can hold a proposal: a token of its vocabulary, an integer of 32 bits.
static bool isValid(const ValueState &state, const Datum &token) {
  if (state.getKind() == Kind::Token)
    return token.bits < static_cast<uint64_t>(state.getVocabulary());
  return state.getKind() != Kind::I32 || llvm::isInt<32>(static_cast<int64_t>(token.bits));
}

// S-INVALID: a proposal outside of its vocabulary is rejected, and counted unless a lock that
// cannot be outvoted keeps the cell.
void Tick::reject(const Meeting &meeting, unsigned rule, const Datum &token) {
  bool isLocked = meeting.hasKeep && llvm::any_of(ruled.locks, [&](ConstraintOp lock) {
                    return speaksOf(lock, meeting.cell);
                  });
  if (isLocked)
    return;
  ++counters[(ruled.value.getSymName() + ".invalid").str()];
  if (!firstRejection)
    firstRejection = {RuleOp(ruled.rules[rule]).getSymName().str(),
                      getText(token),
                      {meeting.cell.begin(), meeting.cell.end()}};
}

void Tick::addProposal(Meeting &meeting, unsigned rule, EmitOp emit) {
  Datum token = canonicalizeCell(state, bodies.evaluator.get(emit.getProposal()));
  if (!isValid(state, token))
    return reject(meeting, rule, token);
  meeting.candidates.add({token, false, true, getScore(emit, token, false), rule, 1, {}});
}

// S-KEEP: the committed token is a candidate, and every applying rule scores it.
void Tick::addKeep(Meeting &meeting, unsigned rule, EmitOp emit) {
  if (meeting.hasKeep)
    meeting.candidates.add(
        {meeting.keep, true, false, getScore(emit, meeting.keep, true), rule, 0, {}});
}

// S-PROPOSE, S-ACTIVE: the proposal of a rule for the cell, if the rule applies there.
void Tick::propose(Meeting &meeting, unsigned number) {
  RuleOp rule = ruled.rules[number];
  if (!isEnabled(rule.getSymName()) ||
      (rule.getWhere() && !isInUnion(*rule.getWhere(), meeting.cell)))
    return;
  bodies.latestStamp = 0;
  SmallVector<Datum> indices = llvm::map_to_vector(meeting.cell, Datum::integer);
  auto emit = cast<EmitOp>(bodies.evaluator.run(rule.getBody().front(), indices));
  if (emit.getCondition() && !bodies.evaluator.get(emit.getCondition()).asTruth())
    return;
  meeting.isActive = true;
  if (emit.getAny())
    addAny(meeting, number, emit);
  else
    addProposal(meeting, number, emit);
  addKeep(meeting, number, emit);
  meeting.ruleStamps[number] = bodies.latestStamp;
}

//===----------------------------------------------------------------------===//
// CHECK
//===----------------------------------------------------------------------===//

// S-REGION: a region takes the trailing axes of the value.
bool Tick::speaksOf(ConstraintOp constraint, ArrayRef<int64_t> cell) {
  if (!isEnabled(constraint.getSymName()))
    return false;
  if (constraint.getWhere() && !isInUnion(*constraint.getWhere(), cell))
    return false;
  if (!constraint.getRegion())
    return true;
  const Datum &region = bodies.regions[*constraint.getRegion()];
  ArrayRef<int64_t> trailing = cell.drop_front(*constraint.getAxis());
  return region.tensor->elements[region.tensor->offsetOf(trailing)];
}

// S-CONSTRAINT: the predicate must hold (`require`) or must not (`forbid`).
bool Tick::holds(ConstraintOp constraint, ArrayRef<int64_t> cell, const Datum &token) {
  SmallVector<Datum> arguments = llvm::map_to_vector(cell, Datum::integer);
  arguments.push_back(token);
  std::optional<Datum> predicate = bodies.yield(constraint.getBody().front(), arguments);
  bool isTrue = predicate && predicate->asTruth();
  return isTrue == (constraint.getMood() == Mood::Require);
}

// S-CHECK: each enabled constraint on each candidate.
void Tick::check(Meeting &meeting) {
  for (ConstraintOp constraint : ruled.constraints) {
    if (!speaksOf(constraint, meeting.cell))
      continue;
    meeting.speaking.push_back(constraint);
    meeting.ballot.votes.push_back(
        {static_cast<int64_t>(constraint.getPriority()), constraint.cannotBeOutvoted()});
    for (Candidate &candidate : meeting.candidates.all)
      candidate.holds.push_back(holds(constraint, meeting.cell, candidate.token));
  }
}

//===----------------------------------------------------------------------===//
// AGREE
//===----------------------------------------------------------------------===//

Ballot RuledValue::makeBallot() const {
  Ballot ballot;
  CommitOp commit = this->commit;
  ballot.kind = ValueOp(value).getKind();
  if (!commit) // an error that is reported elsewhere
    return ballot;
  ballot.policy = commit.getPolicy();
  ballot.weighted = commit.getWeighted();
  ballot.quorum = commit.getQuorum().value_or(0);
  for (ConstraintOp constraint : constraints)
    if (!constraint.cannotBeOutvoted())
      ballot.priorities.push_back(constraint.getPriority());
  return ballot;
}

void Tick::prepareBallot(Meeting &meeting) {
  Ballot &ballot = meeting.ballot;
  CommitOp commit = ruled.commit;
  SmallVector<Vote> votes = std::move(ballot.votes);
  ballot = ruled.makeBallot();
  ballot.votes = std::move(votes);
  if (!commit.getTemperature().empty())
    ballot.temperature = bodies.yield(commit.getTemperature().front(), {})->asNumber();
  // S-POLICY-DRAW: the commit's stream, one draw for each cell.
  ballot.draw = [this, commit] {
    numerics::Stream stream(bodies.seed, ProgramOp::getDeclarationNumber(commit), 0);
    return stream.thresholdDraw(bodies.getSite(0));
  };
}

Tick::Meeting Tick::meet(ArrayRef<int64_t> cell, int64_t number, int64_t epoch, int64_t phase) {
  Meeting meeting;
  meeting.cell = SmallVector<int64_t>(cell);
  meeting.number = number;
  meeting.keep = state.get(number);
  meeting.hasKeep = state.isPresent(meeting.keep);
  meeting.ruleStamps.assign(ruled.rules.size(), 0);
  bodies.place = {epoch, phase, ruled.phases.getCellNumber(cell), meeting.keep, meeting.hasKeep};
  for (unsigned rule = 0; rule < ruled.rules.size(); ++rule)
    propose(meeting, rule);
  if (!meeting.isActive)
    return meeting;
  check(meeting);
  prepareBallot(meeting);
  meeting.winner = meeting.ballot.decide(meeting.candidates.all);
  return meeting;
}

//===----------------------------------------------------------------------===//
// COMMIT
//===----------------------------------------------------------------------===//

// S-COMMIT, S-IDEMPOTENT, S-P5: a winner equal to the cell's content changes nothing.
bool Tick::changes(const Meeting &meeting) const {
  return meeting.winner && !meeting.candidates.all[*meeting.winner].isKeep;
}

// S-STAMP, S-P3: one more than the cell's stamp and the stamps of the present reads of the winning
// rule.
int64_t Tick::getNewStamp(const Meeting &meeting) const {
  int64_t before = state.getStamp(meeting.number);
  if (!changes(meeting))
    return before;
  unsigned rule = meeting.candidates.all[*meeting.winner].rule;
  return 1 + std::max(before, meeting.ruleStamps[rule]);
}

Install Tick::makeInstall(const Meeting &meeting) const {
  const Candidate &winner = meeting.candidates.all[*meeting.winner];
  return {&state,
          meeting.number,
          winner.token,
          getNewStamp(meeting),
          meeting.ballot.getLevels(winner, std::nullopt),
          meeting.ballot.getScore(winner, std::nullopt)};
}

void Install::record(uint64_t replica) const {
  ::lci::Records &records = state->records;
  records.stamps.setInt(number, stamp);
  for (auto [i, level] : llvm::enumerate(levels))
    records.levels.setInt(number * state->numLevels + i, level);
  uint64_t bits = canonicalizeFloat(toBits(score + 0.0f)); // -0 + 0 is 0
  records.scores.data<float>()[number] = toFloat(bits);
  records.replicas.setInt(number, static_cast<int64_t>(replica));
}

// S-COUNT: for the winner, if there is one; decisive: without the constraint another would have
// won.
void Tick::count(const Meeting &meeting) {
  if (!countConstraints || !meeting.isActive)
    return;
  for (auto [i, constraint] : llvm::enumerate(meeting.speaking)) {
    std::string name = ConstraintOp(constraint).getSymName().str();
    if (meeting.winner) {
      bool holds = meeting.candidates.all[*meeting.winner].holds[i];
      ++counters[name + (holds ? ".satisfied" : ".violated")];
    }
    if (meeting.ballot.decide(meeting.candidates.all, i) != meeting.winner)
      ++counters[name + ".decisive"];
  }
}

// S-SELECT: under `confidence` commits the surest changes, else all of them.
void Tick::commit(std::vector<Install> changed, std::vector<Install> &installs) {
  std::vector<Sureness> order;
  for (auto [position, change] : llvm::enumerate(changed))
    order.push_back({change.score, position});
  size_t kept = order.size();
  if (std::optional<float> fraction = ruled.phases.getSurestFraction())
    kept = sortSurest(order, *fraction);
  for (const Sureness &cell : ArrayRef(order).take_front(kept))
    installs.push_back(changed[cell.position]);
  counters[(ruled.value.getSymName() + ".changed").str()] += static_cast<int64_t>(kept);
}

void Tick::run(int64_t epoch, int64_t phase, std::vector<Install> &installs) {
  std::vector<Install> changed;
  SmallVector<int64_t> extents = state.getExtents(), cell(extents.size(), 0);
  int64_t number = 0;
  do {
    if (!isScheduled(cell, number, epoch, phase) || bodies.evaluator.hasFailed()) {
      ++number;
      continue;
    }
    Meeting meeting = meet(cell, number, epoch, phase);
    count(meeting);
    if (changes(meeting))
      changed.push_back(makeInstall(meeting));
    ++number;
  } while (advance(cell, extents));
  commit(std::move(changed), installs);
}

void Tick::findViolated(int64_t epoch, std::map<std::string, int64_t> &violated) {
  SmallVector<int64_t> extents = state.getExtents(), cell(extents.size(), 0);
  int64_t number = 0;
  do {
    Datum held = state.get(number++);
    bodies.place = {epoch, 0, ruled.phases.getCellNumber(cell), held, state.isPresent(held)};
    for (ConstraintOp constraint : ruled.constraints)
      if (constraint.cannotBeOutvoted() && state.isPresent(held) && speaksOf(constraint, cell) &&
          !holds(constraint, cell, held))
        ++violated[constraint.getSymName().str()];
  } while (advance(cell, extents));
}

//===----------------------------------------------------------------------===//
// Explanations
//===----------------------------------------------------------------------===//

std::string Tick::getText(const Datum &token) const {
  auto number = [&](uint64_t bits) {
    if (state.getKind() == Kind::Token || state.getKind() == Kind::I32)
      return std::to_string(static_cast<int64_t>(bits));
    return llvm::formatv("{0}", Datum{bits, nullptr}.asNumber()).str();
  };
  if (!token.tensor)
    return number(token.bits);
  return "(" + llvm::join(llvm::map_range(token.tensor->elements, number), ", ") + ")";
}

Explanation Tick::explain(ArrayRef<int64_t> cell, int64_t epoch, int64_t phase) {
  Explanation why;
  why.value = ruled.value.getSymName().str();
  why.policy = stringifyPolicy(ruled.commit.getPolicy()).str();
  why.cell.assign(cell.begin(), cell.end());
  why.epoch = epoch;
  why.phase = phase;
  int64_t number = state.getNumber(cell);
  why.stampBefore = why.stampAfter = state.getStamp(number);
  why.isScheduled = isScheduled(cell, number, epoch, phase);
  if (!why.isScheduled)
    return why;
  Meeting meeting = meet(cell, number, epoch, phase);
  why.isActive = meeting.isActive;
  why.winner = meeting.winner;
  why.changes = changes(meeting);
  why.isIfSurest = why.changes && ruled.phases.getSurestFraction();
  why.stampAfter = getNewStamp(meeting);
  for (const Candidate &candidate : meeting.candidates.all) {
    Explanation::Candidate row{getText(candidate.token),
                               candidate.isKeep,
                               candidate.isProposed,
                               meeting.ballot.isAdmissible(candidate, std::nullopt),
                               meeting.ballot.getScore(candidate, std::nullopt),
                               RuleOp(ruled.rules[candidate.rule]).getSymName().str(),
                               {},
                               {}};
    for (auto [constraint, holds] : llvm::zip(meeting.speaking, candidate.holds))
      row.checks.push_back({constraint.getSymName().str(), holds});
    SmallVector<int64_t> levels = meeting.ballot.getLevels(candidate, std::nullopt);
    row.levels.assign(levels.begin(), levels.end());
    why.candidates.push_back(std::move(row));
  }
  return why;
}

void Explanation::print(llvm::raw_ostream &os) const {
  os << value << "["
     << llvm::join(llvm::map_range(cell, [](int64_t i) { return std::to_string(i); }), ",")
     << "] at epoch " << epoch << ", phase " << phase << ": ";
  if (!isScheduled || !isActive) {
    os << (isScheduled ? "no rule applies\n" : "not up in this phase\n");
    return;
  }
  os << "policy " << policy << "\n";
  for (auto [i, candidate] : llvm::enumerate(candidates)) {
    os << (winner == i ? "  * " : "    ") << candidate.token
       << (candidate.isProposed ? candidate.isKeep ? " (proposed, keep)" : " (proposed)"
                                : " (keep)")
       << " score " << candidate.score << " by " << candidate.rule;
    for (const auto &[name, holds] : candidate.checks)
      os << ", " << name << (holds ? " holds" : " is violated");
    os << (candidate.isAdmissible ? "\n" : ", not admissible\n");
  }
  if (!winner)
    os << "    nothing is left: the cell stays\n";
  os << (changes ? "  commits" : "  stays") << (isIfSurest ? ", if it is among the surest" : "");
  if (knowsStamps)
    os << ", stamp " << stampBefore << " -> " << stampAfter;
  os << "\n";
}

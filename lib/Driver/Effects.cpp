//===- Effects.cpp - Warn of clauses without effect -----------------------===//
//
// Warnings about valid declarations of a bound program that cannot have an effect, each decided
// from the declarations alone: schedules that select no cell, scores that no policy compares,
// quorums above the number of rules, constant draws, conditions that hold nowhere, constraints that
// do not depend on the candidate.
//
//===----------------------------------------------------------------------===//
#include "LCI/Driver/Effects.h"
#include "LCI/Analysis/Constraints.h"
#include "LCI/Analysis/IndexDomain.h"
#include "LCI/Analysis/Notation.h"
#include "LCI/Analysis/Ranges.h"
#include "LCI/Dialect/DeclarationIndex.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::lci;

/// Schedules that select no cell in any phase.
static void warnOfSchedule(ScheduleOp schedule, ValueOp value) {
  Strategy strategy = schedule.getStrategy();
  bool isNeverAbsent = value.hasInit() || value.getKind() != Kind::Token;
  if (strategy == Strategy::Masked && isNeverAbsent) {
    InFlightDiagnostic warning = emitWarning(schedule.getLoc())
                                 << ErrorId::WrongSchedule << "'masked' is for cells that hold "
                                 << "nothing, but those of '" << value.getName()
                                 << "' always hold something: no rule will change one";
    warning.attachNote(value.getLoc())
        << (value.getKind() == Kind::Token ? "without its 'init' they would begin with nothing"
                                           : "numbers are always there");
  }
  if (schedule.getFraction() && schedule.getFraction()->isZero())
    emitWarning(schedule.getLoc())
        << ErrorId::WrongSchedule << "of the fraction 0 '" << stringifyStrategy(strategy)
        << "' chooses no cell of '" << value.getName() << "': no rule will change one";
}

/// The rules of a value that have scores, and the number of all its rules.
static std::pair<SmallVector<RuleOp>, int64_t> collectRules(ProgramOp program, ValueOp value) {
  SmallVector<RuleOp> scoring;
  int64_t all = 0;
  for (RuleOp rule : program.getOps<RuleOp>()) {
    if (rule.getValue() != value.getSymName())
      continue;
    ++all;
    auto emit = cast<EmitOp>(rule.getBody().front().getTerminator());
    if (!emit.getScore().empty())
      scoring.push_back(rule);
  }
  return {scoring, all};
}

/// The number of tokens that `any` proposes.
static int64_t countCandidates(EmitOp emit) {
  auto rule = cast<RuleOp>(emit->getParentOp());
  if (!emit.getRange())
    return *rule->getParentOfType<ProgramOp>().lookupValue(rule.getValue()).getVocabularySize();
  auto end = [&](unsigned i) {
    return cast<AffineConstantExpr>(emit.getRange()->getResult(i)).getValue();
  };
  return end(1) - end(0) + 1;
}

/// Scores that no agreement compares.
static void warnOfScores(ProgramOp program, CommitOp commit) {
  ValueOp value = program.lookupValue(commit.getValue());
  auto schedules = program.getOps<ScheduleOp>();
  bool ranksCells = llvm::any_of(schedules, [&](ScheduleOp schedule) {
    return schedule.getValue() == commit.getValue() &&
           schedule.getStrategy() == Strategy::Confidence;
  });
  auto [scoring, all] = collectRules(program, value);
  Policy policy = commit.getPolicy();
  if (ranksCells || scoring.empty())
    return;
  for (RuleOp rule : scoring) {
    auto emit = cast<EmitOp>(rule.getBody().front().getTerminator());
    bool takesProposals = policy == Policy::Accept || policy == Policy::Sample;
    bool isAlone = takesProposals && all == 1 && !emit.getAny();
    if (policy != Policy::Quorum && !isAlone)
      continue;
    emitWarning(emit.getScore().front().getTerminator()->getLoc())
        << ErrorId::WrongPlace << "the score of rule '" << rule.getSymName()
        << "' decides nothing: "
        << (isAlone ? "'" + stringifyPolicy(policy).str() +
                          "' takes its proposal, the only one, whatever the scores"
                    : "'quorum' counts rules");
  }
}

/// Quorums above the number of rules.
static void warnOfQuorum(ProgramOp program, CommitOp commit) {
  ValueOp value = program.lookupValue(commit.getValue());
  int64_t all = collectRules(program, value).second;
  if (commit.getPolicy() == Policy::Quorum && all > 0 &&
      static_cast<int64_t>(commit.getQuorum().value_or(1)) > all)
    emitWarning(commit.getLoc()) << ErrorId::WrongPlace << "'quorum(" << *commit.getQuorum()
                                 << ")' asks for as many rules, but '" << value.getName()
                                 << "' has " << all << ": no rule will change a cell";
}

/// Whether a rule proposes for every cell in every state.
static bool isUnconditional(RuleOp rule) {
  return !rule.getWhere() && !cast<EmitOp>(rule.getBody().front().getTerminator()).getCondition();
}

/// Several rules that propose for every cell, where the policy expects one proposal.
static void warnOfCrowd(CommitOp commit, ArrayRef<RuleOp> rules) {
  SmallVector<RuleOp> always;
  llvm::copy_if(rules, std::back_inserter(always), isUnconditional);
  if (always.size() < 2)
    return;
  InFlightDiagnostic warning =
      emitWarning(commit.getLoc())
      << ErrorId::WrongPlace << "'metropolis' moves a cell by one proposal, but rules '"
      << always[0].getSymName() << "' and '" << always[1].getSymName()
      << "' both propose for every cell: where they propose different tokens, none is taken";
  warning.attachNote(always[1].getLoc()) << "the second one is here; 'on … when …' says for which "
                                         << "cells a rule is";
}

/// A temperature that reverses the order of scores.
static void warnOfTemperature(CommitOp commit) {
  APFloat number(0.0F);
  if (commit.getTemperature().empty())
    return;
  auto yield = cast<YieldOp>(commit.getTemperature().front().getTerminator());
  if (matchPattern(yield.getValue(), m_ConstantFloat(&number)) && number.isNegative() &&
      !number.isZero())
    emitWarning(commit.getLoc()) << ErrorId::WrongPlace
                                 << "with a temperature below 0 the worst score is the likeliest";
}

/// A draw whose outcome is constant.
static void warnOfChance(BernoulliOp draw) {
  APFloat chance(0.0F);
  if (!matchPattern(draw.getProbability(), m_ConstantFloat(&chance)))
    return;
  if (chance.isNegative() && !chance.isZero())
    emitWarning(draw.getLoc()) << ErrorId::WrongPlace
                               << "a chance is between 0 and 1; of less than 0 it never happens";
  else if (chance > APFloat(1.0F))
    emitWarning(draw.getLoc()) << ErrorId::WrongPlace
                               << "a chance is between 0 and 1; of more than 1 it always happens";
}

/// Schedules and constraints of cells that no rule changes.
static void warnOfUnruled(ProgramOp program) {
  auto isRuled = [&](StringRef value) {
    return program.lookupValue(value).isSet() || !getDeclarationsOn<RuleOp>(program, value).empty();
  };
  for (ScheduleOp schedule : program.getOps<ScheduleOp>())
    if (!isRuled(schedule.getValue()))
      emitWarning(schedule.getLoc())
          << ErrorId::WrongPlace << "the schedule of '" << schedule.getValue()
          << "' has no effect: no rule changes it";
  for (ConstraintOp constraint : program.getOps<ConstraintOp>())
    if (!isRuled(constraint.getValue()) && !constraint.cannotBeOutvoted() &&
        !speaksOfNoCell(constraint))
      emitWarning(constraint.getLoc())
          << ErrorId::WrongPlace << describe(constraint) << " decides nothing: no rule changes '"
          << constraint.getValue() << "'";
}

/// Moves that are never one proposal: without constraints all candidates tie.
static void warnOfMoves(ProgramOp program, CommitOp commit) {
  bool isJudged = !getDeclarationsOn<ConstraintOp>(program, commit.getValue()).empty();
  if (commit.getPolicy() != Policy::Metropolis || isJudged)
    return;
  auto rules = getDeclarationsOn<RuleOp>(program, commit.getValue());
  warnOfCrowd(commit, rules);
  for (RuleOp rule : rules) {
    auto emit = cast<EmitOp>(rule.getBody().front().getTerminator());
    if (!emit.getAny() || countCandidates(emit) < 2)
      continue;
    InFlightDiagnostic warning = emitWarning(emit.getLoc())
                                 << ErrorId::WrongPlace << "'metropolis' moves a cell by one "
                                 << "proposal, but rule '" << rule.getSymName() << "' makes "
                                 << countCandidates(emit) << ": it will change no cell";
    warning.attachNote() << "'randint(" << countCandidates(emit) << ")' draws one of as many";
  }
}

/// A condition that holds for no cell, whatever the state.
static void warnOfRule(RuleOp rule) {
  auto emit = cast<EmitOp>(rule.getBody().front().getTerminator());
  Value condition = emit.getCondition();
  bool hasNoCell =
      IndexDomain::around(emit).visitPoints([](ArrayRef<int64_t>) { return /*goOn=*/false; });
  if (hasNoCell || (condition && RangeAnalysis(rule).getRange(condition).umax().isZero()))
    emitWarning(rule.getLoc()) << ErrorId::WrongPlace << "rule '" << rule.getSymName()
                               << "' never proposes: its condition holds for no cell";
}

/// Whether there is anything for tensor cores: a model, or a matrix times a vector.
static bool multipliesMatrices(ProgramOp program) {
  auto stop = [](Operation *op) {
    return isa<ModelOp, MatVecOp>(op) ? WalkResult::interrupt() : WalkResult::advance();
  };
  return program.walk(stop).wasInterrupted();
}

/// Constraints of no cell, and those that read the old content of a cell in place of the candidate.
static void warnOfConstraint(ConstraintOp constraint) {
  if (speaksOfNoCell(constraint)) {
    emitWarning(constraint.getLoc()) << ErrorId::WrongPlace << describe(constraint)
                                     << " decides nothing: its condition holds for no cell";
    return;
  }
  if (!isCandidateIndependent(constraint))
    return;
  bool isHard = constraint.cannotBeOutvoted();
  InFlightDiagnostic warning =
      emitWarning(constraint.getLoc())
      << ErrorId::WrongPlace << describe(constraint)
      << " does not ask about 'candidate': it judges every proposal of a "
         "cell alike, by what the cell held, "
      << (isHard ? "and where it does not hold the cell stays as it is" : "and decides nothing");
  warning.attachNote() << "'candidate' is what the cell would hold, 'self' what it held; "
                          "'forbid change(…)' keeps a cell as it is";
}

void mlir::lci::warnOfNoEffect(ProgramOp program, const RunOptions &options) {
  for (ConstraintOp constraint : program.getOps<ConstraintOp>())
    warnOfConstraint(constraint);
  for (RuleOp rule : program.getOps<RuleOp>())
    warnOfRule(rule);
  for (ScheduleOp schedule : program.getOps<ScheduleOp>())
    warnOfSchedule(schedule, program.lookupValue(schedule.getValue()));
  for (CommitOp commit : program.getOps<CommitOp>()) {
    warnOfQuorum(program, commit);
    warnOfMoves(program, commit);
    warnOfTemperature(commit);
  }
  program.walk(warnOfChance);
  warnOfUnruled(program);
  if (options.tf32 && !multipliesMatrices(program))
    emitWarning(program.getLoc()) << ErrorId::WrongPlace
                                  << "--tf32 decides nothing: the program multiplies no matrix";
  if (options.keepsRecords()) // joins compare scores
    return;
  for (CommitOp commit : program.getOps<CommitOp>())
    warnOfScores(program, commit);
}

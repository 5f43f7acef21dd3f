//===- BindSchedules.cpp - Give every ruled value a schedule --------------===//
//
// A rule on a set of events defines the strategy of all values with rules but
// without a schedule. It becomes those schedules; an unused formula takes its
// place, because draws and ties refer to declarations by their number.
//
//===----------------------------------------------------------------------===//

#include "BindSteps.h"
#include "LCI/Analysis/Colouring.h"
#include "LCI/Analysis/Notation.h"
#include "LCI/Dialect/DeclarationIndex.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::lci;

/// The first rule on each value that is not a set, in source order.
static SmallVector<std::pair<ValueOp, RuleOp>> getRuledValues(ProgramOp program) {
  SmallVector<std::pair<ValueOp, RuleOp>> ruled;
  for (auto value : program.getOps<ValueOp>()) {
    if (value.isSet())
      continue;
    SmallVector<RuleOp> rules = getDeclarationsOn<RuleOp>(program, value.getName());
    if (!rules.empty())
      ruled.emplace_back(value, rules.front());
  }
  return ruled;
}

static bool isOnSet(RuleOp rule) {
  ValueOp value = rule->getParentOfType<ProgramOp>().lookupValue(rule.getValue());
  return value && value.isSet();
}

/// S-EVENTS: an epoch's event has that epoch's number, and no other.
static LogicalResult checkEpoch(SampleTilesOp tiles) {
  Value epoch = tiles.getEpoch();
  while (auto let = epoch.getDefiningOp<LetOp>())
    epoch = let.getValue();
  if (epoch.getDefiningOp<EpochOp>())
    return success();
  InFlightDiagnostic error =
      emitError(epoch.getLoc(), "an epoch adds the event of itself, but this is another number")
      << ErrorId::WrongSchedule;
  error.attachNote() << "write 'epoch=e'";
  return failure();
}

/// The tiles that a rule on a set of events schedules.
static FailureOr<SampleTilesOp> getTiles(RuleOp rule) {
  auto emit = cast<EmitOp>(rule.getBody().front().getTerminator());
  if (emit.getCondition())
    return emitError(rule.getLoc(), "a schedule holds in every epoch, but ")
           << ErrorId::WrongSchedule << describe(rule) << " has a condition";
  if (auto tiles = emit.getProposal() ? emit.getProposal().getDefiningOp<SampleTilesOp>() : nullptr)
    return failed(checkEpoch(tiles)) ? FailureOr<SampleTilesOp>() : tiles;
  return emitError(rule.getLoc(), "expected ")
         << ErrorId::WrongSchedule << describe(rule) << " to propose SampleTiles(…) to the set '"
         << rule.getValue() << "'";
}

/// Replaces the rule by an unused formula, to keep the numbers of declarations.
static void retire(RuleOp rule) {
  OpBuilder builder(rule);
  auto formula = DefOp::create(builder, rule.getLoc(), rule.getName());
  formula.getBody().takeBody(rule.getBody());
  auto emit = cast<EmitOp>(formula.getBody().front().getTerminator());
  builder.setInsertionPoint(emit);
  YieldOp::create(builder, emit.getLoc(), emit.getProposal(), Value());
  emit.erase();
  rule.erase();
}

static ScheduleOp addSchedule(ProgramOp program, ValueOp value, Strategy strategy, Location loc) {
  auto builder = OpBuilder::atBlockEnd(&program.getBody().front());
  auto name = FlatSymbolRefAttr::get(value.getNameAttr());
  return ScheduleOp::create(builder, loc, name, StrategyAttr::get(builder.getContext(), strategy),
                            DenseI64ArrayAttr(), DenseI64ArrayAttr(), FloatAttr(), IntegerAttr(),
                            StringAttr());
}

static LogicalResult checkCommits(ArrayRef<std::pair<ValueOp, RuleOp>> ruled, ProgramOp program) {
  LogicalResult result = success();
  for (auto [value, rule] : ruled) {
    StringRef name = value.getName();
    if (!getDeclarationsOn<CommitOp>(program, name).empty())
      continue;
    InFlightDiagnostic error = emitError(rule.getLoc())
                               << ErrorId::MissingPart << describe(rule) << " proposes for "
                               << describe(value) << ", which has no commit";
    error.attachNote() << "add: commit " << name << "[*] using accept";
    result = failure();
  }
  return result;
}

LogicalResult mlir::lci::bindSchedules(ProgramOp program, const BindOptions &options) {
  SmallVector<std::pair<ValueOp, RuleOp>> ruled;
  {
    DeclarationIndex index(program);
    ruled = getRuledValues(program);
    if (failed(checkCommits(ruled, program)))
      return failure();
  }
  std::optional<Strategy> common;
  Location commonLoc = program.getLoc();
  for (auto rule : llvm::make_early_inc_range(program.getOps<RuleOp>())) {
    if (!isOnSet(rule))
      continue;
    FailureOr<SampleTilesOp> tiles = getTiles(rule);
    if (failed(tiles))
      return failure();
    if (common)
      return emitError(rule.getLoc(), "expected one rule that schedules, but ")
             << ErrorId::WrongSchedule << describe(rule) << " is another";
    common = tiles->getStrategy();
    if (*common == Strategy::Random || *common == Strategy::Confidence)
      return emitError(tiles->getLoc(), "expected a strategy without a fraction, but got '")
             << ErrorId::WrongSchedule << stringifyStrategy(*common) << "'";
    commonLoc = rule.getLoc();
    // The log of a run's events finds the formula by this attribute of the set.
    program.lookupValue(rule.getValue())->setAttr("lci.events", rule.getSymNameAttr());
    retire(rule);
  }
  llvm::StringSet<> scheduled;
  for (auto schedule : program.getOps<ScheduleOp>())
    scheduled.insert(schedule.getValue());
  for (auto [value, rule] : ruled) {
    if (!scheduled.contains(value.getName()))
      addSchedule(program, value, common.value_or(Strategy::All),
                  common ? commonLoc : rule.getLoc());
  }
  if (!options.legalize.empty())
    for (auto schedule : program.getOps<ScheduleOp>())
      if (!schedule.getLegalize())
        schedule.setLegalize(StringRef(options.legalize));
  return success();
}

/// Whether the phases are, or may become, colours of the cells.
static bool mayRecolour(ScheduleOp schedule) {
  return schedule.getStrategy() == Strategy::Recolor || schedule.getLegalize() == "recolor";
}

LogicalResult mlir::lci::bindElements(ProgramOp program, const BindOptions &options) {
  if (!options.elements)
    return success();
  DeclarationIndex index(program);
  for (auto schedule : program.getOps<ScheduleOp>()) {
    if (!mayRecolour(schedule))
      continue;
    for (ParamOp param : getColouringParams(program.lookupValue(schedule.getValue()))) {
      if (param.getKind() != Kind::I32 || param.getElements())
        continue;
      FailureOr<std::optional<SmallVector<int64_t>>> elements = options.elements(param);
      if (failed(elements))
        return failure();
      if (*elements)
        param.setElements(**elements);
    }
  }
  return success();
}

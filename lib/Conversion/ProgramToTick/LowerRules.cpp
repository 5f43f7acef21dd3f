//===- LowerRules.cpp - Conversion of a bound program to ticks ------------===//
//
// Makes the function that runs epochs of a program, with one tick for each phase of each value; see
// "Level 3: the tick form" in docs/architecture.md for its interface. The pass replaces a program
// by this function and those of Start.cpp, Observers.cpp, Violations.cpp and Rejections.cpp.
//
//===----------------------------------------------------------------------===//

#include "LCI/Analysis/BodyOperations.h"
#include "LCI/Analysis/Causality.h"
#include "LCI/Analysis/Parameters.h"
#include "LCI/Conversion/ProgramToTick/Passes.h"
#include "LCI/Dialect/DeclarationIndex.h"
#include "LCI/Dialect/Limits.h"
#include "LCI/Transforms/Program/Bind.h"
#include "LCI/Transforms/Support/Thresholds.h"
#include "LCI/Transforms/Support/Ways.h"
#include "ProgramLowering.h"
#include "TotalOperations.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <set>

namespace mlir::lci {
#define GEN_PASS_DEF_LOWERRULESPASS
#include "LCI/Conversion/ProgramToTick/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

//===----------------------------------------------------------------------===//
// Values to lower
//===----------------------------------------------------------------------===//

LogicalResult ProgramLowering::checkSupported() {
  if (!program.isBound())
    return program.emitOpError("has sizes without numbers; run 'lci-bind' first")
           << ErrorId::PassOrder;
  if (failed(checkBodyOperations(program)))
    return failure();
  for (auto value : program.getOps<ValueOp>()) {
    if (value.isSet())
      continue;
    (getDeclarationsOn<RuleOp>(program, value.getSymName()).empty() ? inputs : ruled)
        .push_back(value);
  }
  if (records)
    for (ValueOp value : ruled)
      if (CommitOp commit = findDeclarationOn<CommitOp>(program, value.getSymName()))
        llvm::append_range(recorded, getRecordStates(value, commit));
  return success();
}

//===----------------------------------------------------------------------===//
// Epochs
//===----------------------------------------------------------------------===//

/// Evaluates a region without arguments, whose value depends on parameters and the epoch alone.
FailureOr<Value> ProgramLowering::evaluate(Region &region, Value epoch) {
  IRMapping mapping;
  for (Operation &op : region.front().without_terminator()) {
    if (auto epochOp = dyn_cast<EpochOp>(op)) {
      mapping.map(epochOp.getResult(), epoch);
    } else if (auto let = dyn_cast<LetOp>(op)) {
      mapping.map(let.getResult(), mapping.lookup(let.getValue()));
    } else if (auto param = dyn_cast<ParamValueOp>(op); param && param.getIndices().empty()) {
      mapping.map(param.getResult(), bindings.params.lookup(param.getParam()));
    } else if (isa_and_nonnull<LCIDialect>(op.getDialect()) &&
               op.getNumRegions() + op.getNumOperands() == 0) {
      return LogicalResult(op.emitOpError("is not known outside of a cell") << ErrorId::NotLowered);
    } else {
      b.clone(op, mapping);
    }
  }
  return mapping.lookup(cast<YieldOp>(region.front().getTerminator()).getValue());
}

/// Whether a formula is scalar, so that a function can compute it: arrays and reductions over them
/// have a form in ticks only.
bool ProgramLowering::isOfNumbers(Region &formula) {
  return !formula
              .walk([&](Operation *op) {
                auto param = dyn_cast<ParamValueOp>(op);
                bool isArray = param && (!param.getIndices().empty() ||
                                         !bindings.params.count(param.getParam()));
                bool isVector = llvm::any_of(op->getOperandTypes(), llvm::IsaPred<ShapedType>);
                return isArray || isVector || isa<ReduceOp>(op) ? WalkResult::interrupt()
                                                                : WalkResult::advance();
              })
              .wasInterrupted();
}

/// Parameters with a formula and temperatures, once per epoch.
LogicalResult ProgramLowering::evaluateEpochly(Value epoch) {
  FailureOr<SmallVector<ParamOp>> ordered = orderParameters(program);
  if (failed(ordered))
    return failure();
  for (ParamOp param : *ordered) {
    if (bindings.params.count(param.getSymName()) || !isOfNumbers(param.getInit()))
      continue;
    FailureOr<Value> value = evaluate(param.getInit(), epoch);
    if (failed(value))
      return failure();
    bindings.params[param.getSymName()] = *value;
  }
  for (auto commit : program.getOps<CommitOp>()) {
    if (commit.getTemperature().empty() || !isOfNumbers(commit.getTemperature()))
      continue;
    FailureOr<Value> value = evaluate(commit.getTemperature(), epoch);
    if (failed(value))
      return failure();
    bindings.temperatures[commit.getValue()] = *value;
  }
  return success();
}

FailureOr<TickOp> ProgramLowering::buildPartTick(ValueOp value, CommitPart part, Counters &counters,
                                                 const TickPhases &phases, const Phase &phase,
                                                 const TickBody::Written &written) {
  SmallVector<RuleOp> rules = getDeclarationsOn<RuleOp>(program, value.getSymName());
  CommitOp commit = findDeclarationOn<CommitOp>(program, value.getSymName());
  if (!commit)
    return LogicalResult(value.emitOpError("has a rule but no commit") << ErrorId::MissingPart);
  TickBody body(program, value, bindings, rules.front().getLoc());
  // These two parts need the score that the winner was agreed on with.
  bool scores = written.scores || part.kind == CommitPart::Score || part.kind == CommitPart::Level;
  if (failed(Agreement(body, rules, commit, counters, scores, part).build()))
    return failure();
  TickOp tick = body.finish(b, phase.epoch, phase.number, bindings.seed, written, phases.cells,
                            phases.classStride);
  if (!phases.visited.empty())
    addVisitedBox(b, tick, phases);
  return tick;
}

/// Builds the ticks that record the value's commits of this phase.
LogicalResult ProgramLowering::buildRecords(ValueOp value, const TickPhases &phases,
                                            const Phase &phase, MutableArrayRef<Value> next,
                                            Value replaced) {
  Counters none(Counting::None);
  bindings.replaced = replaced;
  for (auto [position, state] : llvm::enumerate(recorded)) {
    if (state.value != value)
      continue;
    Value &array = next[ruled.size() + position];
    FailureOr<TickOp> tick = buildPartTick(value, state.part, none, phases, phase, {array, {}, {}});
    if (failed(tick))
      return failure();
    tick->setName(state.name());
    array = tick->getResult(0);
  }
  bindings.replaced = Value();
  return success();
}

FailureOr<ProgramLowering::AfterTick> ProgramLowering::buildTick(ValueOp value,
                                                                 const TickPhases &phases,
                                                                 const Phase &phase,
                                                                 ArrayRef<Value> carried) {
  bool scores = static_cast<bool>(phases.surest);
  bool counts = counters.getCounting() != Counting::None ||
                llvm::any_of(getDeclarationsOn<RuleOp>(program, value.getSymName()), mayReject);
  TickBody::Written written{bindings.states.lookup(value.getSymName()),
                            counts ? carried.back() : Value(), Value()};
  if (scores)
    written.scores =
        tensor::EmptyOp::create(b, value.getLoc(), *value.getExtents(), b.getF32Type());
  FailureOr<TickOp> tick = buildPartTick(value, {}, counters, phases, phase, written);
  if (failed(tick))
    return failure();
  if (scores)
    return keepSurest(*tick, phases.surest);
  return AfterTick{tick->getResult(0), tick->getCountsAfter()};
}

/// S-SELECT: undoes the changes of the less sure cells.
ProgramLowering::AfterTick ProgramLowering::keepSurest(TickOp tick, FloatAttr fraction) {
  took(tick, Way::Surest);
  SmallVector<Type> types{tick.getTarget().getType()};
  IntegerAttr slot;
  if (Value counts = tick.getCountsAfter()) {
    types.push_back(counts.getType());
    slot = b.getI64IntegerAttr(counters.slot(tick.getName() + ".changed"));
  }
  auto kept =
      KeepSurestOp::create(b, tick.getLoc(), types, fraction, tick.getTarget(), tick.getResult(0),
                           tick.getScoresAfter(), tick.getCountsAfter(), slot);
  return {kept.getResult(0), slot ? kept.getResult(1) : Value()};
}

/// One epoch: `carried` holds the states in order and the counts, and is updated to those after it.
/// Phases in which the same values take part are grouped into one loop.
LogicalResult ProgramLowering::buildEpoch(Value epoch, SmallVector<Value> &carried) {
  if (failed(evaluateEpochly(epoch)))
    return failure();
  SmallVector<TickPhases> all;
  std::set<int64_t> borders{0};
  for (ValueOp value : ruled) {
    FailureOr<TickPhases> phases =
        getTickPhases(value, findDeclarationOn<ScheduleOp>(program, value.getSymName()));
    if (failed(phases))
      return failure();
    if (phases->ofCells)
      bindings.colours[value.getSymName()] =
          arith::ConstantOp::create(b, value.getLoc(), phases->ofCells);
    all.push_back(*phases);
    borders.insert({phases->first, phases->first + phases->count});
  }
  for (auto border = borders.begin(); std::next(border) != borders.end(); ++border) {
    int64_t first = *border, end = *std::next(border);
    Phase phase{nullptr, epoch, {}};
    for (const TickPhases &phases : all) {
      bool takesPart = phases.first <= first && end <= phases.first + phases.count;
      phase.ofValues.push_back(takesPart ? std::optional(phases) : std::nullopt);
    }
    if (llvm::none_of(phase.ofValues, [](const auto &phases) { return phases.has_value(); }))
      continue;
    bool loops = end - first > kUnrolledPhases; // the colours of fewer may become boxes
    if (loops || end - first > 1)
      took(program, loops ? Way::PhaseLoop : Way::PhasesWrittenOut);
    for (int64_t number = first; number < (loops ? first + 1 : end); ++number) {
      phase.number = arith::ConstantOp::create(b, program.getLoc(), b.getI64IntegerAttr(number));
      FailureOr<SmallVector<Value>> next =
          loops ? buildPhaseLoop(phase, first, end, carried) : buildRequestedPhase(phase, carried);
      if (failed(next))
        return failure();
      carried = *next;
    }
  }
  return success();
}

/// One phase of all values, which all read the state before it.
FailureOr<SmallVector<Value>> ProgramLowering::buildPhase(const Phase &phase,
                                                          ArrayRef<Value> carried) {
  for (auto [value, state] : llvm::zip(ruled, carried))
    bindings.states[value.getSymName()] = state;
  for (auto [state, array] : llvm::zip(recorded, carried.drop_front(ruled.size())))
    if (state.part.kind == CommitPart::Stamp)
      bindings.stamps[ValueOp(state.value).getSymName()] = array;
  SmallVector<Value> next(carried);
  for (auto [position, value] : llvm::enumerate(ruled)) {
    if (!phase.ofValues[position])
      continue;
    // A record built after the value's tick need not agree again. In a loop of phases, most of
    // which are of few cells, it is built before: the tick can then run in place, without a copy.
    bool comesAfter = phase.ofValues[position]->surest || !phase.isInLoop;
    if (!comesAfter && failed(buildRecords(value, *phase.ofValues[position], phase, next, Value())))
      return failure();
    FailureOr<AfterTick> after = buildTick(value, *phase.ofValues[position], phase, next);
    if (failed(after))
      return failure();
    next[position] = after->state;
    if (comesAfter &&
        failed(buildRecords(value, *phase.ofValues[position], phase, next, after->state)))
      return failure();
    if (after->counts)
      next.back() = after->counts;
  }
  return next;
}

/// The phase, as a branch where the caller chooses the phases to run.
FailureOr<SmallVector<Value>> ProgramLowering::buildRequestedPhase(const Phase &phase,
                                                                   ArrayRef<Value> carried) {
  if (!firstPhase)
    return buildPhase(phase, carried);
  Location loc = program.getLoc();
  Value begun = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sle, firstPhase, phase.number);
  Value going = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, phase.number, lastPhase);
  Value isRequested = arith::AndIOp::create(b, loc, begun, going);
  auto branch = scf::IfOp::create(b, loc, ValueRange(carried).getTypes(), isRequested,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(b, loc, carried);
  b.setInsertionPointToStart(branch.thenBlock());
  FailureOr<SmallVector<Value>> next = buildPhase(phase, carried);
  if (failed(next))
    return failure();
  scf::YieldOp::create(b, loc, *next);
  return llvm::to_vector_of<Value>(branch.getResults());
}

/// The phases from `first` up to `last` that the caller chose.
FailureOr<SmallVector<Value>>
ProgramLowering::buildPhaseLoop(Phase phase, int64_t first, int64_t last, ArrayRef<Value> carried) {
  Location loc = program.getLoc();
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
  };
  Value begin = number(first), end = number(last);
  if (firstPhase) {
    begin = arith::MaxSIOp::create(b, loc, begin, firstPhase);
    end = arith::MinSIOp::create(b, loc, end, lastPhase);
  }
  auto loop = scf::ForOp::create(b, loc, begin, end, number(1), carried);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  phase.number = loop.getInductionVar();
  phase.isInLoop = true;
  FailureOr<SmallVector<Value>> next =
      buildPhase(phase, llvm::to_vector_of<Value>(loop.getRegionIterArgs()));
  if (failed(next))
    return failure();
  scf::YieldOp::create(b, loc, *next);
  return llvm::to_vector_of<Value>(loop.getResults());
}

/// Replaces a type throughout a function's body.
static void retype(func::FuncOp function, Type from, Type to) {
  auto change = [&](Value value) {
    if (value.getType() == from)
      value.setType(to);
  };
  function.walk([&](Operation *op) {
    llvm::for_each(op->getResults(), change);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), change);
  });
}

/// What an epoch reads: all values, records, parameters, sets, weights and enable bits.
void ProgramLowering::addValues(Interface &interface) {
  for (ValueOp value : ruled)
    interface.addValue(Role::State, value);
  for (const RecordState &state : recorded)
    interface.add(Role::State, state.name(), state.type());
  for (ValueOp value : inputs)
    interface.addValue(Role::Input, value);
  interface.addParameters();
  interface.addSetsWeightsAndEnables();
  if (records)
    interface.add(Role::Replica, "", b.getI64Type());
}

LogicalResult ProgramLowering::buildRun() {
  Interface interface(program, given, /*runsEpochs=*/true);
  addValues(interface);
  for (Role role : {Role::First, Role::Last, Role::Seed})
    interface.add(role, "", b.getI64Type());
  if (steps)
    for (Role role : {Role::FirstPhase, Role::LastPhase})
      interface.add(role, "", b.getI64Type());
  // The number of counters is known once the body is built; the type is corrected then.
  auto countsType = RankedTensorType::get({0}, b.getI64Type());
  interface.add(Role::Counts, "", countsType);

  SmallVector<Type> results =
      llvm::map_to_vector(ruled, [](ValueOp v) -> Type { return getStateType(v); });
  for (const RecordState &state : recorded)
    results.push_back(state.type());
  results.push_back(countsType);
  func::FuncOp function = interface.makeFunction(b, program.getSymName(), results);
  bindings = interface.bind(function);
  auto arguments = function.getArguments();
  if (steps) {
    firstPhase = arguments.drop_back(2).back();
    lastPhase = arguments.drop_back(1).back();
  }
  auto epochs = arguments.drop_back(steps ? 5 : 3);
  Value first = epochs.back(), last = arguments[epochs.size()];

  SmallVector<Value> carried(arguments.take_front(ruled.size() + recorded.size()));
  carried.push_back(arguments.back());
  Value one = arith::ConstantOp::create(b, program.getLoc(), b.getI64IntegerAttr(1));
  auto loop = scf::ForOp::create(b, program.getLoc(), first, last, one, carried);
  b.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> state = llvm::to_vector_of<Value>(loop.getRegionIterArgs());
  if (failed(buildEpoch(loop.getInductionVar(), state)))
    return failure();
  scf::YieldOp::create(b, program.getLoc(), state);
  b.setInsertionPointAfter(loop);
  func::ReturnOp::create(b, program.getLoc(), loop.getResults());

  setCounters(function, counters);
  return success();
}

/// Says what the function counts, and how long the array of its counts, the last result, is.
void ProgramLowering::setCounters(func::FuncOp function, const Counters &counted) {
  SmallVector<StringRef> names(counted.getNames().begin(), counted.getNames().end());
  SmallVector<Type> results(function.getResultTypes());
  auto known = RankedTensorType::get({static_cast<int64_t>(names.size())}, b.getI64Type());
  retype(function, results.back(), known);
  results.back() = known;
  function.setFunctionType(b.getFunctionType(function.getBody().getArgumentTypes(), results));
  function->setAttr("lci.counters", b.getStrArrayAttr(names));
}

/// Whether vectors are no longer than compiled code can keep in registers. What models answer lies
/// in memory.
static LogicalResult checkVectors(ProgramOp program) {
  auto check = [](Operation *op, Type type, StringRef verb) {
    auto vector = dyn_cast<RankedTensorType>(type);
    if (!vector || vector.getRank() != 1 || !vector.getElementType().isF32() ||
        vector.getDimSize(0) <= kMaxComponents)
      return false;
    op->emitOpError(verb) << ErrorId::NotLowered << " a vector of " << vector.getDimSize(0)
                          << " numbers; compiled code takes " << kMaxComponents
                          << " at most, the interpreter any";
    return true;
  };
  auto find = [&](Operation *op) {
    auto value = dyn_cast<ValueOp>(op);
    bool isLong = value && check(value, value.getCellType(), "holds");
    if (!isa<EvaluateOp>(op))
      for (Type type : op->getResultTypes())
        isLong = isLong || check(op, type, "computes");
    return isLong ? WalkResult::interrupt() : WalkResult::advance();
  };
  return failure(program.walk(find).wasInterrupted());
}

LogicalResult ProgramLowering::lower() {
  if (failed(checkVectors(program)))
    return failure();
  DeclarationIndex index(program);
  if (failed(checkSupported()) || failed(decideReadsFuture(program)))
    return failure();
  // Programs bound by hand may hold models in upstream's operations, which fold wrongly.
  if (failed(prepareModels(program)))
    return failure();
  auto module = program->getParentOfType<ModuleOp>();
  for (auto model : program.getOps<ModelOp>())
    if (auto function = model.getFunction())
      if (auto written = module.lookupSymbol<func::FuncOp>(*function);
          written && failed(makeTotal(written)))
        return failure();
  if (failed(makeTotal(program))) // rules written as IR may hold them too
    return failure();
  b.setInsertionPoint(program);
  if (failed(buildRun()))
    return failure();
  b.setInsertionPoint(program);
  if (failed(buildInit()))
    return failure();
  b.setInsertionPoint(program);
  if (failed(buildObservers()))
    return failure();
  b.setInsertionPoint(program);
  if (failed(buildViolations()))
    return failure();
  b.setInsertionPoint(program);
  return rejections ? buildRejections() : success();
}

namespace {
struct LowerRules : mlir::lci::impl::LowerRulesPassBase<LowerRules> {
  using LowerRulesPassBase::LowerRulesPassBase;
  void runOnOperation() override {
    SmallVector<std::string> givenNames(given.begin(), given.end());
    if (failed(checkGiven()))
      return signalPassFailure();
    for (auto program : llvm::make_early_inc_range(getOperation().getOps<ProgramOp>())) {
      if (failed(
              ProgramLowering(program, counters, givenNames, steps, records, rejections).lower()))
        return signalPassFailure();
      program.erase();
    }
  }

  /// Whether some program has each parameter that is said to be given, where there are programs.
  LogicalResult checkGiven() {
    auto programs = getOperation().getOps<ProgramOp>();
    for (StringRef name : given)
      if (!programs.empty() && llvm::none_of(programs, [&](ProgramOp program) {
            return program.lookupSymbol<ParamOp>(name) != nullptr;
          }))
        return emitError(getOperation().getLoc())
               << ErrorId::PassOption << "expected 'given' to name parameters, but got '" << name
               << "'";
    return success();
  }
};
} // namespace

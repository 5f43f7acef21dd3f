//===- LowerRules.cpp - From a bound program to the tick form ---------------===//
//
// Makes the function that runs epochs of a program and the one that says how it starts; see "Level
// 3: the tick form" in docs/architecture.md for their interface.
//
//===----------------------------------------------------------------------===//

#include "Agreement.h"
#include "Interface.h"
#include "LCI/Transforms/Passes.h"
#include "TickBody.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::lci {
#define GEN_PASS_DEF_LOWERRULESPASS
#include "LCI/Transforms/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

namespace {
/// When which cells of a value are up.
struct Phases {
  int64_t count = 1;
  IntegerSetAttr cells; // over the indices, with the phase as symbol; null for all cells
  int64_t classStride = 1;
};

class ProgramLowering {
public:
  ProgramLowering(ProgramOp program, Counting counting, ArrayRef<std::string> given)
      : program(program), counters(counting), given(given), b(program.getContext()) {}
  LogicalResult lower();

private:
  LogicalResult checkSupported();
  FailureOr<Phases> getPhases(ValueOp value);
  LogicalResult buildRun();
  LogicalResult buildEpoch(Value epoch, SmallVector<Value> &carried);
  FailureOr<TickOp> buildTick(RuleOp rule, const Phases &phases, int64_t phase, Value epoch,
                              ArrayRef<Value> carried);
  LogicalResult evaluateEpochly(Value epoch);
  FailureOr<Value> evaluate(Region &region, Value epoch);
  LogicalResult buildInit();
  FailureOr<Value> buildInitial(ValueOp value);

  ProgramOp program;
  Counters counters;
  ArrayRef<std::string> given;
  OpBuilder b;
  Bindings bindings;                  // of the function that is being built
  SmallVector<ValueOp> ruled, inputs; // values with and without a rule, in the program's order
};
} // namespace

//===----------------------------------------------------------------------===//
// What is lowered
//===----------------------------------------------------------------------===//

template <typename DeclarationOp>
static DeclarationOp findFor(ProgramOp program, ValueOp value) {
  for (auto declaration : program.getOps<DeclarationOp>())
    if (declaration.getValue() == value.getSymName())
      return declaration;
  return nullptr;
}

LogicalResult ProgramLowering::checkSupported() {
  if (!program.isBound())
    return program.emitOpError("has sizes without numbers; run 'lci-bind' first");
  for (auto value : program.getOps<ValueOp>()) {
    if (value.isSet())
      continue;
    if (value.getKind() == Kind::Latent)
      return value.emitOpError("holds vectors, which are not lowered yet");
    RuleOp rule = findFor<RuleOp>(program, value);
    (rule ? ruled : inputs).push_back(value);
  }
  llvm::StringMap<RuleOp> rules;
  for (auto rule : program.getOps<RuleOp>()) {
    auto [first, isNew] = rules.try_emplace(rule.getValue(), rule);
    if (isNew)
      continue;
    InFlightDiagnostic error = rule.emitOpError("is a second rule on ")
                               << rule.getValueAttr() << ", which is not lowered yet";
    error.attachNote(first->second.getLoc()) << "the first rule is here";
    return error;
  }
  return success();
}

FailureOr<Phases> ProgramLowering::getPhases(ValueOp value) {
  ScheduleOp schedule = findFor<ScheduleOp>(program, value);
  unsigned rank = value.getRank();
  Phases phases;
  if (!schedule || schedule.getStrategy() == Strategy::All)
    return phases;
  if (schedule.getTile())
    return LogicalResult(schedule.emitOpError("with tiles is not lowered yet"));
  AffineExpr phase = b.getAffineSymbolExpr(0);
  auto axis = [&](int64_t i) { return b.getAffineDimExpr(i); };
  SmallVector<AffineExpr> zeros;
  switch (schedule.getStrategy()) {
  case Strategy::RedBlack: {
    AffineExpr sum = -phase;
    SmallVector<int64_t> all = llvm::to_vector(llvm::seq<int64_t>(0, rank));
    ArrayRef<int64_t> axes = schedule.getAxes().value_or(all);
    for (int64_t i : axes)
      sum = sum + axis(i);
    zeros.push_back(sum % 2);
    phases.count = 2;
    phases.classStride = llvm::is_contained(axes, rank - 1) ? 2 : 1;
    break;
  }
  case Strategy::FourColor:
    if (rank < 2)
      return LogicalResult(schedule.emitOpError("colours two axes, but the value has ") << rank);
    zeros.push_back((axis(rank - 2) - phase) % 2);
    zeros.push_back((axis(rank - 1) - phase.floorDiv(2)) % 2);
    phases.count = 4;
    phases.classStride = 2;
    break;
  default:
    return LogicalResult(schedule.emitOpError("with the strategy '")
                         << stringifyStrategy(schedule.getStrategy()) << "' is not lowered yet");
  }
  SmallVector<bool> equalities(zeros.size(), true);
  phases.cells = IntegerSetAttr::get(IntegerSet::get(rank, 1, zeros, equalities));
  return phases;
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
      Value known = bindings.params.lookup(param.getParam());
      if (!known)
        return LogicalResult(op.emitOpError("reads ")
                             << param.getParamAttr() << ", which is declared later");
      mapping.map(param.getResult(), known);
    } else if (isa_and_nonnull<LCIDialect>(op.getDialect()) &&
               op.getNumRegions() + op.getNumOperands() == 0) {
      return LogicalResult(op.emitOpError("is not known outside of a cell"));
    } else {
      b.clone(op, mapping);
    }
  }
  return mapping.lookup(cast<YieldOp>(region.front().getTerminator()).getValue());
}

/// Parameters with a formula and temperatures, once per epoch.
LogicalResult ProgramLowering::evaluateEpochly(Value epoch) {
  for (auto param : program.getOps<ParamOp>()) {
    if (bindings.params.count(param.getSymName()))
      continue;
    FailureOr<Value> value = evaluate(param.getInit(), epoch);
    if (failed(value))
      return failure();
    bindings.params[param.getSymName()] = *value;
  }
  for (auto commit : program.getOps<CommitOp>()) {
    if (commit.getTemperature().empty())
      continue;
    FailureOr<Value> value = evaluate(commit.getTemperature(), epoch);
    if (failed(value))
      return failure();
    bindings.temperatures[commit.getValue()] = *value;
  }
  return success();
}

FailureOr<TickOp> ProgramLowering::buildTick(RuleOp rule, const Phases &phases, int64_t phase,
                                             Value epoch, ArrayRef<Value> carried) {
  ValueOp value = program.lookupValue(rule.getValue());
  CommitOp commit = findFor<CommitOp>(program, value);
  if (!commit)
    return LogicalResult(value.emitOpError("has a rule but no commit"));
  TickBody body(program, value, bindings, rule.getLoc());
  if (failed(Agreement(body, rule, commit, counters).build()))
    return failure();
  Value phaseValue = arith::ConstantOp::create(b, rule.getLoc(), b.getI64IntegerAttr(phase));
  bool counts = counters.getCounting() != Counting::None;
  return body.finish(b, epoch, phaseValue, bindings.seed,
                     bindings.states.lookup(value.getSymName()), counts ? carried.back() : Value(),
                     phases.cells, phases.classStride);
}

/// One epoch: `carried` holds the states in order and the counts, and becomes what they are after
/// it.
LogicalResult ProgramLowering::buildEpoch(Value epoch, SmallVector<Value> &carried) {
  if (failed(evaluateEpochly(epoch)))
    return failure();
  SmallVector<Phases> all;
  int64_t numPhases = 0;
  for (ValueOp value : ruled) {
    FailureOr<Phases> phases = getPhases(value);
    if (failed(phases))
      return failure();
    all.push_back(*phases);
    numPhases = std::max(numPhases, phases->count);
  }
  for (int64_t phase = 0; phase < numPhases; ++phase) {
    // Every value of the phase reads the state before it.
    for (auto [value, state] : llvm::zip(ruled, carried))
      bindings.states[value.getSymName()] = state;
    SmallVector<Value> next = carried;
    for (auto [position, value] : llvm::enumerate(ruled)) {
      if (phase >= all[position].count)
        continue;
      RuleOp rule = findFor<RuleOp>(program, value);
      FailureOr<TickOp> tick = buildTick(rule, all[position], phase, epoch, next);
      if (failed(tick))
        return failure();
      next[position] = tick->getResult(0);
      if (tick->getNumResults() == 2)
        next.back() = tick->getResult(1);
    }
    carried = next;
  }
  return success();
}

LogicalResult ProgramLowering::buildRun() {
  Interface interface(program, given);
  for (ValueOp value : ruled)
    interface.addValue("state", value);
  for (ValueOp value : inputs)
    interface.addValue("input", value);
  interface.addParameters();
  interface.addSetsWeightsAndEnables();
  for (StringRef role : {"first", "last", "seed"})
    interface.add(role, "", b.getI64Type());
  // The number of counters is known once the body is built; the type is mended then.
  auto countsType = RankedTensorType::get({0}, b.getI64Type());
  interface.add("counts", "", countsType);

  SmallVector<Type> results =
      llvm::map_to_vector(ruled, [](ValueOp v) -> Type { return getStateType(v); });
  results.push_back(countsType);
  func::FuncOp function = interface.makeFunction(b, program.getSymName(), results);
  bindings = interface.bind(function);
  auto arguments = function.getArguments();
  Value first = arguments.drop_back(3).back(), last = arguments.drop_back(2).back();

  SmallVector<Value> carried(arguments.take_front(ruled.size()));
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

  // Now that the counters are known, give everything that carries them its type.
  auto known =
      RankedTensorType::get({static_cast<int64_t>(counters.getNames().size())}, b.getI64Type());
  auto retype = [&](Value value) {
    if (value.getType() == countsType)
      value.setType(known);
  };
  function.walk([&](Operation *op) {
    llvm::for_each(op->getResults(), retype);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), retype);
  });
  results.back() = known;
  function.setFunctionType(b.getFunctionType(function.getBody().getArgumentTypes(), results));
  SmallVector<StringRef> names(counters.getNames().begin(), counters.getNames().end());
  function->setAttr("lci.counters", b.getStrArrayAttr(names));
  return success();
}

//===----------------------------------------------------------------------===//
// The start
//===----------------------------------------------------------------------===//

FailureOr<Value> ProgramLowering::buildInitial(ValueOp value) {
  RankedTensorType type = getStateType(value);
  Attribute nothing = value.getKind() == Kind::F32 ? Attribute(b.getF32FloatAttr(0.0f))
                      : value.getKind() == Kind::Token
                          ? Attribute(b.getI64IntegerAttr(*value.getVocabularySize()))
                          : Attribute(b.getI64IntegerAttr(0));
  Value start =
      arith::ConstantOp::create(b, value.getLoc(), type, DenseElementsAttr::get(type, nothing));
  if (!value.hasInit())
    return start;
  TickBody body(program, value, bindings, value.getLoc());
  Block &init = value.getInit().front();
  for (auto [argument, index] : llvm::zip(init.getArguments(), body.indices()))
    body.map(argument, index);
  if (failed(body.lower(init)))
    return failure();
  Value token = body.lookup(cast<YieldOp>(init.getTerminator()).getValue());
  InstallOp::create(body.builder(), value.getLoc(), token, body.truthValue(true), ValueRange(),
                    b.getDenseI64ArrayAttr({}));
  Value zero = arith::ConstantOp::create(b, value.getLoc(), b.getI64IntegerAttr(0));
  return body.finish(b, zero, zero, bindings.seed, start, Value(), IntegerSetAttr(), 1)
      ->getResult(0);
}

LogicalResult ProgramLowering::buildInit() {
  Interface interface(program, given);
  interface.addParameters();
  interface.add("seed", "", b.getI64Type());
  SmallVector<ValueOp> values(ruled);
  llvm::append_range(values, inputs);
  SmallVector<Type> results =
      llvm::map_to_vector(values, [](ValueOp v) -> Type { return getStateType(v); });
  func::FuncOp function = interface.makeFunction(b, program.getSymName() + ".init", results);
  bindings = interface.bind(function);
  SmallVector<DictionaryAttr> resultAttrs;
  for (ValueOp value : values)
    resultAttrs.push_back(
        interface.describe(llvm::is_contained(ruled, value) ? "state" : "input", value));
  function.setAllResultAttrs(resultAttrs);
  Value zero = arith::ConstantOp::create(b, program.getLoc(), b.getI64IntegerAttr(0));
  if (failed(evaluateEpochly(zero)))
    return failure();
  SmallVector<Value> states;
  for (ValueOp value : values) {
    FailureOr<Value> state = buildInitial(value);
    if (failed(state))
      return failure();
    states.push_back(*state);
  }
  func::ReturnOp::create(b, program.getLoc(), states);
  for (auto [number, value] : llvm::enumerate(values)) {
    StringRef role = number < ruled.size() ? "state" : "input";
    function.setResultAttr(number, "lci.role", b.getStringAttr(role));
    function.setResultAttr(number, "lci.name", b.getStringAttr(value.getSymName()));
  }
  return success();
}

LogicalResult ProgramLowering::lower() {
  if (failed(checkSupported()))
    return failure();
  b.setInsertionPoint(program);
  if (failed(buildRun()))
    return failure();
  b.setInsertionPoint(program);
  return buildInit();
}

namespace {
struct LowerRules : lci::impl::LowerRulesPassBase<LowerRules> {
  using LowerRulesPassBase::LowerRulesPassBase;
  void runOnOperation() override {
    SmallVector<std::string> givenNames(given.begin(), given.end());
    for (auto program : llvm::make_early_inc_range(getOperation().getOps<ProgramOp>())) {
      if (failed(ProgramLowering(program, counters, givenNames).lower()))
        return signalPassFailure();
      program.erase();
    }
  }
};
} // namespace

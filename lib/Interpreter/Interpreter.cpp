//===- Interpreter.cpp - The reference interpreter ------------------------===//
//
// Runs a bound program tick by tick: all values are computed from one snapshot, then their commits
// are installed together. S-P1: results depend only on the program, its environment and its state.
//
//===----------------------------------------------------------------------===//

#include "LCI/Interpreter/Interpreter.h"
#include "Arrays.h"
#include "LCI/Analysis/BodyOperations.h"
#include "LCI/Analysis/LockDominance.h"
#include "LCI/Analysis/Parameters.h"
#include "LCI/Dialect/DeclarationIndex.h"
#include "LCI/Runtime/Backend.h"
#include "Tick.h"

using namespace mlir;
using namespace mlir::lci;

struct Interpreter::Implementation {
  explicit Implementation(ProgramOp program) : program(program), bodies(program, states) {}

  ProgramOp program;
  llvm::StringMap<ValueState> states;
  std::vector<RuledValue> ruled;
  std::vector<RuledValue> judged; // with a constraint, but no rule
  Environment environment;
  Bodies bodies;

  void collectDeclarations();
  LogicalResult beginTick(int64_t epoch, int64_t phase);
  LogicalResult finish();
  RuledValue *findRuled(StringRef value);
  std::optional<Datum> initialise(ValueState &state, ArrayRef<int64_t> cell);
};

Interpreter::Interpreter(std::unique_ptr<Implementation> implementation)
    : self(std::move(implementation)) {}
Interpreter::~Interpreter() = default;

//===----------------------------------------------------------------------===//
// Construction
//===----------------------------------------------------------------------===//

void Interpreter::Implementation::collectDeclarations() {
  DeclarationIndex index(program);
  for (auto value : program.getOps<ValueOp>()) {
    StringRef name = value.getSymName();
    if (value.isSet()) // S-SET: values scheduled by events have their schedule once bound
      continue;
    states[name].op = value;
    RuledValue ruledValue{value,
                          Phases(value, findDeclarationOn<ScheduleOp>(program, name)),
                          findDeclarationOn<CommitOp>(program, name),
                          getDeclarationsOn<RuleOp>(program, name),
                          getDeclarationsOn<ConstraintOp>(program, name),
                          {}};
    if (ruledValue.rules.empty()) {
      if (!ruledValue.constraints.empty())
        judged.push_back(std::move(ruledValue));
      continue;
    }
    for (ConstraintOp constraint : ruledValue.constraints)
      if (isLock(constraint) && analyzeDominance(constraint).dominates)
        ruledValue.locks.push_back(constraint);
    states[name].numLevels = ruledValue.makeBallot().getNumLevels();
    ruled.push_back(std::move(ruledValue));
  }
}

FailureOr<std::unique_ptr<Interpreter>> Interpreter::create(ProgramOp program) {
  if (!program.isBound())
    return program.emitOpError("expected a bound program; run 'lci-bind' first")
           << ErrorId::PassOrder;
  for (auto schedule : program.getOps<ScheduleOp>())
    if (failed(Phases::verify(schedule)))
      return failure();
  if (failed(orderParameters(program)) || failed(checkBodyOperations(program)))
    return failure();
  auto implementation = std::make_unique<Implementation>(program);
  implementation->collectDeclarations();
  for (RuledValue &ruled : implementation->ruled)
    if (!ruled.commit)
      return ruled.value.emitOpError("has rules, but expected a commit for it as well")
             << ErrorId::CannotInterpret;
  return std::unique_ptr<Interpreter>(new Interpreter(std::move(implementation)));
}

//===----------------------------------------------------------------------===//
// State
//===----------------------------------------------------------------------===//

LogicalResult Interpreter::setEnvironment(Environment environment) {
  Bodies &bodies = self->bodies;
  auto assign = [](llvm::StringMap<Datum> &to, const std::map<std::string, ::lci::Array> &from) {
    to.clear();
    for (const auto &[name, array] : from)
      to[name] = toDatum(array);
  };
  assign(bodies.params, environment.params);
  assign(bodies.palettes, environment.palettes);
  assign(bodies.regions, environment.regions);
  bodies.weights.clear();
  for (const auto &[name, array] : environment.weights) // tensors, even of rank 0
    bodies.weights[name] = Datum::array(toCells(array, /*absent=*/-1));
  bodies.seed = environment.seed;
  self->environment = std::move(environment);
  for (auto param : self->program.getOps<ParamOp>()) {
    auto given = self->environment.params.find(param.getSymName().str());
    bool isGiven = given != self->environment.params.end();
    if (!param.hasInit() && !isGiven)
      return param.emitOpError("has no value; expected one from the bindings")
             << ErrorId::UnboundName;
    std::optional<ArrayRef<int64_t>> elements = param.getElements();
    if (elements && !(isGiven && given->second.holds(elements->vec())))
      return emitError(param.getLoc())
             << ErrorId::OtherProgram << ::lci::kOtherElements << param.getSymName() << "'";
  }
  for (auto palette : self->program.getOps<PaletteOp>())
    if (!bodies.palettes.count(palette.getName()))
      return palette.emitOpError("has no members; expected them from the bindings")
             << ErrorId::UnboundName;
  for (auto region : self->program.getOps<RegionOp>())
    if (!bodies.regions.count(region.getName()))
      return region.emitOpError("has no cells; expected them from the bindings")
             << ErrorId::UnboundName;
  return success();
}

/// S-INIT: evaluates the `init` region, with the value's stream of draws at tick (0, 0); otherwise
/// absent or zero.
std::optional<Datum> Interpreter::Implementation::initialise(ValueState &state,
                                                             ArrayRef<int64_t> cell) {
  if (!state.op.hasInit())
    return std::nullopt;
  bodies.place = {0, 0, Phases::getCellNumber(cell, state.getExtents(), 1), Datum(), false};
  return bodies.yield(state.op.getInit().front(), llvm::map_to_vector(cell, Datum::integer));
}

LogicalResult Interpreter::initialise() {
  if (failed(self->beginTick(0, 0)))
    return failure();
  for (auto value : self->program.getOps<ValueOp>()) {
    if (value.isSet())
      continue;
    ValueState &state = self->states[value.getSymName()];
    SmallVector<int64_t> extents = state.getExtents(), cell(extents.size(), 0), shape(extents);
    bool isToken = state.getKind() == Kind::Token;
    if (state.getKind() == Kind::Latent)
      shape.push_back(state.getVocabulary());
    state.cells = Tensor(shape, isToken ? state.getVocabulary() : 0);
    state.clearRecords();
    int64_t number = 0;
    do {
      if (std::optional<Datum> content = self->initialise(state, cell))
        state.set(number, canonicalizeCell(state, *content));
      ++number;
    } while (advance(cell, extents));
  }
  return self->finish();
}

// S-INPUT: an input replaces the result of `init`.
LogicalResult Interpreter::setValue(StringRef name, const ::lci::Array &cells) {
  auto known = self->states.find(name);
  if (known == self->states.end())
    return self->program.emitOpError("has no value '") << ErrorId::NoSuchName << name << "'";
  ValueState &state = known->second;
  state.cells = toCells(cells, state.getKind() == Kind::Token ? state.getVocabulary() : -1);
  // The state may be set without a call of initialise().
  if (!state.areRecords(state.records))
    state.clearRecords();
  return success();
}

::lci::Array Interpreter::getValue(StringRef name) const {
  return toArray(self->states.find(name)->second);
}

const ::lci::Records &Interpreter::getRecords(StringRef name) const {
  return self->states.find(name)->second.records;
}

LogicalResult Interpreter::setRecords(StringRef name, const ::lci::Records &records) {
  ValueState &state = self->states.find(name)->second;
  if (!state.areRecords(records))
    return state.op.emitOpError("expected records of its shape and of ")
           << ErrorId::CannotInterpret << state.numLevels << " priorities";
  state.records = records;
  return success();
}

//===----------------------------------------------------------------------===//
// Ticks
//===----------------------------------------------------------------------===//

RuledValue *Interpreter::Implementation::findRuled(StringRef value) {
  for (RuledValue &candidate : ruled)
    if (ValueOp(candidate.value).getSymName() == value)
      return &candidate;
  return nullptr;
}

/// Parameters may depend on the epoch: they are computed before the bodies that use them.
LogicalResult Interpreter::Implementation::beginTick(int64_t epoch, int64_t phase) {
  bodies.evaluator.clearError();
  bodies.place = {epoch, phase, 0, Datum(), false};
  SmallVector<StringRef> given;
  for (const auto &[name, array] : environment.params)
    given.push_back(name);
  bodies.computeParams(given);
  return finish();
}

LogicalResult Interpreter::Implementation::finish() {
  return failure(bodies.evaluator.hasFailed());
}

int64_t Interpreter::getNumPhases(StringRef value) const {
  RuledValue *ruled = self->findRuled(value);
  return ruled ? ruled->phases.getNumPhases() : 0;
}

// S-SCHEDULE: phase p of every value together; an epoch is as long as its longest schedule.
int64_t Interpreter::getNumPhases() const {
  int64_t most = 0;
  for (RuledValue &ruled : self->ruled)
    most = std::max(most, ruled.phases.getNumPhases());
  return most;
}

// S-SNAPSHOT: every read is from before the tick; all cells are installed together.
FailureOr<int64_t> Interpreter::runTick(int64_t epoch, int64_t phase) {
  if (failed(self->beginTick(epoch, phase)))
    return failure();
  std::vector<Install> installs;
  for (RuledValue &ruled : self->ruled) {
    StringRef name = ValueOp(ruled.value).getSymName();
    Tick tick(ruled, self->states[name], self->bodies, self->environment.enables, counters,
              countConstraints);
    tick.run(epoch, phase, installs);
    if (tick.firstRejection)
      rejections.emplace(name.str(), *tick.firstRejection);
  }
  if (failed(self->finish()))
    return failure();
  for (const Install &install : installs) {
    install.state->set(install.number, install.token);
    install.record(self->environment.replica);
  }
  return static_cast<int64_t>(installs.size());
}

FailureOr<int64_t> Interpreter::runEpoch(int64_t epoch) {
  int64_t changed = 0;
  for (int64_t phase = 0, phases = getNumPhases(); phase < phases; ++phase) {
    FailureOr<int64_t> here = runTick(epoch, phase);
    if (failed(here))
      return failure();
    changed += *here;
  }
  return changed;
}

// S-FIXPOINT: an epoch that changed nothing ends a program that has no draws and does not use the
// epoch.
bool Interpreter::canReachFixpoint() const {
  auto usesMore = [](Operation *op) {
    if (auto commit = dyn_cast<CommitOp>(op))
      return commit.getPolicy() == Policy::Sample || commit.getPolicy() == Policy::Metropolis;
    if (auto schedule = dyn_cast<ScheduleOp>(op))
      return schedule.getStrategy() == Strategy::Random;
    return isa<EpochOp, BernoulliOp, UniformOp, RandIntOp, NormalOp>(op);
  };
  bool found = false;
  for (Operation &declaration : *self->program.getBody().begin()) {
    auto rule = dyn_cast<RuleOp>(declaration);
    bool isSchedule = rule && self->program.lookupValue(rule.getValue()).isSet();
    if (isa<ValueOp, ObserveOp>(declaration) || isSchedule)
      continue; // `init` draws once, observers change nothing, events repeat
    declaration.walk([&](Operation *op) { found |= usesMore(op); });
  }
  return !found;
}

FailureOr<int64_t> Interpreter::run(int64_t first, int64_t last) {
  for (int64_t epoch = first; epoch < last; ++epoch) {
    FailureOr<int64_t> changed = runEpoch(epoch);
    if (failed(changed))
      return failure();
    if (*changed == 0 && canReachFixpoint())
      return epoch + 1;
  }
  return last;
}

//===----------------------------------------------------------------------===//
// Inspection
//===----------------------------------------------------------------------===//

FailureOr<std::optional<Datum>> Interpreter::observe(StringRef observer, int64_t epoch) {
  auto op = self->program.lookupSymbol<ObserveOp>(observer);
  if (!op)
    return self->program.emitOpError("has no observer '") << ErrorId::NoSuchName << observer << "'";
  if (failed(self->beginTick(epoch, 0)))
    return failure();
  std::optional<Datum> number = self->bodies.observe(op.getBody().front());
  if (failed(self->finish()))
    return failure();
  return number;
}

FailureOr<std::map<std::string, int64_t>> Interpreter::findViolated(int64_t epoch) {
  if (failed(self->beginTick(epoch, 0)))
    return failure();
  std::map<std::string, int64_t> violated, unused;
  for (RuledValue &ruled : llvm::concat<RuledValue>(self->ruled, self->judged)) {
    Tick tick(ruled, self->states[ValueOp(ruled.value).getSymName()], self->bodies,
              self->environment.enables, unused, countConstraints);
    tick.findViolated(epoch, violated);
  }
  if (failed(self->finish()))
    return failure();
  return violated;
}

bool Interpreter::isScheduled(StringRef value, ArrayRef<int64_t> cell, int64_t epoch,
                              int64_t phase) {
  RuledValue *ruled = self->findRuled(value);
  if (!ruled)
    return false;
  ValueState &state = self->states[value];
  std::map<std::string, int64_t> unused;
  Tick tick(*ruled, state, self->bodies, self->environment.enables, unused, countConstraints);
  return tick.isScheduled(cell, state.getNumber(cell), epoch, phase);
}

FailureOr<Explanation> Interpreter::explain(StringRef value, ArrayRef<int64_t> cell, int64_t epoch,
                                            int64_t phase) {
  RuledValue *ruled = self->findRuled(value);
  if (!ruled)
    return self->program.emitOpError("has no rule for a value '")
           << ErrorId::NoSuchName << value << "'";
  ValueState &state = self->states[value];
  if (!Tensor(state.getExtents()).contains(cell))
    return state.op.emitOpError("has no such cell") << ErrorId::OutsideValue;
  if (failed(self->beginTick(epoch, phase)))
    return failure();
  std::map<std::string, int64_t> unused;
  Tick tick(*ruled, state, self->bodies, self->environment.enables, unused, countConstraints);
  Explanation why = tick.explain(cell, epoch, phase);
  if (failed(self->finish()))
    return failure();
  return why;
}

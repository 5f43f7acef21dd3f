//===- Compilation.cpp - Compile once, run many times ---------------------===//
//
// Compilation: bind, check and compile, then the conversion of each run's arrays. LiveRun: begin or
// resume, advance, read values. The back end's state belongs to one run, the tenant; another run
// that becomes active takes a checkpoint of the tenant first and restores its state from its last
// checkpoint.
//
//===----------------------------------------------------------------------===//
#include "LCI/Driver/Compilation.h"
#include "LCI/Driver/Arguments.h"
#include "LCI/Driver/Backends.h"
#include "LCI/Driver/Binding.h"
#include "LCI/Driver/Effects.h"
#include "LCI/Driver/Identity.h"
#include "LCI/Driver/Loading.h"
#include "LCI/Driver/MemoryNeed.h"
#include "LCI/Driver/Presence.h"
#include "LCI/Driver/Rejections.h"
#include "LCI/Driver/Replay.h"
#include "LCI/Execution/Compile.h"
#include "LCI/Interpreter/Gathers.h"
#include "LCI/Runtime/Memory.h"
#include "LCI/Runtime/StopFlag.h"
#include "LCI/Runtime/Switches.h"

using namespace mlir;
using namespace mlir::lci;
using ::lci::Array;
using ::lci::Checkpoint;
using ::lci::Result;

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

FailureOr<std::shared_ptr<Compilation>>
Compilation::create(ModuleOp module, const ::lci::Bindings &bindings, const RunOptions &options) {
  std::shared_ptr<Compilation> made(new Compilation());
  made->name = options.program;
  if (::lci::Status known = checkLowering(options.lowering); !known)
    return emitError(UnknownLoc::get(module.getContext())) << known.failure().id << known.error();
  made->options = options;
  if (failed(made->bind(module, bindings)))
    return failure();
  warnOfNoEffect(made->program, options);
  if (failed(made->compile()))
    return failure();
  return made;
}

LogicalResult Compilation::fail(const ::lci::Failure &failure) {
  return emitError(UnknownLoc::get(program.getContext())) << failure.id << failure.message;
}

LogicalResult Compilation::bind(ModuleOp module, const ::lci::Bindings &bindings) {
  FailureOr<ProgramOp> found = findProgram(module, name);
  if (failed(found))
    return failure();
  program = *found;
  std::string text = programText(program);
  if (failed(checkFlagNames(program, bindings)) ||
      failed(bindWithBindings(program, bindings, [](StringRef) { return true; })) ||
      failed(checkProgram(module)))
    return failure();
  values = collectValues(program);
  required = getRequiredInputs(program);
  schedules = schedulesOf(program);
  epochs = bindings.epochs.value_or(1);
  FailureOr<RunArguments> made = makeArguments(program, bindings);
  FailureOr<std::map<std::string, Array>> loaded = loadInputs(program, bindings);
  FailureOr<::lci::RunIdentity> identified = identityOf(text, program, bindings);
  if (failed(made) || failed(loaded) || failed(identified))
    return failure();
  arguments = std::move(*made);
  inputs = std::move(*loaded);
  identity = std::move(*identified);
  if (failed(checkGathers(program, arguments.params)) ||
      failed(checkContradictions(program, arguments)))
    return failure();
  key = tuningKeyOf(text, program, options);
  return readSelectedSchedule(options, key, program.getContext());
}

LogicalResult Compilation::compile() {
  uint64_t needed =
      ::lci::saturatingAdd(bytesNeeded(values, options), bytesOfModels(program, options));
  if (::lci::Status fits = ::lci::checkFits(needed, "'" + name + "'"); !fits)
    return fail(fits.failure());
  FailureOr<std::unique_ptr<Backend>> made = makeBackend(options, program, arguments);
  FailureOr<std::unique_ptr<Watcher>> watching = Watcher::create(program, arguments);
  if (failed(made) || failed(watching))
    return failure();
  backend = std::move(*made);
  watcher = std::move(*watching);
  return success();
}

const ValueInfo *Compilation::findValue(StringRef name) const {
  const auto *found =
      llvm::find_if(values, [&](const ValueInfo &value) { return value.name == name; });
  return found == values.end() ? nullptr : &*found;
}

/// The error of a run that gives a name which the program does not have.
static LogicalResult reportNoSuch(ProgramOp program, StringRef what, StringRef name,
                                  const std::vector<std::string> &names) {
  InFlightDiagnostic error = emitError(UnknownLoc::get(program.getContext()))
                             << ErrorId::NoSuchName << "the program has no " << what << " '" << name
                             << "'";
  if (std::optional<std::string> near = ::lci::nearestName(name, names))
    error.attachNote() << "did you mean '" << *near << "'?";
  else if (!names.empty())
    error.attachNote() << "it has: " << llvm::join(names, ", ");
  return error;
}

/// Converts a weight for a model's function; an unknown name is an error.
static FailureOr<Array> takeKnownWeight(ModelOp model, const std::string &name,
                                        const Array &array) {
  std::map<std::string, RankedTensorType> types = weightsOf(model);
  if (types.count(name))
    return takeWeight(model, name, types[name], array, UnknownLoc::get(model.getContext()));
  std::vector<std::string> known;
  for (const auto &[weight, type] : types)
    known.push_back(weight);
  return reportNoSuch(model->getParentOfType<ProgramOp>(),
                      "weight of the model '" + model.getName().str() + "' named", name, known);
}

LogicalResult Compilation::addParams(const RunInputs &given, RunArguments &to) {
  for (const auto &[name, array] : given.params) {
    auto param = program.lookupSymbol<ParamOp>(name);
    if (!param) {
      std::vector<std::string> names;
      for (ParamOp op : program.getOps<ParamOp>())
        names.push_back(op.getSymName().str());
      return reportNoSuch(program, "parameter", name, names);
    }
    // Compiled code that computes it has no argument for it.
    if (param.hasInit() && !to.params.count(name) && options.backend != BackendKind::Interpreter)
      return emitError(param.getLoc())
             << ErrorId::CompiledIn << "the program was compiled with the formula of '" << name
             << "', but the run gives it a number; compile it with one";
    FailureOr<Array> loaded = loadParam(param, {array, "", {"params['" + name + "']", 0, 0}});
    if (failed(loaded))
      return failure();
    to.params.insert_or_assign(name, std::move(*loaded));
  }
  for (const auto &[model, weights] : given.weights) {
    std::vector<std::string> names;
    for (ModelOp op : program.getOps<ModelOp>())
      names.push_back(op.getName().str());
    if (!llvm::is_contained(names, model))
      return reportNoSuch(program, "model", model, names);
    for (const auto &[name, array] : weights) {
      FailureOr<Array> weight = takeKnownWeight(program.lookupNamed<ModelOp>(model), name, array);
      if (failed(weight))
        return failure();
      to.weights.insert_or_assign(model + "." + name, std::move(*weight));
    }
  }
  return given.params.empty() ? success() : checkGathers(program, to.params);
}

LogicalResult Compilation::addValues(const RunInputs &given, std::map<std::string, Array> &to) {
  for (const auto &[name, array] : given.values) {
    const ValueInfo *value = findValue(name);
    if (!value)
      return reportNoSuch(program, "value", name, namesOf(values));
    Result<Array> canonical = toCanonical(array, *value);
    if (!canonical)
      return fail({canonical.failure().id, "input '" + name + "': " + canonical.error()});
    if (failed(checkFull(*value, *canonical, "the array", UnknownLoc::get(program.getContext()))))
      return failure();
    to.insert_or_assign(name, std::move(*canonical));
  }
  return success();
}

LogicalResult Compilation::addDeviceValues(const RunInputs &given,
                                           std::map<std::string, ::lci::DeviceInput> &to) {
  assert((given.deviceValues.empty() || getDevice()) && "arrays on a device that is none");
  for (const auto &[name, array] : given.deviceValues) {
    const ValueInfo *value = findValue(name);
    if (!value)
      return reportNoSuch(program, "value", name, namesOf(values));
    Result<::lci::DeviceInput> taken =
        backend->onDevice()->takeOver(array, canonicalForm(*value), name);
    if (!taken)
      return fail({taken.failure().id, "input '" + name + "': " + taken.error()});
    if (failed(checkFull(*value, taken->firstAbsent, "the array",
                         UnknownLoc::get(program.getContext()))))
      return failure();
    to.insert_or_assign(name, std::move(*taken));
  }
  return success();
}

LogicalResult Compilation::checkFixed(const RunArguments &requested) {
  if (!options.fixesArguments)
    return success();
  auto refuse = [&](const std::string &what) {
    return emitError(UnknownLoc::get(program.getContext()))
           << ErrorId::CompiledIn << "the program was compiled with its arguments fixed, but "
           << what << "; compile it for that, or without fixing them";
  };
  for (const auto &[name, array] : requested.params) {
    auto fixed = arguments.params.find(name);
    if (fixed == arguments.params.end() || fixed->second != array)
      return refuse("the run gives another '" + name + "'");
  }
  for (const auto &[name, on] : requested.enables)
    if (on != ::lci::isOn(arguments.enables, name))
      return refuse("the run has '" + name + "' switched " + (on ? "on" : "off"));
  return success();
}

/// The first cells without token.
static std::map<std::string, std::optional<int64_t>>
absentIn(const std::map<std::string, ::lci::DeviceInput> &inputs) {
  std::map<std::string, std::optional<int64_t>> absent;
  for (const auto &[name, input] : inputs)
    absent.emplace(name, input.firstAbsent);
  return absent;
}

//===----------------------------------------------------------------------===//
// LiveRun
//===----------------------------------------------------------------------===//

FailureOr<std::shared_ptr<LiveRun>> LiveRun::start(std::shared_ptr<Compilation> compilation,
                                                   const RunInputs &given) {
  std::shared_ptr<LiveRun> run(new LiveRun(std::move(compilation)));
  Compilation &compiled = *run->compilation;
  std::map<std::string, ::lci::DeviceInput> onDevice;
  if (failed(run->takeOver(given)) || failed(compiled.checkFixed(run->arguments)) ||
      failed(compiled.addDeviceValues(given, onDevice)))
    return failure();
  for (const auto &[name, input] : onDevice) {
    run->inputs.erase(name); // the input of the bindings
    run->identity.given[::lci::inputNamed(name)] = ::lci::kOnDevice;
  }
  if (failed(checkPresence(compiled.required, compiled.values, run->inputs, absentIn(onDevice))))
    return failure();
  warnOfEmptyInputs(compiled.values, [&](StringRef value) {
    return run->inputs.count(value.str()) > 0 || onDevice.count(value.str()) > 0;
  });
  for (const std::string &name : given.disable)
    run->history.switches.switchOff(name);
  if (failed(run->begin(run->inputs.size() + onDevice.size() < compiled.values.size())))
    return failure();
  for (const auto &[name, array] : run->inputs)
    if (failed(run->check(compiled.backend->setValue(name, array))))
      return failure();
  run->inputs.clear();
  for (const auto &[name, input] : onDevice)
    if (failed(run->check(compiled.backend->onDevice()->setOnDevice(name, input))))
      return failure();
  return run;
}

/// Merges the arguments of all runs with those of this one.
LogicalResult LiveRun::takeOver(const RunInputs &given) {
  arguments = compilation->arguments;
  inputs = compilation->inputs;
  arguments.seed = given.seed.value_or(arguments.seed);
  if (failed(setEnables(compilation->program, given.enable, given.disable, arguments)) ||
      failed(compilation->addParams(given, arguments)) ||
      failed(checkWeightsGiven(compilation->program, arguments)) ||
      failed(compilation->addValues(given, inputs)))
    return failure();
  identity = identityOf(compilation->identity, compilation->options, arguments, inputs);
  return success();
}

FailureOr<std::shared_ptr<LiveRun>> LiveRun::resume(std::shared_ptr<Compilation> compilation,
                                                    Checkpoint checkpoint, const RunInputs &given) {
  std::shared_ptr<LiveRun> run(new LiveRun(std::move(compilation)));
  Compilation &compiled = *run->compilation;
  Result<::lci::History> before = ::lci::History::load(checkpoint);
  if (!before)
    return compiled.fail(before.failure());
  run->history = std::move(*before);
  if (failed(run->takeOver(given)))
    return failure();
  for (const auto &[name, array] : given.deviceValues)
    run->identity.given[::lci::inputNamed(name)] = ::lci::kOnDevice;
  for (const std::string &name : given.disable)
    run->history.switches.switchOff(name);
  for (const std::string &name : given.enable)
    run->history.switches.switchOn(name, /*replica=*/0);
  run->arguments.seed = checkpoint.seed;
  run->arguments.enables = run->history.switches.states();
  if (failed(compiled.checkFixed(run->arguments)) ||
      failed(
          run->check(::lci::admitCheckpoint(checkpoint, formsOf(compiled.values), run->identity))))
    return failure();
  run->inputs.clear();
  run->firstEpoch = run->outcome.epochs = static_cast<int64_t>(checkpoint.epoch);
  run->outcome.counters = run->history.total();
  run->outcome.fixpoint = run->history.isAtFixpoint();
  for (const ValueInfo &value : compiled.values) // a checkpoint leaves zeros out
    if (value.ruled && compiled.options.getCounting() != Counting::None)
      run->outcome.counters.try_emplace(value.name + ".changed", 0);
  run->commitsBefore = ::lci::changesIn(run->outcome.counters);
  if (failed(run->begin(/*initialises=*/true)) || failed(run->restore(checkpoint)))
    return failure();
  return run;
}

/// Makes this run the tenant of the back end. If all values are given, `init` is not computed
/// first.
LogicalResult LiveRun::begin(bool initialises) {
  std::shared_ptr<LiveRun> other = std::exchange(compilation->tenant, {}).lock();
  if (other && failed(other->leave()))
    return failure();
  Backend &backend = *compilation->backend;
  if (failed(check(backend.setArguments(arguments))) ||
      (initialises && failed(check(backend.initialise()))))
    return failure();
  compilation->tenant = weak_from_this();
  return success();
}

LogicalResult LiveRun::restore(const Checkpoint &checkpoint) {
  return check(
      ::lci::restoreCheckpoint(*compilation->backend, namesOf(compilation->values), checkpoint));
}

LogicalResult LiveRun::leave() {
  FailureOr<Checkpoint> taken = take();
  if (failed(taken))
    return failure();
  kept = std::move(*taken);
  return success();
}

LogicalResult LiveRun::enter() {
  if (isTenant())
    return success();
  std::optional<Checkpoint> state = std::exchange(kept, std::nullopt);
  if (failed(begin(/*initialises=*/false)))
    return failure();
  return restore(*state);
}

void Compilation::stopTicks() {
  if (::lci::StopFlag *flag = backend->stopFlag())
    flag->raise();
}

LogicalResult LiveRun::advance(::lci::LoopOptions how) {
  if (failed(enter()))
    return failure();
  how.firstEpoch = outcome.epochs;
  how.stopsAtFixpoint = compilation->watcher->canReachFixpoint(compilation->options.getCounting());
  how.counters = outcome.counters;
  how.isAtFixpoint = outcome.fixpoint;
  ::lci::LoopHooks hooks;
  hooks.observe = [&](int64_t epoch, const Counters &) -> ::lci::Status {
    Result<Observations> seen = compilation->backend->observe(epoch);
    if (!seen)
      return seen.failure();
    onObserved(epoch, *seen);
    return ::lci::Done();
  };
  Rejections rejections;
  hooks.rejected = [&](int64_t epoch) {
    FailureOr<std::unique_ptr<Watcher>> watcher = watch();
    if (succeeded(watcher) && !hasWarned)
      rejections.find(**watcher, *compilation->backend, epoch);
    return ::lci::Status(::lci::Done());
  };
  Result<::lci::LoopOutcome> ran = ::lci::runLoop(*compilation->backend, how, hooks);
  if (!ran)
    return compilation->fail(ran.failure());
  if (!hasWarned)
    rejections.warn(compilation->program, how.counters, *ran);
  hasWarned |= ::lci::rejectionsIn(ran->counters) > ::lci::rejectionsIn(how.counters);
  seconds += ran->seconds;
  outcome = std::move(*ran);
  return success();
}

FailureOr<Array> LiveRun::value(const std::string &name) {
  if (!compilation->findValue(name))
    return reportNoSuch(compilation->program, "value", name, namesOf(compilation->values));
  if (!isTenant())
    return *::lci::findValue(*kept, name);
  Result<Array> array = compilation->backend->value(name);
  if (!array)
    return compilation->fail(array.failure());
  return std::move(*array);
}

FailureOr<::lci::DeviceArray> LiveRun::valueOnDevice(const std::string &name) {
  if (!compilation->findValue(name))
    return reportNoSuch(compilation->program, "value", name, namesOf(compilation->values));
  if (failed(enter()))
    return failure();
  Result<::lci::DeviceArray> array = compilation->backend->onDevice()->valueOnDevice(name);
  if (!array)
    return compilation->fail(array.failure());
  return std::move(*array);
}

FailureOr<Observations> LiveRun::observe() {
  if (failed(enter()))
    return failure();
  Result<Observations> seen = compilation->backend->observe(outcome.epochs);
  if (!seen)
    return compilation->fail(seen.failure());
  return std::move(*seen);
}

FailureOr<Checkpoint> LiveRun::takeCheckpoint() {
  if (failed(enter()))
    return failure();
  return take();
}

FailureOr<Checkpoint> LiveRun::take() {
  Result<Checkpoint> taken = ::lci::takeCheckpoint(
      *compilation->backend, namesOf(compilation->values), identity, outcome.epochs,
      history.after(/*replica=*/0, compilation->schedules, firstEpoch, outcome));
  if (!taken)
    return compilation->fail(taken.failure());
  return std::move(*taken);
}

FailureOr<std::unique_ptr<Watcher>> LiveRun::watch() const {
  FailureOr<std::unique_ptr<Watcher>> watcher = Watcher::create(compilation->program, arguments);
  if (succeeded(watcher) && compilation->options.backend != BackendKind::Interpreter)
    (*watcher)->stepWith(
        [this] { return makeStepper(compilation->options, compilation->program, arguments); });
  return watcher;
}

LogicalResult LiveRun::explain(StringRef text, llvm::raw_ostream &os) {
  Result<CellName> cell = parseCellName(text);
  if (!cell)
    return compilation->fail(cell.failure());
  if (failed(check(checkCellName(*cell, compilation->values))) || failed(enter()))
    return failure();
  if (text.contains('@') && cell->epoch != outcome.epochs)
    return compilation->fail(
        {ErrorId::OutsideValue,
         "expected the next epoch, which is " + std::to_string(outcome.epochs) +
             ", to explain a cell in, but got '@e=" + std::to_string(cell->epoch) + "'"});
  FailureOr<std::unique_ptr<Watcher>> watcher = watch();
  if (failed(watcher))
    return failure();
  return (*watcher)->explain(*compilation->backend, *cell, outcome.epochs, os);
}

FailureOr<Report> LiveRun::makeReport() {
  FailureOr<Observations> seen = observe();
  if (failed(seen))
    return failure();
  Result<Counters> broken = compilation->backend->broken(outcome.epochs);
  if (!broken)
    return compilation->fail(broken.failure());
  Report report = describe(compilation->program, compilation->values, arguments,
                           *compilation->backend, compilation->identity.program);
  report.program = compilation->name;
  report.firstEpoch = firstEpoch;
  report.commitsBefore = commitsBefore;
  report.phases = compilation->watcher->numPhases();
  report.outcome = outcome;
  report.outcome.seconds = seconds;
  report.counting = compilation->options.getCounting();
  report.observations = std::move(*seen);
  report.broken = std::move(*broken);
  return report;
}

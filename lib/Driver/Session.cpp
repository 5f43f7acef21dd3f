//===- Session.cpp - One run of lmpm-run ----------------------------------===//
//
// The steps of a run in their order. A step that fails has said why; the ones
// after it are not taken.
//
//===----------------------------------------------------------------------===//
#include "LCI/Driver/Session.h"
#include "LCI/Driver/Arguments.h"
#include "LCI/Driver/Backends.h"
#include "LCI/Driver/Binding.h"
#include "LCI/Driver/Bundling.h"
#include "LCI/Driver/CheckedBackend.h"
#include "LCI/Driver/Diagnostics.h"
#include "LCI/Driver/Loading.h"
#include "LCI/Driver/MemoryNeed.h"
#include "LCI/Driver/Outputs.h"
#include "LCI/Driver/Presence.h"
#include "LCI/Driver/Report.h"
#include "LCI/Driver/Watcher.h"
#include "LCI/Execution/Compile.h"
#include "LCI/Interpreter/Gathers.h"
#include "LCI/Runtime/File.h"
#include "LCI/Runtime/Memory.h"
#include "LCI/Runtime/ObservationTable.h"
#include "LCI/Runtime/RunLoop.h"
#include "LCI/Runtime/RunState.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::lci;
using ::lci::Array;
using ::lci::Checkpoint;
using ::lci::LoopHooks;
using ::lci::LoopOptions;
using ::lci::LoopOutcome;
using ::lci::ObservationTable;
using ::lci::Result;
using ::lci::RunIdentity;
using ::lci::Status;

namespace {
/// The state of one run on its way through the steps.
class Session {
public:
  Session(const RunOptions &options, const DialectRegistry &registry, llvm::raw_ostream &out,
          llvm::raw_ostream &err)
      : options(options), out(out), err(err), context(registry),
        diagnostics(sources, &context, err, options.remarks) {
    context.printOpOnDiagnostic(false);
    prepareContext(context);
  }

  ExitStatus run();

private:
  // In the order in which they run.
  LogicalResult readBindings();
  LogicalResult load();
  LogicalResult readCheckpoint();
  LogicalResult feed();
  LogicalResult checkMemory();
  LogicalResult checkOutput();
  LogicalResult parseCells();
  LogicalResult makeBackends();
  LogicalResult makeChecked(bool countAll);
  LogicalResult start();
  LogicalResult loop();
  LogicalResult finish();

  LogicalResult fail(const std::string &message) {
    return emitError(UnknownLoc::get(&context)) << message;
  }
  LogicalResult check(const Status &status) { return status ? success() : fail(status.error()); }

  Status observe(int64_t epoch);
  Status saveCheckpoint(const std::string &path, int64_t epoch, const Counters &counters);
  Status explain(int64_t epoch);
  LogicalResult leaveInterrupted();
  Report makeReport();
  std::string interruptPath() const;
  /// What the user calls the program: its file without folder and extension.
  std::string programName() const { return llvm::sys::path::stem(options.program).str(); }

  const RunOptions &options;
  llvm::raw_ostream &out, &err;
  MLIRContext context;
  llvm::SourceMgr sources;
  DriverDiagnostics diagnostics;

  ::lci::Bindings bindings;
  OwningOpRef<ModuleOp> module;
  ProgramOp program;
  SmallVector<ValueInfo> values;
  RunArguments arguments;
  std::map<std::string, Array> inputs;
  RunIdentity identity;
  std::optional<Checkpoint> resumed;
  std::vector<CellName> cells;
  std::unique_ptr<Backend> subject, stepper, reference, checked;
  Backend *backend = nullptr;
  std::unique_ptr<Watcher> watcher;
  std::optional<ObservationTable> table;
  Observations lastSeen;
  Counters countersBefore;
  LoopOutcome outcome;
  int64_t epochs = 1;
};
} // namespace

ExitStatus Session::run() {
  using Step = LogicalResult (Session::*)();
  for (Step step :
       {&Session::readBindings, &Session::load, &Session::readCheckpoint, &Session::checkMemory,
        &Session::checkOutput, &Session::feed, &Session::parseCells, &Session::makeBackends,
        &Session::start, &Session::loop, &Session::finish})
    if (failed((this->*step)()))
      return outcome.interrupted ? ExitStatus::Interrupted : ExitStatus::Failure;
  return outcome.interrupted ? ExitStatus::Interrupted : ExitStatus::Success;
}

//===----------------------------------------------------------------------===//
// Before the run
//===----------------------------------------------------------------------===//

LogicalResult Session::readBindings() {
  FailureOr<::lci::Bindings> read =
      mlir::lci::readBindings(options.bindings, options.sets, &context);
  bool failed = mlir::failed(read);
  if (!failed)
    bindings = std::move(*read);
  for (const std::string &assignment : options.inputs)
    failed |= check(bindings.setInput(assignment)).failed();
  if (options.seed)
    bindings.seed = options.seed;
  epochs = options.epochs.value_or(bindings.epochs.value_or(1));
  return failure(failed);
}

LogicalResult Session::load() {
  module = loadModule(options.program, sources, &context);
  if (!module)
    return failure();
  FailureOr<ProgramOp> found = findProgram(*module, options.program);
  if (failed(found))
    return failure();
  program = *found;
  if (failed(checkFlagNames(program, bindings)) || failed(bindWithBindings(program, bindings)) ||
      failed(checkProgram(*module)))
    return failure();
  values = collectValues(program);
  return check(checkOutputNames(options, values));
}

LogicalResult Session::readCheckpoint() {
  if (options.resume.empty())
    return success();
  Result<Checkpoint> read = ::lci::readToResume(options.resume, options.seed);
  if (!read)
    return fail(read.error());
  if (read->epoch >= static_cast<uint64_t>(epochs))
    emitWarning(UnknownLoc::get(&context))
        << "nothing is left to run: '" << options.resume << "' is of epoch " << read->epoch
        << ", and the run is to have " << epochs << " epochs in all";
  bindings.seed = read->seed;
  resumed = std::move(*read);
  return success();
}

LogicalResult Session::checkMemory() {
  uint64_t needed = bytesNeeded(values, options);
  return check(::lci::checkFits(needed, "'" + programName() + "'"));
}

LogicalResult Session::feed() {
  FailureOr<RunArguments> made = makeArguments(program, bindings);
  FailureOr<std::map<std::string, Array>> loaded = loadInputs(program, bindings);
  if (failed(made) || failed(loaded))
    return failure();
  arguments = std::move(*made);
  inputs = std::move(*loaded);
  if (failed(checkGathers(program, arguments.params)) ||
      failed(checkContradictions(program, arguments)))
    return failure();
  if (resumed)
    arguments.enables = ::lci::enablesOf(*resumed);
  if (failed(setEnables(program, options.enable, options.disable, arguments)))
    return failure();
  FailureOr<::lci::Digest> digest = digestOf(program, bindings);
  if (failed(digest))
    return failure();
  identity.program = *digest;
  identity.seed = arguments.seed;
  identity.enables = arguments.enables;
  // A checkpoint has every value; inputs were checked when its run began.
  return resumed ? success() : checkPresence(program, values, inputs);
}

LogicalResult Session::checkOutput() {
  bool hasObservers = !program.getOps<ObserveOp>().empty();
  return check(checkOutputs(options, values, hasObservers));
}

LogicalResult Session::parseCells() {
  for (const std::string &text : options.explain) {
    Result<CellName> cell = parseCellName(text);
    if (!cell)
      return fail("--explain-cell: " + cell.error());
    if (Status status = checkCellName(*cell, values); !status)
      return fail("--explain-cell: " + status.error());
    int64_t first = resumed ? static_cast<int64_t>(resumed->epoch) : 0;
    if (cell->epoch < first || cell->epoch > epochs)
      return fail("--explain-cell: expected an epoch from " + std::to_string(first) + " to " +
                  std::to_string(epochs - 1) + ", or " + std::to_string(epochs) +
                  ", which would be the next, but got " + std::to_string(cell->epoch));
    cells.push_back(std::move(*cell));
  }
  return success();
}

LogicalResult Session::makeBackends() {
  // What was decisive takes time to find out, so only a report asks for it.
  bool countAll = !options.report.empty();
  FailureOr<std::unique_ptr<Backend>> made = makeBackend(options, program, arguments, countAll);
  if (failed(made) && options.backend != BackendKind::Interpreter)
    return fail("the program cannot be compiled as it stands; --backend=interp runs it, slowly");
  if (failed(made))
    return failure();
  subject = std::move(*made);
  backend = subject.get();
  FailureOr<std::unique_ptr<Watcher>> watching = Watcher::create(program, arguments);
  if (failed(watching))
    return failure();
  watcher = std::move(*watching);
  if (!options.check)
    return success();
  return makeChecked(countAll);
}

LogicalResult Session::makeChecked(bool countAll) {
  FailureOr<std::unique_ptr<Backend>> steps =
      makeBackend(options, program, arguments, countAll, /*steps=*/true);
  RunOptions interpreted = options;
  interpreted.backend = BackendKind::Interpreter;
  FailureOr<std::unique_ptr<Backend>> plain =
      makeBackend(interpreted, program, arguments, countAll);
  if (failed(steps) || failed(plain))
    return failure();
  stepper = std::move(*steps);
  reference = std::move(*plain);
  checked = std::make_unique<CheckedBackend>(*subject, *stepper, *reference, namesOf(values),
                                             watcher->numPhases());
  backend = checked.get();
  return success();
}

LogicalResult Session::start() {
  if (failed(check(backend->setArguments(arguments))) || failed(check(backend->initialise())))
    return failure();
  if (resumed) {
    Result<Counters> counters =
        ::lci::restoreCheckpoint(*backend, namesOf(values), *resumed, identity.program);
    if (!counters)
      return fail("'" + options.resume + "': " + counters.error());
    countersBefore = std::move(*counters);
    return success();
  }
  for (const auto &[name, array] : inputs)
    if (failed(check(backend->setValue(name, array))))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// The run
//===----------------------------------------------------------------------===//

LogicalResult Session::loop() {
  LoopOptions how;
  how.firstEpoch = resumed ? static_cast<int64_t>(resumed->epoch) : 0;
  how.epochs = epochs;
  how.stopsAtFixpoint = watcher->canReachFixpoint();
  how.observeEvery = options.observe.empty() ? 0 : options.observeEvery;
  how.checkpointEvery = options.checkpoint.empty() ? 0 : options.checkpointEvery;
  how.counters = countersBefore;
  for (const CellName &cell : cells)
    how.looks.insert(cell.epoch);
  if (how.observeEvery > 0) {
    Result<ObservationTable> opened =
        ObservationTable::open(options.observe, watcher->observers(), how.firstEpoch);
    if (!opened)
      return fail(opened.error());
    table.emplace(std::move(*opened));
  }
  LoopHooks hooks;
  hooks.observe = [&](int64_t epoch, const Counters &) { return observe(epoch); };
  hooks.checkpoint = [&](int64_t epoch, const Counters &counters) {
    return saveCheckpoint(options.checkpoint, epoch, counters);
  };
  hooks.look = [&](int64_t epoch, const Counters &) { return explain(epoch); };
  Result<LoopOutcome> ran = ::lci::runLoopOnTerminal(*backend, how, hooks);
  if (!ran)
    return fail(ran.error());
  outcome = std::move(*ran);
  return outcome.interrupted ? leaveInterrupted() : success();
}

Status Session::observe(int64_t epoch) {
  Result<Observations> seen = backend->observe(epoch);
  if (!seen)
    return seen.failure();
  lastSeen = std::move(*seen);
  return table ? table->row(epoch, lastSeen) : Status(::lci::Done());
}

Status Session::saveCheckpoint(const std::string &path, int64_t epoch, const Counters &counters) {
  Result<Checkpoint> taken =
      ::lci::takeCheckpoint(*backend, namesOf(values), identity, epoch, counters);
  if (!taken)
    return taken.failure();
  return ::lci::writeCheckpoint(path, *taken);
}

Status Session::explain(int64_t epoch) {
  for (const CellName &cell : cells)
    if (cell.epoch == epoch && failed(watcher->explain(*backend, cell, epoch, out)))
      return ::lci::Failure{"the interpreter cannot explain '" + cell.value + "' in epoch " +
                            std::to_string(epoch)};
  return ::lci::Done();
}

//===----------------------------------------------------------------------===//
// After the run
//===----------------------------------------------------------------------===//

std::string Session::interruptPath() const {
  if (!options.checkpoint.empty())
    return options.checkpoint;
  return programName() + ".checkpoint";
}

LogicalResult Session::leaveInterrupted() {
  std::string path = interruptPath();
  if (failed(check(saveCheckpoint(path, outcome.epochs, outcome.counters))))
    return failure();
  err << "lmpm-run: interrupted after " << outcome.epochs << " of " << epochs
      << " epochs; go on with --resume " << path << '\n';
  return failure();
}

Report Session::makeReport() {
  Report report;
  report.program = programName();
  report.backend = subject->name();
  report.programDigest = ::lci::hexText(identity.program);
  report.checked = options.check;
  report.seed = identity.seed;
  report.firstEpoch = resumed ? static_cast<int64_t>(resumed->epoch) : 0;
  report.commitsBefore = ::lci::changesIn(countersBefore);
  report.phases = watcher->numPhases();
  report.outcome = outcome;
  report.counted = !options.report.empty();
  for (const ValueInfo &value : values)
    if (value.ruled)
      report.values.push_back(value.name);
  for (ConstraintOp constraint : program.getOps<ConstraintOp>())
    report.constraints.push_back(constraint.getSymName().str());
  for (const auto &[name, on] : identity.enables)
    if (!on)
      report.disabled.push_back(name);
  report.observations = lastSeen;
  if (const ::lci::Device *device = subject->device())
    report.device.emplace(device->name(), device->counts());
  return report;
}

LogicalResult Session::finish() {
  // The report shows observers whether or not there was a table.
  if (!watcher->observers().empty() && lastSeen.empty())
    if (failed(check(observe(outcome.epochs))))
      return failure();
  if (failed(check(writeOutputs(options, values, *backend))))
    return failure();
  // A last checkpoint, so that the run can be prolonged.
  if (!options.checkpoint.empty() &&
      failed(check(saveCheckpoint(options.checkpoint, outcome.epochs, outcome.counters))))
    return failure();
  Report report = makeReport();
  if (!options.quiet)
    print(report, out);
  if (options.report.empty())
    return success();
  return check(
      ::lci::writeFileAtomically(options.report, llvm::formatv("{0:2}\n", toJson(report)).str()));
}

/// A bundle is no program any more: what is left to do, the runtime does.
static ExitStatus runBundle(const RunOptions &options, llvm::raw_ostream &out,
                            llvm::raw_ostream &err) {
  auto complain = [&](const std::string &text) { err << "lmpm-run: " << text; };
  Result<::lci::BundleRunOptions> run = toBundleRun(options);
  if (!run) {
    complain("error: " + run.error() + "\n");
    return ExitStatus::Failure;
  }
  auto say = [&](const std::string &text) { out << text; };
  return static_cast<ExitStatus>(::lci::runBundle(*run, say, complain));
}

ExitStatus mlir::lci::runProgram(const RunOptions &options, const DialectRegistry &registry,
                                 llvm::raw_ostream &out, llvm::raw_ostream &err) {
  if (::lci::isBundle(options.program))
    return runBundle(options, out, err);
  return Session(options, registry, out, err).run();
}

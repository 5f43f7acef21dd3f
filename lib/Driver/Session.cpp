//===- Session.cpp - One run of lmpm-run ----------------------------------===//
//
// The steps of a run in their order. A step that fails has reported why; the others are skipped.
//
//===----------------------------------------------------------------------===//
#include "LCI/Driver/Session.h"
#include "LCI/Driver/Arguments.h"
#include "LCI/Driver/Backends.h"
#include "LCI/Driver/Binding.h"
#include "LCI/Driver/Bundling.h"
#include "LCI/Driver/CheckedBackend.h"
#include "LCI/Driver/Diagnostics.h"
#include "LCI/Driver/Effects.h"
#include "LCI/Driver/Identity.h"
#include "LCI/Driver/Loading.h"
#include "LCI/Driver/Lowered.h"
#include "LCI/Driver/MemoryNeed.h"
#include "LCI/Driver/Outputs.h"
#include "LCI/Driver/Presence.h"
#include "LCI/Driver/Rejections.h"
#include "LCI/Driver/Replay.h"
#include "LCI/Driver/Report.h"
#include "LCI/Driver/Sets.h"
#include "LCI/Driver/Watcher.h"
#include "LCI/Execution/Compile.h"
#include "LCI/Interpreter/Gathers.h"
#include "LCI/Runtime/File.h"
#include "LCI/Runtime/Join.h"
#include "LCI/Runtime/Memory.h"
#include "LCI/Runtime/ObservationTable.h"
#include "LCI/Runtime/RunLoop.h"
#include "LCI/Runtime/RunState.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::lci;
using ::lci::Checkpoint;
using ::lci::History;
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
  LogicalResult joinCheckpoints();
  LogicalResult feed();
  LogicalResult admit();
  LogicalResult feedHistory();
  LogicalResult checkMemory();
  LogicalResult checkOutput();
  LogicalResult parseCells();
  LogicalResult makeBackends();
  LogicalResult makeChecked();
  LogicalResult start();
  LogicalResult audit();
  LogicalResult loop();
  LogicalResult finish();

  LogicalResult fail(const ::lci::Failure &failure) {
    return emitError(UnknownLoc::get(&context)) << failure.id << failure.message;
  }
  LogicalResult check(const Status &status) { return status ? success() : fail(status.failure()); }

  Status observe(int64_t epoch);
  Status saveCheckpoint(const std::string &path, const LoopOutcome &reached);
  Status explain(int64_t epoch);
  Status writeSets();
  LogicalResult leaveInterrupted();
  Report makeReport();
  std::string interruptPath() const;
  int64_t firstEpoch() const { return resumed ? static_cast<int64_t>(resumed->epoch) : 0; }
  /// The user's name of the program: its file without folder and extension.
  std::string programName() const { return llvm::sys::path::stem(options.program).str(); }

  RunOptions options;
  llvm::raw_ostream &out, &err;
  MLIRContext context;
  llvm::SourceMgr sources;
  DriverDiagnostics diagnostics;

  ::lci::Bindings bindings;
  std::string text; // of the program, before it is bound
  OwningOpRef<ModuleOp> module;
  ProgramOp program;
  SmallVector<ValueInfo> values;
  RunArguments arguments;
  std::map<std::string, ::lci::Array> inputs;
  RunIdentity identity;
  History history; // before this run
  ::lci::Schedules schedules;
  std::optional<Checkpoint> resumed;
  std::vector<CellName> cells;
  std::unique_ptr<Backend> subject, stepper, reference, checked;
  Backend *backend = nullptr;
  std::unique_ptr<Watcher> watcher;
  std::optional<ObservationTable> table;
  Observations lastSeen;
  Counters countersBefore, broken;
  LoopOutcome outcome;
  int64_t epochs = 1;
};
} // namespace

ExitStatus Session::run() {
  using Step = LogicalResult (Session::*)();
  for (Step step :
       {&Session::readBindings, &Session::readCheckpoint, &Session::load, &Session::checkMemory,
        &Session::checkOutput, &Session::feed, &Session::parseCells, &Session::makeBackends,
        &Session::start, &Session::loop, &Session::finish})
    if (failed((this->*step)()))
      return !outcome.interrupted  ? ExitStatus::Failure
             : ::lci::isTimeOver() ? ExitStatus::OutOfTime
                                   : ExitStatus::Interrupted;
  return ExitStatus::Success;
}

//===----------------------------------------------------------------------===//
// Before the run
//===----------------------------------------------------------------------===//

LogicalResult Session::readBindings() {
  FailureOr<::lci::Bindings> read =
      mlir::lci::readBindings(options.bindings, options.sets, &context);
  bool failed = check(checkLowering(options.lowering)).failed();
  if (mlir::succeeded(read))
    bindings = std::move(*read);
  else
    failed = true;
  for (const std::string &assignment : options.inputs)
    failed |= check(bindings.setInput(assignment)).failed();
  if (options.seed)
    bindings.seed = options.seed;
  epochs = options.epochs.value_or(bindings.epochs.value_or(1));
  failed |= check(::lci::checkEpochs(epochs, ErrorId::CommandLine)).failed();
  return failure(failed);
}

LogicalResult Session::load() {
  module = loadModule(options.program, sources, &context, /*verifies=*/false);
  if (!module || failed(verifyListed(*module)))
    return failure();
  FailureOr<ProgramOp> found = findProgram(*module, options.program);
  if (failed(found))
    return failure();
  program = *found;
  text = programText(program);
  // The inputs of a resumed run are in its cells.
  ::lci::Given began = resumed ? ::lci::givenIn(*resumed) : ::lci::Given();
  auto inputFollows = [&](StringRef value) { return began.count(::lci::inputNamed(value.str())); };
  if (failed(checkFlagNames(program, bindings)) ||
      failed(bindWithBindings(program, bindings, inputFollows)) || failed(checkProgram(*module)))
    return failure();
  warnOfNoEffect(program, options);
  values = collectValues(program);
  return check(checkOutputNames(options, values, setNamesOf(program)));
}

LogicalResult Session::readCheckpoint() {
  if (!options.merges.empty())
    return joinCheckpoints();
  if (options.resume.empty())
    return success();
  Result<Checkpoint> read = ::lci::readToResume(options.resume, bindings.seed);
  if (!read)
    return fail(read.failure());
  bindings.seed = read->seed;
  resumed = std::move(*read);
  if (firstEpoch() >= epochs)
    warnOfNothingToRun(*resumed, epochs, "'" + options.resume + "'", &context);
  goOnCounting(*resumed, options, &context);
  return success();
}

/// By default the run ends at the epoch that the replicas have reached.
LogicalResult Session::joinCheckpoints() {
  for (const std::string &file : options.merges) {
    Result<Checkpoint> read = ::lci::readToResume(file, bindings.seed);
    if (!read)
      return fail(read.failure());
    if (!resumed) {
      resumed = std::move(*read);
      continue;
    }
    Result<::lci::JoinedRun> joined = ::lci::join(*resumed, *read);
    if (!joined)
      return fail({joined.failure().id, "'" + file + "': " + joined.error()});
    resumed = std::move(joined->checkpoint);
    if (!options.quiet)
      print(joined->values, file, out);
  }
  bindings.seed = resumed->seed;
  goOnCounting(*resumed, options, &context);
  if (!options.epochs)
    epochs = firstEpoch();
  else if (firstEpoch() > epochs)
    warnOfNothingToRun(*resumed, epochs, "what was joined", &context);
  return success();
}

LogicalResult Session::checkMemory() {
  uint64_t needed =
      ::lci::saturatingAdd(bytesNeeded(values, options), bytesOfModels(program, options));
  return check(::lci::checkFits(needed, "'" + programName() + "'"));
}

LogicalResult Session::feed() {
  FailureOr<RunArguments> made = makeArguments(program, bindings);
  FailureOr<std::map<std::string, ::lci::Array>> loaded = loadInputs(program, bindings);
  if (failed(made) || failed(loaded))
    return failure();
  arguments = std::move(*made);
  inputs = std::move(*loaded);
  if (failed(checkWeightsGiven(program, arguments)) ||
      failed(checkGathers(program, arguments.params)) ||
      failed(checkContradictions(program, arguments)))
    return failure();
  if (failed(feedHistory()))
    return failure();
  FailureOr<RunIdentity> bound = identityOf(text, program, bindings);
  if (failed(bound))
    return failure();
  identity = identityOf(*bound, options, arguments, inputs);
  if (resumed)
    return admit();
  warnOfEmptyInputs(values, [&](StringRef value) { return inputs.count(value.str()) > 0; });
  return checkPresence(getRequiredInputs(program), values, inputs);
}

/// A resumed run has the same identity, and every value.
LogicalResult Session::admit() {
  auto cells = mlir::lci::admit(*resumed, values, options, identity);
  if (cells)
    return checkPresence(getRequiredInputs(program), values, *cells);
  const std::string &file = options.merges.empty() ? options.resume : options.merges.front();
  return fail({cells.failure().id, "'" + file + "': " + cells.error()});
}

/// The enabled declarations follow from the runs before and from the command line.
LogicalResult Session::feedHistory() {
  Result<History> before = resumed ? History::load(*resumed) : History();
  if (!before)
    return fail({before.failure().id, "'" + options.resume + "': " + before.error()});
  history = std::move(*before);
  arguments.replica = options.replica.value_or(0);
  if (failed(setEnables(program, options.enable, options.disable, arguments)))
    return failure();
  for (const std::string &name : options.disable)
    history.switches.switchOff(name);
  for (const std::string &name : options.enable)
    history.switches.switchOn(name, arguments.replica);
  arguments.enables = history.switches.states();
  schedules = schedulesOf(program);
  return success();
}

LogicalResult Session::checkOutput() {
  bool hasObservers = !program.getOps<ObserveOp>().empty();
  if (failed(check(checkOutputs(options, bindings.files(), values, hasObservers))))
    return failure();
  if (Status status = ::lci::prepareToWrite(interruptPath()); !status)
    emitWarning(UnknownLoc::get(&context))
        << status.failure().id << "Ctrl-C would leave no checkpoint (" << status.error()
        << "); --checkpoint F says where it can";
  return success();
}

LogicalResult Session::parseCells() {
  for (const std::string &text : options.explain) {
    Result<CellName> cell = parseCellName(text);
    if (!cell)
      return fail({cell.failure().id, "--explain-cell: " + cell.error()});
    if (Status status = checkCellName(*cell, values); !status)
      return fail({status.failure().id, "--explain-cell: " + status.error()});
    int64_t first = firstEpoch();
    if (cell->epoch < first || cell->epoch > epochs)
      return fail({ErrorId::OutsideValue,
                   "--explain-cell: expected an epoch from " + std::to_string(first) + " to " +
                       std::to_string(epochs - 1) + ", or " + std::to_string(epochs) +
                       ", which would be the next, but got " + std::to_string(cell->epoch)});
    cells.push_back(std::move(*cell));
  }
  return success();
}

LogicalResult Session::makeBackends() {
  if (failed(readSelectedSchedule(options, tuningKeyOf(text, program, options), &context)))
    return failure();
  FailureOr<std::unique_ptr<Backend>> made = makeBackend(options, program, arguments);
  FailureOr<std::unique_ptr<Watcher>> watching = Watcher::create(program, arguments);
  if (failed(made) || failed(watching))
    return failure();
  subject = std::move(*made);
  backend = subject.get();
  watcher = std::move(*watching);
  if (options.backend != BackendKind::Interpreter)
    watcher->stepWith([this] { return makeStepper(options, program, arguments); });
  return options.check ? makeChecked() : success();
}

LogicalResult Session::makeChecked() {
  FailureOr<std::unique_ptr<Backend>> steps =
      makeBackend(options, program, arguments, /*steps=*/true);
  RunOptions interpreted = options;
  interpreted.backend = BackendKind::Interpreter;
  FailureOr<std::unique_ptr<Backend>> plain = makeBackend(interpreted, program, arguments);
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
    LogicalResult restored = check(::lci::restoreCheckpoint(*backend, namesOf(values), *resumed));
    resumed->arrays.clear(); // the values are in the back end
    countersBefore = history.total();
    return failed(restored) || options.merges.empty() ? restored : audit();
  }
  for (const auto &[name, array] : std::exchange(inputs, {}))
    if (failed(check(backend->setValue(name, array))))
      return failure();
  return success();
}

/// Constraints over several cells hold at each replica, but not always of the joined state.
LogicalResult Session::audit() {
  int64_t epoch = firstEpoch();
  auto violated = watcher->findViolated(*backend, epoch);
  if (failed(violated))
    return failure();
  for (const auto &[name, cells] : *violated)
    emitWarning(program.lookupSymbol(name)->getLoc())
        << ErrorId::ViolatedByJoin << "once joined, " << cells
        << (cells == 1 ? " cell holds" : " cells hold") << " what the constraint '" << name
        << "' forbids";
  return success();
}

//===----------------------------------------------------------------------===//
// The run
//===----------------------------------------------------------------------===//

LogicalResult Session::loop() {
  ::lci::LoopOptions how;
  how.firstEpoch = firstEpoch();
  how.epochs = epochs;
  how.stopsAtFixpoint = watcher->canReachFixpoint(options.getCounting());
  how.isAtFixpoint = history.isAtFixpoint();
  how.observeEvery = options.observe.empty() ? 0 : options.observeEvery;
  how.checkpointEvery = options.checkpoint.empty() ? 0 : options.checkpointEvery;
  how.counters = countersBefore;
  for (const CellName &cell : cells)
    how.looks.insert(cell.epoch);
  if (how.observeEvery > 0) {
    Result<ObservationTable> opened =
        ObservationTable::open(options.observe, watcher->observers(), how.firstEpoch);
    if (!opened)
      return fail(opened.failure());
    table.emplace(std::move(*opened));
  }
  ::lci::LoopHooks hooks;
  hooks.observe = [&](int64_t epoch, const Counters &) { return observe(epoch); };
  hooks.checkpoint = [&](const LoopOutcome &reached) {
    return saveCheckpoint(options.checkpoint, reached);
  };
  hooks.look = [&](int64_t epoch, const Counters &) { return explain(epoch); };
  Rejections rejections;
  hooks.rejected = [&](int64_t epoch) {
    rejections.find(*watcher, *backend, epoch);
    return Status(::lci::Done());
  };
  Result<LoopOutcome> ran = ::lci::runLoopOnTerminal(*backend, how, hooks);
  if (!ran)
    return fail(ran.failure());
  outcome = std::move(*ran);
  rejections.warn(program, countersBefore, outcome);
  return outcome.interrupted ? leaveInterrupted() : success();
}

Status Session::observe(int64_t epoch) {
  Result<Observations> seen = backend->observe(epoch);
  if (!seen)
    return seen.failure();
  lastSeen = std::move(*seen);
  return table ? table->row(epoch, lastSeen) : Status(::lci::Done());
}

Status Session::saveCheckpoint(const std::string &path, const LoopOutcome &reached) {
  Result<Checkpoint> taken =
      ::lci::takeCheckpoint(*backend, namesOf(values), identity, reached.epochs,
                            history.after(arguments.replica, schedules, firstEpoch(), reached));
  if (!taken)
    return taken.failure();
  return ::lci::writeCheckpoint(path, *taken);
}

Status Session::explain(int64_t epoch) {
  for (const CellName &cell : cells)
    if (cell.epoch == epoch && failed(watcher->explain(*backend, cell, epoch, out)))
      return ::lci::Failure{ErrorId::CannotInterpret,
                            "the interpreter stopped in epoch " + std::to_string(epoch)};
  return ::lci::Done();
}

//===----------------------------------------------------------------------===//
// After the run
//===----------------------------------------------------------------------===//

/// By default: the checkpoint named after the program, or one that does not exist yet.
std::string Session::interruptPath() const {
  if (!options.checkpoint.empty())
    return options.checkpoint;
  return ::lci::ownCheckpoint(programName(), options.resume);
}

LogicalResult Session::leaveInterrupted() {
  std::string path = interruptPath();
  if (failed(check(saveCheckpoint(path, outcome))))
    return failure();
  err << "lmpm-run: " << ::lci::stoppedText(outcome.epochs, epochs, path) << '\n';
  return failure();
}

Status Session::writeSets() {
  History now = history.after(arguments.replica, schedules, firstEpoch(), outcome);
  return mlir::lci::writeSets(program, now, options.outputs);
}

Report Session::makeReport() {
  Report report = describe(program, values, arguments, *subject, identity.program);
  report.program = programName();
  report.checked = options.check;
  report.firstEpoch = firstEpoch();
  report.commitsBefore = ::lci::changesIn(countersBefore);
  report.phases = watcher->numPhases();
  report.outcome = outcome;
  report.counting = options.getCounting();
  report.observations = lastSeen;
  report.broken = broken;
  return report;
}

LogicalResult Session::finish() {
  // The report shows observers whether or not there was a table.
  if (!watcher->observers().empty() && lastSeen.empty())
    if (failed(check(observe(outcome.epochs))))
      return failure();
  Result<Counters> violations = backend->broken(outcome.epochs);
  if (!violations)
    return fail(violations.failure());
  broken = std::move(*violations);
  if (failed(check(writeOutputs(options, values, *backend))) || failed(check(writeSets())))
    return failure();
  // A last checkpoint, so that the run can be prolonged.
  if (!options.checkpoint.empty() && failed(check(saveCheckpoint(options.checkpoint, outcome))))
    return failure();
  Report report = makeReport();
  if (!options.quiet)
    print(report, out);
  if (options.report.empty())
    return success();
  return check(
      ::lci::writeFileAtomically(options.report, llvm::formatv("{0:2}\n", toJson(report)).str()));
}

ExitStatus mlir::lci::runProgram(const RunOptions &options, const DialectRegistry &registry,
                                 llvm::raw_ostream &out, llvm::raw_ostream &err) {
  llvm::raw_ostream &said = writesToStandardOutput(options) ? err : out;
  if (options.isLowered)
    return runLowered(options, registry, said, err);
  if (::lci::isBundleName(options.program))
    return runBundle(options, said, err);
  return Session(options, registry, said, err).run();
}

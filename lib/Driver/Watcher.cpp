//===- Watcher.cpp - Explain cells of a running program -------------------===//
//
// Copies the committed state of a back end to the interpreter, runs the phases before that of the
// cell, and explains or searches. Interpreting many cells is slow, so a compiled stepper runs the
// earlier phases when that takes longer than compiling it.
//
//===----------------------------------------------------------------------===//
#include "LCI/Driver/Watcher.h"
#include "LCI/Driver/InterpreterBackend.h"

using namespace mlir;
using namespace mlir::lci;
using ::lci::Array;
using ::lci::Result;
using ::lci::Status;

Watcher::Watcher(ProgramOp program, std::unique_ptr<Interpreter> interpreter)
    : program(program), interpreter(std::move(interpreter)) {
  for (ObserveOp observer : program.getOps<ObserveOp>())
    names.push_back(observer.getSymName().str());
}

FailureOr<std::unique_ptr<Watcher>> Watcher::create(ProgramOp program,
                                                    const RunArguments &arguments) {
  FailureOr<std::unique_ptr<Interpreter>> interpreter = Interpreter::create(program);
  if (failed(interpreter) || failed((*interpreter)->setEnvironment(toEnvironment(arguments))))
    return failure();
  return std::unique_ptr<Watcher>(new Watcher(program, std::move(*interpreter)));
}

LogicalResult Watcher::fail(const ::lci::Failure &failure) {
  return emitError(UnknownLoc::get(program.getContext())) << failure.id << failure.message;
}

LogicalResult Watcher::copyState(Backend &backend) {
  for (const ValueInfo &info : collectValues(program)) {
    Result<Array> value = backend.value(info.name);
    if (!value)
      return fail(value.failure());
    if (failed(interpreter->setValue(info.name, *value)))
      return failure();
    std::optional<::lci::Records> records = backend.records(info.name);
    if (records && failed(interpreter->setRecords(info.name, *records)))
      return failure();
  }
  return success();
}

LogicalResult Watcher::copyState(Backend &from, Backend &to) {
  for (const ValueInfo &info : collectValues(program)) {
    Result<Array> value = from.value(info.name);
    if (!value)
      return fail(value.failure());
    if (Status set = to.setValue(info.name, *value); !set)
      return fail(set.failure());
    std::optional<::lci::Records> records = from.records(info.name);
    if (!records || !to.keepsRecords())
      continue;
    if (Status set = to.setRecords(info.name, *records); !set)
      return fail(set.failure());
  }
  return success();
}

FailureOr<std::map<std::string, int64_t>> Watcher::findViolated(Backend &backend, int64_t epoch) {
  if (failed(copyState(backend)))
    return failure();
  return interpreter->findViolated(epoch);
}

/// The phase of an epoch in which the cell is scheduled, or else the last one.
int64_t Watcher::findPhase(const CellName &cell, int64_t epoch) {
  int64_t last = interpreter->getNumPhases(cell.value) - 1;
  for (int64_t phase = 0; phase < last; ++phase)
    if (interpreter->isScheduled(cell.value, cell.indices, epoch, phase))
      return phase;
  return last;
}

/// By compiled code, which does not tell what was proposed.
FailureOr<std::map<std::string, Rejection>> Watcher::searchRejections(Backend &backend,
                                                                      int64_t epoch) {
  if (failed(bringStepper(backend)))
    return failure();
  std::map<std::string, Rejection> found;
  for (const ValueInfo &info : collectValues(program)) {
    Result<std::optional<::lci::RejectedCell>> first = stepper->findRejected(info.name, epoch);
    if (!first)
      return fail(first.failure());
    if (*first)
      found[info.name] = {(*first)->rule, /*proposed=*/"", (*first)->cell};
  }
  return found;
}

FailureOr<std::map<std::string, Rejection>> Watcher::findRejections(Backend &backend,
                                                                    int64_t epoch) {
  int64_t phases = numPhases();
  if (makeStepper && countRuledCells() * static_cast<uint64_t>(phases) > kWatchedCells)
    return searchRejections(backend, epoch);
  interpreter->rejections.clear();
  if (failed(copyState(backend)))
    return failure();
  for (int64_t phase = 0; phase < phases; ++phase)
    if (failed(interpreter->runTick(epoch, phase)))
      return failure();
  return interpreter->rejections;
}

uint64_t Watcher::countRuledCells() {
  uint64_t cells = 0;
  for (const ValueInfo &info : collectValues(program))
    if (info.ruled)
      cells += static_cast<uint64_t>(*::lci::elementCount(info.shape));
  return cells;
}

/// The interpreter computes some ten thousand cells in the time of a compilation, fewer with
/// models.
bool Watcher::isWorthAStepper(int64_t phases) {
  constexpr uint64_t kFewCells = 10000;
  if (!makeStepper || phases == 0)
    return false;
  bool callsModels = !program.getOps<ModelOp>().empty();
  return callsModels || countRuledCells() * static_cast<uint64_t>(phases) > kFewCells;
}

/// Brings the stepper, which is made if there is none, to the state of a back end.
LogicalResult Watcher::bringStepper(Backend &backend) {
  if (!stepper) {
    FailureOr<std::unique_ptr<Backend>> made = makeStepper();
    if (failed(made))
      return failure();
    stepper = std::move(*made);
  }
  return copyState(backend, *stepper);
}

/// Runs the first `phases` phases of the epoch, and brings the interpreter's state to that.
LogicalResult Watcher::runPhases(Backend &backend, int64_t epoch, int64_t phases) {
  if (!isWorthAStepper(phases)) {
    for (int64_t phase = 0; phase < phases; ++phase)
      if (failed(interpreter->runTick(epoch, phase)))
        return failure();
    return success();
  }
  if (failed(bringStepper(backend)))
    return failure();
  for (int64_t phase = 0; phase < phases; ++phase)
    if (Result<::lci::Counters> ran = stepper->runTick(epoch, phase); !ran)
      return fail(ran.failure());
  return copyState(*stepper);
}

LogicalResult Watcher::explain(Backend &backend, const CellName &cell, int64_t epoch,
                               llvm::raw_ostream &os) {
  if (interpreter->getNumPhases(cell.value) == 0) {
    os << cell.value << ": no rule writes this value\n";
    return success();
  }
  if (failed(copyState(backend)))
    return failure();
  // The cell reads the commits of earlier phases of its epoch.
  int64_t phase = findPhase(cell, epoch);
  if (failed(runPhases(backend, epoch, phase)))
    return failure();
  FailureOr<Explanation> explanation = interpreter->explain(cell.value, cell.indices, epoch, phase);
  if (failed(explanation))
    return failure();
  // Compiled code keeps stamps only on request; before the first epoch all are zero.
  bool isInterpreted = epoch == 0 && !isWorthAStepper(phase);
  explanation->knowsStamps = isInterpreted || backend.records(cell.value);
  explanation->print(os);
  return success();
}

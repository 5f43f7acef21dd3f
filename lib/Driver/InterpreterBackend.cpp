//===- InterpreterBackend.cpp - The interpreter as a back end -------------===//
//
// Adapts the interpreter to the interface of back ends: arguments become an environment, counters
// are named and filtered by the requested counting, and observers' results become arrays. The state
// is remembered as a copy of all values and records.
//
//===----------------------------------------------------------------------===//
#include "LCI/Driver/InterpreterBackend.h"

using namespace mlir;
using namespace mlir::lci;
using ::lci::Array;
using ::lci::Failure;
using ::lci::Records;
using ::lci::Result;
using ::lci::Status;

Environment mlir::lci::toEnvironment(const RunArguments &arguments) {
  Environment environment;
  environment.params = arguments.params;
  environment.palettes = arguments.palettes;
  environment.regions = arguments.regions;
  environment.weights = arguments.weights;
  environment.enables = arguments.enables;
  environment.seed = arguments.seed;
  environment.replica = arguments.replica;
  return environment;
}

static Status statusOf(LogicalResult result) {
  if (succeeded(result))
    return ::lci::Done();
  return Failure{ErrorId::CannotInterpret, "the interpreter cannot go on"};
}

FailureOr<std::unique_ptr<InterpreterBackend>> InterpreterBackend::create(ProgramOp program,
                                                                          bool countAll) {
  FailureOr<std::unique_ptr<Interpreter>> interpreter = Interpreter::create(program);
  if (failed(interpreter))
    return failure();
  (*interpreter)->countConstraints = countAll;
  return std::unique_ptr<InterpreterBackend>(
      new InterpreterBackend(program, std::move(*interpreter)));
}

Status InterpreterBackend::setArguments(const RunArguments &arguments) {
  return statusOf(interpreter->setEnvironment(toEnvironment(arguments)));
}

Status InterpreterBackend::initialise() { return statusOf(interpreter->initialise()); }

Status InterpreterBackend::setValue(const std::string &name, const Array &value) {
  return statusOf(interpreter->setValue(name, value));
}

Result<Array> InterpreterBackend::value(const std::string &name) {
  return interpreter->getValue(name);
}

Result<Counters> InterpreterBackend::runEpochs(int64_t first, int64_t last) {
  interpreter->counters.clear();
  int64_t phases = interpreter->getNumPhases();
  for (int64_t epoch = first; epoch < last; ++epoch)
    for (int64_t phase = 0; phase < phases && !flag.isRaised(); ++phase)
      if (failed(interpreter->runTick(epoch, phase)))
        return Failure{ErrorId::CannotInterpret,
                       "the interpreter stopped in epoch " + std::to_string(epoch)};
  return Counters(interpreter->counters);
}

bool InterpreterBackend::remember() {
  remembered.clear();
  for (ValueOp value : program.getOps<ValueOp>())
    if (!value.isSet()) {
      std::string name = value.getSymName().str();
      remembered.push_back({name, interpreter->getValue(name), interpreter->getRecords(name)});
    }
  return true;
}

void InterpreterBackend::recall() {
  for (const auto &[name, value, records] : remembered) {
    [[maybe_unused]] bool isBack = succeeded(interpreter->setValue(name, value)) &&
                                   succeeded(interpreter->setRecords(name, records));
    assert(isBack && "what was there fits");
  }
}

Result<Counters> InterpreterBackend::runTick(int64_t epoch, int64_t phase) {
  interpreter->counters.clear();
  if (failed(interpreter->runTick(epoch, phase)))
    return Failure{ErrorId::CannotInterpret, "the interpreter stopped in epoch " +
                                                 std::to_string(epoch) + ", phase " +
                                                 std::to_string(phase)};
  return Counters(interpreter->counters);
}

/// The result of an observer's body.
static Array toArray(const Datum &datum, Type type) {
  if (!type.isF32())
    return Array::scalar(type.isInteger(1) ? int64_t(datum.asTruth()) : datum.asInteger());
  return observedNumber(datum.asNumber());
}

Result<Observations> InterpreterBackend::observe(int64_t epoch) {
  Observations observations;
  for (ObserveOp observer : program.getOps<ObserveOp>()) {
    std::string name = observer.getSymName().str();
    FailureOr<std::optional<Datum>> seen = interpreter->observe(name, epoch);
    if (failed(seen))
      return Failure{ErrorId::CannotInterpret,
                     "the interpreter cannot evaluate the observer '" + name + "'"};
    auto yield = cast<YieldOp>(observer.getBody().front().getTerminator());
    observations.push_back({name, std::nullopt});
    if (*seen)
      observations.back().value = toArray(**seen, yield.getValue().getType());
  }
  return observations;
}

Result<Counters> InterpreterBackend::broken(int64_t epoch) {
  FailureOr<std::map<std::string, int64_t>> cells = interpreter->findViolated(epoch);
  if (failed(cells))
    return Failure{ErrorId::CannotInterpret, "the interpreter cannot look at the constraints"};
  Counters counts;
  for (const auto &[constraint, number] : *cells)
    counts[constraint + ".broken"] = number;
  return counts;
}

std::optional<Records> InterpreterBackend::records(const std::string &name) {
  return interpreter->getRecords(name);
}

Status InterpreterBackend::setRecords(const std::string &name, const Records &records) {
  return statusOf(interpreter->setRecords(name, records));
}

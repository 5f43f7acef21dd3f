//===- Watcher.cpp - Looks at a running program ---------------------------===//
#include "LCI/Driver/Watcher.h"
#include "LCI/Driver/InterpreterBackend.h"

using namespace mlir;
using namespace mlir::lci;
using ::lci::Array;
using ::lci::Result;

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

LogicalResult Watcher::copyState(Backend &backend) {
  for (const ValueInfo &info : collectValues(program)) {
    Result<Array> value = backend.value(info.name);
    if (!value)
      return emitError(UnknownLoc::get(program.getContext()))
             << value.failure().id << value.error();
    if (failed(interpreter->setValue(info.name, *value)))
      return failure();
    std::optional<::lci::Records> records = backend.records(info.name);
    if (records && failed(interpreter->setRecords(info.name, *records)))
      return failure();
  }
  return success();
}

FailureOr<std::map<std::string, int64_t>> Watcher::findViolated(Backend &backend, int64_t epoch) {
  if (failed(copyState(backend)))
    return failure();
  return interpreter->findViolated(epoch);
}

LogicalResult Watcher::explain(Backend &backend, const CellName &cell, int64_t epoch,
                               llvm::raw_ostream &os) {
  if (failed(copyState(backend)))
    return failure();
  // The cell sees what earlier phases of its epoch have committed.
  int64_t phases = interpreter->getNumPhases(cell.value);
  for (int64_t phase = 0; phase < phases; ++phase) {
    FailureOr<Explanation> explanation =
        interpreter->explain(cell.value, cell.indices, epoch, phase);
    if (failed(explanation))
      return failure();
    // Compiled code keeps no stamps; before the first epoch all are zero.
    explanation->knowsStamps = epoch == 0 || backend.records(cell.value);
    if (explanation->isScheduled || phase + 1 == phases) {
      explanation->print(os);
      return success();
    }
    if (failed(interpreter->runTick(epoch, phase)))
      return failure();
  }
  os << cell.value << ": no rule writes this value\n";
  return success();
}

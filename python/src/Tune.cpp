//===- Tune.cpp - Searches for schedules ----------------------------------===//
//
// The border between LCI/Tune and Python: arrays, the lock of the interpreter,
// Ctrl-C. What is found is in lmpm/schedules.py.
//
//===----------------------------------------------------------------------===//

#include "LCI/Tune/Tune.h"
#include "Core.h"
#include "Levels.h"
#include "Rooms.h"
#include "RunInputs.h"

using namespace lmpm::python;
using namespace mlir;

namespace {
/// Tells Python of the progress; what it raises ends the search. Ctrl-C keeps what is found.
class Teller {
public:
  explicit Teller(py::object progress) : progress(std::move(progress)) {}

  bool operator()(StringRef doing, size_t done, size_t all, double best);
  void rethrow() {
    if (raised)
      std::rethrow_exception(raised);
  }

private:
  py::object progress;
  std::exception_ptr raised;
  bool isInterrupted = false;
};
} // namespace

bool Teller::operator()(StringRef doing, size_t done, size_t all, double best) {
  withPython([&] {
    try {
      if (!progress.is_none())
        progress(doing.str(), done, all, best);
      if (PyErr_CheckSignals())
        throw py::error_already_set();
    } catch (py::error_already_set &error) {
      isInterrupted = error.matches(PyExc_KeyboardInterrupt);
      if (!isInterrupted)
        raised = std::current_exception();
    }
  });
  return !raised && !isInterrupted;
}

/// The schedule, the receipt, the trace, the picture and the summary, and whether some candidate
/// has other bits.
static py::tuple toPython(const mlir::lci::TuneResult &result) {
  const mlir::lci::Contender *wrong = result.findWrong();
  return py::make_tuple(result.contenders[result.best].schedule, result.receipt(), result.trace(),
                        result.picture(), result.summary(),
                        wrong ? py::object(py::str(wrong->name)) : py::none());
}

static py::tuple tune(Module &module, const std::string &name, const std::string &bindings,
                      const std::string &bindingsName, const std::vector<std::string> &sets,
                      const py::dict &values, int backend, int64_t threads,
                      std::optional<int64_t> epochs, const std::string &schedule, size_t candidates,
                      size_t measured, double seconds, uint64_t seed, py::object progress) {
  mlir::lci::TuneOptions options;
  options.run.program = name;
  options.run.backend = static_cast<mlir::lci::BackendKind>(backend);
  options.run.threads = threads;
  options.run.epochs = epochs;
  options.inputs.values = toArrays(values, "input");
  if (!schedule.empty())
    options.schedule = schedule;
  options.candidates = candidates;
  options.measured = measured;
  options.seconds = seconds;
  options.seed = seed;
  Teller teller(std::move(progress));
  options.progress = [&](StringRef doing, size_t done, size_t all, double best) {
    return teller(doing, done, all, best);
  };
  std::shared_ptr<Module> copy = module.isolate();
  ::lci::Bindings read = readBindings(*copy->context, bindings, bindingsName, sets);
  Collector collector(*copy->context);
  FailureOr<mlir::lci::TuneResult> result;
  {
    Unlocked unlocked([] {});
    result = mlir::lci::tune(*copy->op, read, options);
  }
  teller.rethrow();
  collector.check(result);
  return toPython(*result);
}

void lmpm::python::registerTune(py::module_ &module) {
  module.def("tune", &tune, py::arg("module"), py::arg("name"), py::arg("bindings"),
             py::arg("bindings_name"), py::arg("sets"), py::arg("values"), py::arg("backend"),
             py::arg("threads"), py::arg("epochs"), py::arg("schedule"), py::arg("candidates"),
             py::arg("measured"), py::arg("seconds"), py::arg("seed"), py::arg("progress"),
             "What `Program.tune` calls.");
}

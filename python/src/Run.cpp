//===- Run.cpp - Compiled programs and their runs -------------------------===//
//
// The border between LCI/Driver/Compilation.h and Python: arrays, the lock of
// the interpreter, Ctrl-C. What is easier said in Python is in lmpm/run.py.
//
//===----------------------------------------------------------------------===//

#include "Arrays.h"
#include "Core.h"
#include "DLPack.h"
#include "Interrupts.h"
#include "LCI/Bindings/SafeTensors.h"
#include "LCI/Driver/Compilation.h"
#include "LCI/Runtime/Progress.h"
#include "Levels.h"
#include "Numbers.h"
#include "Process.h"
#include "Rooms.h"
#include "RunInputs.h"
#include <atomic>
#include <chrono>

using namespace lmpm::python;
using namespace mlir;
using mlir::lci::BackendKind;
using mlir::lci::Compilation;
using mlir::lci::LiveRun;
using mlir::lci::RunInputs;

/// Warnings are Python's.
static void warnOf(const std::vector<DiagnosticRecord> &said) {
  for (const DiagnosticRecord &record : said)
    if (record.severity == "warning")
      py::module_::import("lmpm.errors").attr("warn")(record.picture);
}

namespace {
/// What a call asks of a program: a look at a state is possible where a run is between two epochs.
enum class Access { Look, Change };

/// A compiled program, with a context of its own: what other threads do elsewhere is not its
/// business, and all that compiling left there goes with it.
struct Compiled {
  /// Calls without the interpreter's lock, one thread after the other; what fails is thrown.
  template <typename Work>
  auto call(Work work, Access access = Access::Change, std::function<void()> cancel = {}) {
    std::vector<DiagnosticRecord> said;
    auto result = callInTurn(work, access, std::move(cancel), said);
    warnOf(said);
    if constexpr (!std::is_same_v<decltype(result), LogicalResult>)
      return std::move(*result);
  }

  std::shared_ptr<Context> context; // declared first: it goes last
  std::shared_ptr<Module> module;
  std::shared_ptr<Compilation> compilation;
  Turns turns;

private:
  template <typename Work>
  auto callInTurn(Work work, Access access, std::function<void()> cancel,
                  std::vector<DiagnosticRecord> &said) {
    if (turns.isMine()) {
      if (access == Access::Change)
        raise(lmpm::ErrorId::WrongCall,
              "expected a call after the run that is under way, but got one from "
              "inside of it; meanwhile its values can be read");
      return collect(work, said);
    }
    Unlocked unlocked(std::move(cancel));
    Turn turn(turns);
    return collect(work, said);
  }

  template <typename Work>
  auto collect(Work work, std::vector<DiagnosticRecord> &said) {
    Collector collector(*context);
    auto result = work();
    collector.check(result);
    said = collector.diagnostics();
    return result;
  }
};

/// How one call of `advance` is ended from another thread.
using Stop = std::atomic<bool>;

/// What `Run` is in Python.
class Run {
public:
  Run(std::shared_ptr<Compiled> compiled, std::shared_ptr<LiveRun> live)
      : compiled(std::move(compiled)), live(std::move(live)), reached(this->live->getEpoch()) {}

  void advance(int64_t epochs, int64_t observeEvery, bool showsBar, py::object progress,
               std::shared_ptr<Stop> stop);
  /// From another thread.
  void cancel(Stop &stop) const {
    stop = true;
    compiled->compilation->stopTicks();
  }
  py::array value(const std::string &name) {
    return toNumpy(compiled->call([&] { return live->value(name); }, Access::Look));
  }
  /// The same for other libraries, on the device if there is one.
  Tensor tensor(const std::string &name) {
    if (compiled->compilation->getDevice())
      return Tensor(compiled->call([&] { return live->valueOnDevice(name); }));
    return Tensor(compiled->call([&] { return live->value(name); }, Access::Look));
  }
  void save(const std::string &path);
  std::string explain(const std::string &cell);
  /// As JSON, and in a few lines.
  py::tuple report();
  py::dict counters() { return py::cast(outcome(Access::Change).counters); }
  bool fixpoint() { return outcome(Access::Look).fixpoint; }
  /// Epochs, and for each observer what it saw then; None where there was nothing to see.
  py::tuple observations();
  /// After the last whole epoch, also while others run.
  int64_t epoch() const { return reached; }

  std::shared_ptr<Compiled> compiled;
  std::shared_ptr<LiveRun> live;

private:
  /// Epochs, and what observers saw after each.
  using Seen = std::vector<std::pair<int64_t, mlir::lci::Observations>>;
  class Advance;

  ::lci::LoopOutcome outcome(Access access) {
    return compiled->call([&] { return FailureOr<::lci::LoopOutcome>(live->getOutcome()); },
                          access);
  }

  std::atomic<int64_t> reached;
  Seen observed;
};
} // namespace

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

static FailureOr<std::shared_ptr<Compilation>>
compileIn(Compiled &made, const std::string &bindings, const std::string &bindingsName,
          const std::vector<std::string> &sets, const mlir::lci::RunOptions &options) {
  auto read = readBindings(*made.context, bindings, bindingsName, sets);
  return Compilation::create(*made.module->op, read, options);
}

static std::shared_ptr<Compiled>
compile(Module &module, const std::string &name, const std::string &bindings,
        const std::string &bindingsName, const std::vector<std::string> &sets, int backend,
        int64_t threads, int counting, bool fixed, const std::string &lowering,
        const std::string &schedule, const std::string &scheduleText, bool tf32) {
  mlir::lci::RunOptions options;
  options.program = name;
  options.backend = static_cast<BackendKind>(backend);
  options.threads = threads;
  options.lowering = lowering;
  options.schedule = schedule;
  options.scheduleText = scheduleText;
  options.counters = static_cast<mlir::lci::Counting>(counting);
  options.fixesArguments = fixed;
  options.tf32 = tf32;
  auto made = std::make_shared<Compiled>();
  made->module = module.isolate();
  made->context = made->module->context;
  made->compilation =
      made->call([&] { return compileIn(*made, bindings, bindingsName, sets, options); });
  return made;
}

//===----------------------------------------------------------------------===//
// Starting
//===----------------------------------------------------------------------===//

std::map<std::string, ::lci::Array> lmpm::python::toArrays(const py::dict &arrays,
                                                           const char *what) {
  std::map<std::string, ::lci::Array> made;
  for (auto [key, array] : arrays) {
    auto name = py::cast<std::string>(key);
    made.emplace(name, toArray(py::cast<py::array>(array), what + (" '" + name + "'")));
  }
  return made;
}

/// Those of each model.
static std::map<std::string, std::map<std::string, ::lci::Array>>
toWeights(const py::dict &models) {
  std::map<std::string, std::map<std::string, ::lci::Array>> made;
  for (auto [model, weights] : models)
    made.emplace(py::cast<std::string>(model), toArrays(py::cast<py::dict>(weights), "weight"));
  return made;
}

/// Of the capsules of arrays that are on the device; they live as long as the call that has them.
static std::map<std::string, ::lci::ForeignArray> toForeigns(const py::dict &capsules) {
  std::map<std::string, ::lci::ForeignArray> made;
  for (auto [key, capsule] : capsules) {
    auto name = py::cast<std::string>(key);
    made.emplace(name, toForeign(py::cast<py::capsule>(capsule), "input '" + name + "'"));
  }
  return made;
}

static RunInputs toInputs(const py::dict &values, const py::dict &deviceValues,
                          std::optional<uint64_t> seed, const py::dict &params,
                          const py::dict &weights, std::vector<std::string> enable,
                          std::vector<std::string> disable) {
  return {toArrays(values, "input"),
          toArrays(params, "parameter"),
          toForeigns(deviceValues),
          toWeights(weights),
          seed,
          std::move(enable),
          std::move(disable)};
}

static std::unique_ptr<Run> start(std::shared_ptr<Compiled> compiled, const py::dict &values,
                                  const py::dict &deviceValues, std::optional<uint64_t> seed,
                                  const py::dict &params, const py::dict &weights,
                                  std::vector<std::string> enable,
                                  std::vector<std::string> disable) {
  RunInputs inputs =
      toInputs(values, deviceValues, seed, params, weights, std::move(enable), std::move(disable));
  auto live = compiled->call([&] { return LiveRun::start(compiled->compilation, inputs); });
  return std::make_unique<Run>(std::move(compiled), std::move(live));
}

static std::unique_ptr<Run> resume(std::shared_ptr<Compiled> compiled, const std::string &path,
                                   const py::dict &values, const py::dict &deviceValues,
                                   std::optional<uint64_t> seed, const py::dict &params,
                                   const py::dict &weights, std::vector<std::string> enable,
                                   std::vector<std::string> disable) {
  RunInputs inputs =
      toInputs(values, deviceValues, seed, params, weights, std::move(enable), std::move(disable));
  ::lci::Checkpoint checkpoint = valueOrRaise(::lci::readToResume(path, seed));
  auto live = compiled->call(
      [&] { return LiveRun::resume(compiled->compilation, std::move(checkpoint), inputs); });
  return std::make_unique<Run>(std::move(compiled), std::move(live));
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// One call of `advance`. What Python raises meanwhile, Ctrl-C above all, ends the loop and is
/// raised again when the state is kept: that after the last whole epoch. Where another thread waits
/// for the program, the loop ends, too, and goes on when it is its turn again.
class Run::Advance {
public:
  Advance(Run &run, int64_t epochs, int64_t observeEvery, bool showsBar, py::object progress,
          std::shared_ptr<Stop> stop)
      : run(run), progress(std::move(progress)), stop(std::move(stop)) {
    if (showsBar)
      bar.emplace(static_cast<uint64_t>(std::max<int64_t>(epochs, 0)));
    how.epochs = epochs;
    how.observeEvery = observeEvery;
    how.stretchSeconds = 0.05;
    how.stopsTicks = true;
    how.progress = [this](int64_t done) { tell(done); };
    how.interrupted = [this] { return isInterrupted(); };
  }

  void go();

private:
  using Clock = std::chrono::steady_clock;

  void ask(const std::function<void()> &question) {
    withPython([&] {
      try {
        question();
      } catch (...) {
        raised = std::current_exception();
      }
    });
  }
  void tell(int64_t done) {
    run.reached = done;
    if (bar)
      bar->update(static_cast<uint64_t>(done));
    if (!progress.is_none())
      ask([&] { progress(done, how.epochs); });
  }
  bool isInterrupted();
  LogicalResult turn();
  void see(int64_t epoch, const mlir::lci::Observations &seen);

  Run &run;
  py::object progress;
  std::shared_ptr<Stop> stop;
  std::optional<::lci::Progress> bar;
  ::lci::LoopOptions how;
  std::exception_ptr raised;
  bool isFirstTurn = true, isTurnOver = false;
  Clock::time_point turnBegan;
  std::optional<Clock::time_point> loopBegan; ///< when its state was there again
  bool seesFirst = false;
};

bool Run::Advance::isInterrupted() {
  ask([] {
    if (PyErr_CheckSignals())
      throw py::error_already_set();
  });
  if (raised || *stop)
    return true;
  if (!loopBegan) { // each turn gets somewhere
    loopBegan = Clock::now();
    return false;
  }
  // Nor does it take longer to change turns than they last.
  auto least =
      std::max<Clock::duration>(std::chrono::milliseconds(20), 10 * (*loopBegan - turnBegan));
  isTurnOver = Clock::now() - *loopBegan >= least && run.compiled->turns.isWaitedFor();
  return isTurnOver;
}

void Run::Advance::see(int64_t epoch, const mlir::lci::Observations &seen) {
  bool isBetweenTurns = std::exchange(seesFirst, false) && epoch % how.observeEvery != 0;
  bool isKnown = !run.observed.empty() && run.observed.back().first == epoch;
  if (!isBetweenTurns && !isKnown) // nor where one call ends and the next begins
    run.observed.emplace_back(epoch, seen);
}

/// Runs until the end, or until somebody else is to have the program.
LogicalResult Run::Advance::turn() {
  isTurnOver = false;
  loopBegan.reset();
  turnBegan = Clock::now();
  seesFirst = !std::exchange(isFirstTurn, false);
  run.live->onObserved = [this](int64_t epoch, const mlir::lci::Observations &seen) {
    see(epoch, seen);
  };
  LogicalResult ran = run.live->advance(how);
  run.reached = run.live->getEpoch();
  return ran;
}

void Run::Advance::go() {
  auto ends = std::make_shared<Stop>(false);
  auto cancel = [ends, stop = stop, compiled = run.compiled] {
    *ends = *stop = true;
    compiled->compilation->stopTicks();
  };
  do
    run.compiled->call([this] { return turn(); }, Access::Change, cancel);
  while (isTurnOver && !raised && !*stop);
  if (raised)
    std::rethrow_exception(raised);
  if (*ends && run.reached < how.epochs && !run.live->getOutcome().fixpoint)
    raiseAtEnd("expected Python to go on until epoch " + std::to_string(how.epochs) +
               ", but it ended after " + std::to_string(run.reached));
}

/// Runs until `epochs` in all.
void Run::advance(int64_t epochs, int64_t observeEvery, bool showsBar, py::object progress,
                  std::shared_ptr<Stop> stop) {
  valueOrRaise(::lci::checkEpochs(epochs, lmpm::ErrorId::WrongCall));
  StopsOnInterrupt stops;
  Advance(*this, epochs, observeEvery, showsBar, std::move(progress), std::move(stop)).go();
}

void Run::save(const std::string &path) {
  auto taken = compiled->call([&] { return live->takeCheckpoint(); });
  valueOrRaise(::lci::writeCheckpoint(path, taken));
}

std::string Run::explain(const std::string &cell) {
  std::string text;
  llvm::raw_string_ostream os(text);
  compiled->call([&] { return live->explain(cell, os); });
  return text;
}

py::tuple Run::report() {
  auto made = compiled->call([&] { return live->makeReport(); });
  std::string json, text;
  llvm::raw_string_ostream(json) << mlir::lci::toJson(made);
  llvm::raw_string_ostream lines(text);
  mlir::lci::print(made, lines);
  return py::make_tuple(json, text);
}

static py::object toPython(const mlir::lci::Observation &observation) {
  if (!observation.value)
    return py::none();
  const ::lci::Array &value = *observation.value;
  return ::lci::isFloat(value.dtype()) ? py::object(py::float_(value.doubleAt(0)))
                                       : py::object(py::int_(value.intAt(0)));
}

py::tuple Run::observations() {
  Seen seen = compiled->call([&] { return FailureOr<Seen>(observed); }, Access::Look);
  py::list epochs;
  py::dict columns;
  for (const std::string &name : compiled->compilation->getObservers())
    columns[py::str(name)] = py::list();
  for (const auto &[epoch, row] : seen) {
    epochs.append(epoch);
    for (const mlir::lci::Observation &observation : row)
      py::list(columns[py::str(observation.name)]).append(toPython(observation));
  }
  return py::make_tuple(epochs, columns);
}

//===----------------------------------------------------------------------===//
// To Python
//===----------------------------------------------------------------------===//

static const char *nameOf(mlir::lci::Kind kind) {
  switch (kind) {
  case mlir::lci::Kind::Token:
    return "token";
  case mlir::lci::Kind::I32:
    return "i32";
  case mlir::lci::Kind::F32:
    return "f32";
  case mlir::lci::Kind::Latent:
    return "latent";
  default:
    return "set";
  }
}

/// Name, kind, shape and vocabulary of each value, and whether a rule writes it.
static py::list declaredValuesOf(const Compiled &compiled) {
  py::list values;
  for (const mlir::lci::ValueInfo &value : compiled.compilation->getValues())
    values.append(py::make_tuple(value.name, nameOf(value.kind), py::tuple(py::cast(value.shape)),
                                 value.vocabulary, value.ruled));
  return values;
}

/// DLPack's numbers of where runs take and give arrays beside the host, or None.
static std::optional<std::pair<int, int>> deviceOf(const Compiled &compiled) {
  const ::lci::Device *device = compiled.compilation->getDevice();
  return device ? std::optional(deviceNumbers(device->place())) : std::nullopt;
}

static py::dict readSafeTensors(const std::string &path) {
  py::dict arrays;
  for (auto &[name, array] : valueOrRaise(::lci::readSafeTensors(path)))
    arrays[py::str(name)] = toNumpy(std::move(array));
  return arrays;
}

void lmpm::python::registerRun(py::module_ &module) {
  py::class_<Compiled, std::shared_ptr<Compiled>> compiled(module, "Compiled");
  py::class_<Run> run(module, "Run");
  py::class_<Stop, std::shared_ptr<Stop>>(module, "Stop", "How a run is ended from another thread.")
      .def(py::init([] { return std::make_shared<Stop>(false); }));
  using mlir::lci::Counting;
  module.attr("BACKENDS") = numbersByName<BackendKind>({{"cpu", BackendKind::CPU},
                                                        {"kernels", BackendKind::Kernels},
                                                        {"interp", BackendKind::Interpreter},
                                                        {"cuda", BackendKind::CUDA}});
  module.attr("COUNTERS") = numbersByName<Counting>(
      {{"none", Counting::None}, {"changed", Counting::Changed}, {"full", Counting::Full}});
  module.def("read_safetensors", &readSafeTensors, py::arg("path"),
             "All arrays of a file, by name.");
  module.def("compile", &compile, py::arg("module"), py::arg("name"), py::arg("bindings"),
             py::arg("bindings_name"), py::arg("sets"), py::arg("backend"), py::arg("threads"),
             py::arg("counting"), py::arg("fixed"), py::arg("lowering"), py::arg("schedule"),
             py::arg("schedule_text"), py::arg("tf32"), "What `Program.compile` calls.");
  compiled.def_property_readonly("values", &declaredValuesOf)
      .def_property_readonly("observers",
                             [](Compiled &self) { return self.compilation->getObservers(); })
      .def_property_readonly("epochs", [](Compiled &self) { return self.compilation->getEpochs(); })
      .def_property_readonly("backend",
                             [](Compiled &self) { return self.compilation->getBackendName(); })
      .def_property_readonly("device", &deviceOf)
      .def_property_readonly("stream",
                             [](Compiled &self) {
                               const ::lci::Device *device = self.compilation->getDevice();
                               return device ? device->stream() : 0;
                             })
      .def("start", &start, py::arg("values"), py::arg("device_values"), py::arg("seed"),
           py::arg("params"), py::arg("weights"), py::arg("enable"), py::arg("disable"))
      .def("resume", &resume, py::arg("path"), py::arg("values"), py::arg("device_values"),
           py::arg("seed"), py::arg("params"), py::arg("weights"), py::arg("enable"),
           py::arg("disable"));
  run.def("advance", &Run::advance, py::arg("epochs"), py::arg("observe_every"),
          py::arg("shows_bar"), py::arg("progress"), py::arg("stop"))
      .def("cancel", &Run::cancel, py::arg("stop"))
      .def("value", &Run::value, py::arg("name"))
      .def("tensor", &Run::tensor, py::arg("name"))
      .def("save", &Run::save, py::arg("path"))
      .def("explain", &Run::explain, py::arg("cell"))
      .def("report", &Run::report)
      .def_property_readonly("counters", &Run::counters)
      .def_property_readonly("observations", &Run::observations)
      .def_property_readonly("epoch", &Run::epoch)
      .def_property_readonly("seed", [](Run &self) { return self.live->getSeed(); })
      .def_property_readonly("fixpoint", &Run::fixpoint);
}

//===- Rungs.cpp - One program on every rung of the ladder ----------------===//

#include "Rungs.h"
#include "LCI/Analysis/Constraints.h"
#include "LCI/Conversion/Passes.h"
#include "LCI/Dialect/ArgumentRoles.h"
#include "LCI/Execution/FixedArguments.h"
#include "LCI/Pipelines/CompilerPasses.h"
#include "LCI/Pipelines/Pipelines.h"
#include "LCI/Runtime/Tokens.h"
#include "LCI/Transforms/Passes.h"
#include "Ways.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mlir::lci;
using ::lci::Array;
using Level = ::lci::SmithLimit::Level;

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

static std::map<std::string, int64_t> dropZeros(const std::map<std::string, int64_t> &counters) {
  std::map<std::string, int64_t> kept;
  for (const auto &[name, count] : counters)
    if (count)
      kept[name] = count;
  return kept;
}

/// The observations at the end.
static LogicalResult observe(Interpreter &interpreter, Case &test, Outcome &outcome) {
  outcome.observations.emplace();
  for (auto observer : test.program.getOps<ObserveOp>()) {
    FailureOr<std::optional<Datum>> seen = interpreter.observe(observer.getSymName(), test.epochs);
    if (failed(seen))
      return failure();
    outcome.observations->push_back({observer.getSymName().str(), std::nullopt});
    auto yield = cast<YieldOp>(observer.getBody().front().getTerminator());
    bool isNumber = yield.getValue().getType().isF32();
    if (*seen)
      outcome.observations->back().value =
          isNumber ? observedNumber((*seen)->asNumber()) : Array::scalar((*seen)->asInteger());
  }
  return success();
}

/// The interpreter's records, in the form that compiled code keeps.
static void addRecords(Interpreter &interpreter, Case &test, Outcome &outcome) {
  for (ValueOp value : getValues(test)) {
    std::string name = value.getSymName().str();
    if (interpreter.getNumPhases(name) == 0) // no rule commits
      continue;
    const ::lci::Records &records = interpreter.getRecords(name);
    outcome.records[name + ::lci::kStampSuffix] = records.stamps;
    outcome.records[name + ::lci::kScoreSuffix] = records.scores;
    outcome.records[name + ::lci::kReplicaSuffix] = records.replicas;
    int64_t numLevels = records.levels.shape().back();
    for (int64_t level = 0; level < numLevels; ++level) {
      Array &counts = outcome.records[name + ::lci::kLevelSuffix + std::to_string(level)];
      counts = Array(::lci::DType::I64, records.stamps.shape());
      for (int64_t i = 0; i < counts.size(); ++i)
        counts.setInt(i, records.levels.intAt(i * numLevels + level));
    }
  }
  test.recordNames.clear();
  for (const auto &[name, array] : outcome.records)
    test.recordNames.push_back(name);
}

FailureOr<Outcome> mlir::lci::runReference(Case &test) {
  auto interpreter = Interpreter::create(test.program);
  if (failed(interpreter) || failed((*interpreter)->setEnvironment(test.environment)) ||
      failed((*interpreter)->initialise()))
    return failure();
  for (const auto &[name, array] : test.inputs)
    if (failed((*interpreter)->setValue(name, array)))
      return failure();
  for (int64_t epoch = 0; epoch < test.epochs; ++epoch)
    if (failed((*interpreter)->runEpoch(epoch)))
      return failure();
  Outcome outcome;
  for (ValueOp value : getValues(test))
    outcome.values.emplace(value.getSymName().str(), (*interpreter)->getValue(value.getSymName()));
  outcome.counters = dropZeros((*interpreter)->counters);
  if (failed(observe(**interpreter, test, outcome)))
    return failure();
  addRecords(**interpreter, test, outcome);
  return outcome;
}

/// A clone in tick form; several rungs begin with the same one.
static FailureOr<OwningOpRef<ModuleOp>> lowerRules(Case &test, Counting counting,
                                                   bool steps = false, bool records = false) {
  OwningOpRef<ModuleOp> &known = test.ticks[{counting, steps, records}];
  if (known)
    return OwningOpRef<ModuleOp>(known->clone());
  OwningOpRef<ModuleOp> module = test.module->clone();
  CompilerPasses passes(module->getContext());
  LowerRulesPassOptions options;
  options.counters = counting;
  options.steps = steps;
  options.records = records;
  passes.addPass(createLowerRulesPass(options));
  if (failed(passes.run(*module)))
    return failure();
  known = std::move(module);
  return OwningOpRef<ModuleOp>(known->clone());
}

/// Runs passes on a clone in tick form and interprets the result.
static FailureOr<Outcome> runTicks(Case &test, Counting counting,
                                   llvm::function_ref<void(OpPassManager &)> build, bool records) {
  FailureOr<OwningOpRef<ModuleOp>> lowered = lowerRules(test, counting, /*steps=*/false, records);
  if (failed(lowered))
    return failure();
  ModuleOp module = **lowered;
  CompilerPasses passes(module.getContext());
  build(passes);
  if (failed(passes.run(module)))
    return failure();
  FailureOr<TickProgram> ticks =
      TickProgram::create(module, test.program.getSymName(), test.vocabularies);
  if (failed(ticks) || failed(ticks->initialise(test.environment)))
    return failure();
  for (const auto &[name, array] : test.inputs)
    ticks->setValue(name, array);
  if (failed(ticks->run(test.environment, 0, test.epochs)))
    return failure();
  Outcome outcome;
  for (ValueOp value : getValues(test))
    outcome.values.emplace(value.getSymName().str(), ticks->getValue(value.getSymName()));
  outcome.counters = dropZeros(ticks->counters);
  if (records)
    for (const std::string &name : test.recordNames)
      outcome.records.emplace(name, ticks->getValue(name));
  return outcome;
}

/// Whether some hard constraints of a program contradict each other.
static bool isContradictory(ProgramOp program) {
  SmallVector<ConstraintOp> hard;
  for (auto constraint : program.getOps<ConstraintOp>())
    if (constraint.cannotBeOutvoted())
      hard.push_back(constraint);
  for (ConstraintOp left : hard)
    for (ConstraintOp right : hard)
      if (left != right && left.getValue() == right.getValue() && findContradiction(left, right))
        return true;
  return false;
}

/// Random constraints may never hold, which the checks reject. The run decides whether they are
/// right.
static FailureOr<Outcome> runRefused(Case &test) {
  FailureOr<Outcome> outcome = runReference(test);
  if (failed(outcome))
    return failure();
  for (auto constraint : test.program.getOps<ConstraintOp>())
    if (decideConstraint(constraint).answer == ConstraintVerdict::Answer::Never &&
        outcome->counters.count((constraint.getSymName() + ".satisfied").str()))
      return LogicalResult(constraint.emitError("is said to hold never, but was satisfied"));
  return outcome;
}

static bool isRefused(ProgramOp program) {
  return isContradictory(program) ||
         llvm::any_of(program.getOps<ConstraintOp>(), [](ConstraintOp constraint) {
           return decideConstraint(constraint).answer == ConstraintVerdict::Answer::Never;
         });
}

/// Runs passes on a clone that stays in bound form, and interprets that.
static FailureOr<Outcome> runBound(Case &test, llvm::function_ref<void(OpPassManager &)> build) {
  if (isRefused(test.program))
    return runRefused(test);
  Case copy;
  copy.module = test.module->clone();
  copy.program = *copy.module->getOps<ProgramOp>().begin();
  copy.environment = test.environment;
  copy.inputs = test.inputs;
  copy.epochs = test.epochs;
  CompilerPasses passes(copy.module->getContext());
  build(passes);
  if (failed(passes.run(*copy.module)))
    return failure();
  return runReference(copy);
}

static void addTo(Counters &all, const Counters &more) {
  for (const auto &[name, count] : more)
    all[name] += count;
}

/// Runs all epochs in two calls, the second of them twice: state that compiled code keeps between
/// calls must not be observable.
static ::lci::Result<Counters> runInCalls(CompiledProgram &cpu, int64_t epochs) {
  int64_t middle = epochs / 3;
  ::lci::Result<Counters> all = cpu.runEpochs(0, middle);
  if (!all || !cpu.remember())
    return all;
  if (::lci::Result<Counters> lost = cpu.runEpochs(middle, epochs); !lost)
    return lost;
  cpu.recall();
  ::lci::Result<Counters> others = cpu.runEpochs(middle, epochs);
  if (others)
    addTo(*all, *others);
  return others ? all : others;
}

/// Runs all epochs, one tick at a time or many.
static ::lci::Result<Counters> runEpochs(CompiledProgram &cpu, Case &test, int64_t ticksPerEpoch) {
  if (ticksPerEpoch == 0)
    return runInCalls(cpu, test.epochs);
  Counters all;
  for (int64_t tick = 0; tick < test.epochs * ticksPerEpoch; ++tick) {
    ::lci::Result<Counters> counters = cpu.runTick(tick / ticksPerEpoch, tick % ticksPerEpoch);
    if (!counters)
      return counters;
    addTo(all, *counters);
  }
  return all;
}

static int64_t countPhases(ProgramOp program) {
  FailureOr<std::unique_ptr<Interpreter>> interpreter = Interpreter::create(program);
  return succeeded(interpreter) ? (*interpreter)->getNumPhases() : 0;
}

using Compiler = llvm::function_ref<FailureOr<std::unique_ptr<CompiledProgram>>(ModuleOp)>;

namespace {
/// Requirements on compiled code.
struct CodeOptions {
  Counting counting = Counting::Full;
  bool steps = false, records = false; ///< tick by tick; with records of commits
  bool isOnce = false;                 ///< for one run, whose arguments are compiled in
};
} // namespace

static RunArguments argumentsOf(const Case &test) {
  RunArguments arguments;
  arguments.params = test.environment.params;
  arguments.palettes = test.environment.palettes;
  arguments.regions = test.environment.regions;
  arguments.weights = test.environment.weights;
  arguments.enables = test.environment.enables;
  arguments.seed = test.environment.seed;
  return arguments;
}

static FailureOr<Outcome> runCompiled(Case &test, Compiler compile, CodeOptions wanted) {
  FailureOr<OwningOpRef<ModuleOp>> lowered =
      lowerRules(test, wanted.counting, wanted.steps, wanted.records);
  if (failed(lowered))
    return failure();
  ModuleOp module = **lowered;
  RunArguments arguments = argumentsOf(test);
  if (wanted.isOnce)
    specializeArguments(module, arguments);
  FailureOr<std::unique_ptr<CompiledProgram>> program = compile(module);
  if (failed(program))
    return failure();
  CompiledProgram &cpu = **program;
  auto check = [&](::lci::Status status) {
    if (!status)
      module.emitError(status.error());
    return static_cast<bool>(status);
  };
  if (!check(cpu.setArguments(arguments)) || !check(cpu.initialise()))
    return failure();
  for (const auto &[name, array] : test.inputs) {
    bool isToken = test.vocabularies.count(name);
    ::lci::Result<Array> canonical =
        isToken ? ::lci::toTokens(array, test.vocabularies.at(name), name) : array;
    if (!canonical || !check(cpu.setValue(name, *canonical)))
      return failure();
  }
  ::lci::Result<Counters> counters =
      runEpochs(cpu, test, wanted.steps ? countPhases(test.program) : 0);
  if (!counters)
    return module.emitError(counters.error());
  Outcome outcome;
  outcome.counters = dropZeros(*counters);
  bool isWhole = true;
  auto read = [&](const std::string &name, std::map<std::string, Array> &to) {
    ::lci::Result<Array> array = cpu.value(name);
    isWhole &= static_cast<bool>(array);
    if (array)
      to.emplace(name, *array);
    else
      module.emitError(array.error());
  };
  for (ValueOp value : getValues(test))
    read(value.getSymName().str(), outcome.values);
  if (wanted.records)
    for (const std::string &name : test.recordNames)
      read(name, outcome.records);
  if (!isWhole)
    return failure();
  ::lci::Result<Observations> seen = cpu.observe(test.epochs);
  if (!seen)
    return module.emitError(seen.error());
  outcome.observations = *seen;
  return outcome;
}

FailureOr<Outcome> mlir::lci::runOnPlanes(Case &test, const CpuOptions &options) {
  auto compile = [&](ModuleOp module) {
    auto planes = ArrangementAttr::get(module.getContext(), Arrangement::Planes);
    auto run = module.lookupSymbol<func::FuncOp>(test.program.getSymName());
    for (unsigned i = 0; i < run.getNumArguments(); ++i)
      if (roleOf(run, i) == Role::State)
        run.setArgAttr(i, kArrangement, planes);
    return compileForCpu(module, options);
  };
  return runCompiled(test, compile, {});
}

FailureOr<Outcome> mlir::lci::runTicksAfter(Case &test,
                                            llvm::function_ref<void(OpPassManager &)> build) {
  return runTicks(test, Counting::Full, build, /*records=*/false);
}

FailureOr<Outcome> mlir::lci::runInMemoryAfter(Case &test,
                                               llvm::function_ref<void(OpPassManager &)> build) {
  auto compile = [&](ModuleOp module) -> FailureOr<std::unique_ptr<CompiledProgram>> {
    CompilerPasses passes(module.getContext());
    passes.addPass(createBufferizeStatePass());
    build(passes);
    if (failed(passes.run(module)))
      return failure();
    CpuOptions options;
    options.optLevel = 0;
    options.verify = true;
    return compileForCpu(module, options);
  };
  return runCompiled(test, compile, {});
}

/// Neither narrow nor cut, by a schedule, which leaves the second half to the pipelines.
static constexpr char kAsItIs[] = R"(module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op) {
    %buffers = transform.apply_registered_pass "lci-to-buffers-pipeline"
      with options = { "narrow" = false, "split-domain" = false } to %module
      : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
})";

static void addNativeRungs(std::vector<Rung> &rungs) {
  unsigned way = 0;
  auto add = [&](const std::string &name, const CpuOptions &options, CodeOptions wanted) {
    rungs.push_back(
        {"native" + name + (wanted.records ? ", records" : "") + (wanted.isOnce ? ", once" : ""),
         [=](Case &test) {
           auto compile = [&](ModuleOp module) { return compileForCpu(module, options); };
           return runCompiled(test, compile, wanted);
         },
         /*counts=*/wanted.counting == Counting::Full, Level::Native, way++});
  };
  for (unsigned number = 0; number < kNumCombinations; ++number) {
    std::string name;
    CpuOptions options = combine(number, name);
    // Without a report the decisions of locks are not computed. Records cost about twice the
    // remainder, so that two ways have them, 9 and 22, which differ in all switches.
    bool reports = number == 0 || llvm::popcount(number) % 2 == 1;
    add(name + (reports ? "" : ", no report"), options,
        {reports ? Counting::Full : Counting::Changed, /*steps=*/false,
         /*records=*/number % 13 == 9, /*isOnce=*/number % 3 == 0});
  }
  CpuOptions plain, stepped, shared;
  plain.optLevel = 0;
  plain.schedule.text = kAsItIs;
  plain.verify = stepped.verify = shared.verify = true;
  stepped.optLevel = shared.optLevel = 0;
  shared.threads = 3;
  shared.lowering = "grain=0 eager-blocks=1 strip-words=1";
  add(", as it is", plain, {});
  add(", tick by tick", stepped, {Counting::Full, /*steps=*/true});
  add(", tick by tick, three threads", shared, {Counting::Full, /*steps=*/true});
  // The grids of random programs are too small for a thread to take a row, for values to share a
  // kernel, and for a launch to have several epochs.
  KernelOptions kernels{
      /*optLevel=*/0,    /*jamGroups=*/1,
      /*minJoined=*/0,   EpochTiles{/*epochs=*/2, /*columns=*/6, /*threads=*/24},
      /*eagerBlocks=*/1, /*tf32=*/false,
      /*verify=*/true};
  auto addKernels = [&](const std::string &name, auto compile) {
    rungs.push_back({name, [=](Case &test) { return runCompiled(test, compile, {}); },
                     /*counts=*/true, Level::Native, way++});
  };
  assert(way == kKernelsWay);
  addKernels("kernels", [=](ModuleOp m) { return compileKernels(m, kernels); });
  CudaOptions machine{/*ordinal=*/0, LCI_PTX_MACHINE, kernels};
  addKernels("PTX", [=](ModuleOp m) { return compileForCuda(m, machine); });
  assert(way == kNumWays);
}

static void addTickRungs(std::vector<Rung> &rungs) {
  auto add = [&](const char *name, Counting counting, void (*build)(OpPassManager &),
                 bool records = false) {
    rungs.push_back({name, [=](Case &test) { return runTicks(test, counting, build, records); },
                     /*counts=*/counting == Counting::Full});
  };
  unsigned numAlone = 0;
  auto addAlone = [&](const char *name, void (*build)(OpPassManager &), bool records = false) {
    add(name, Counting::None, build, records);
    rungs.back().alone = numAlone++;
  };
  add("lci-lower-rules", Counting::Full, [](OpPassManager &) {});
  // A tick for each part of a record: an eighth of the time, if every program had them.
  addAlone("lci-lower-rules{records}", [](OpPassManager &) {}, /*records=*/true);
  addAlone("lci-split-domain", [](OpPassManager &passes) {
    passes.addNestedPass<func::FuncOp>(createSplitDomainPass());
  });
  addAlone("lci-narrow-storage", [](OpPassManager &passes) {
    passes.addNestedPass<func::FuncOp>(createSplitDomainPass());
    passes.addNestedPass<func::FuncOp>(createNarrowStoragePass());
  });
  addAlone("lci-tabulate", [](OpPassManager &passes) {
    passes.addNestedPass<func::FuncOp>(createNarrowStoragePass());
    // Everything that can be tabulated is, profitable or not.
    TabulatePassOptions all;
    all.minSaved = -100;
    all.minLookUps = 0;
    all.maxEntries = 64; // the interpreter makes them, which takes its time
    passes.addNestedPass<func::FuncOp>(createTabulatePass(all));
  });
  assert(numAlone == kNumAlone);
}

std::vector<Rung> mlir::lci::makeRungs() {
  std::vector<Rung> rungs;
  // No random program is rejected, except for constraints that cannot hold.
  rungs.push_back({"checks",
                   [](Case &test) {
                     return runBound(test,
                                     [](OpPassManager &passes) { buildCheckPipeline(passes); });
                   },
                   true, Level::Interpreter});
  addTickRungs(rungs);
  addNativeRungs(rungs);
  return rungs;
}

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

static std::string textOf(const Observation &seen) {
  return seen.value ? std::to_string(seen.value->doubleAt(0)) : "nothing";
}

/// The first cell that differs in two arrays of a name.
static std::string findDifference(const std::string &name, const Array &array, const Array &found) {
  size_t width = byteWidth(array.dtype());
  for (int64_t i = 0; i < array.size(); ++i)
    if (memcmp(&array.bytes()[i * width], &found.bytes()[i * width], width) != 0)
      return name + "[" + array.indexText(i) + "]: expected " + std::to_string(array.doubleAt(i)) +
             ", but got " + std::to_string(found.doubleAt(i));
  return "";
}

std::string mlir::lci::findDifference(const Outcome &reference, const Outcome &other,
                                      bool compareCounters) {
  for (const auto &[name, array] : reference.values)
    if (std::string where = ::findDifference(name, array, other.values.at(name)); !where.empty())
      return where;
  for (const auto &[name, array] : other.records)
    if (std::string where = ::findDifference(name, reference.records.at(name), array);
        !where.empty())
      return where;
  if (compareCounters && reference.counters != other.counters) {
    for (const auto &[name, count] : reference.counters)
      if (!other.counters.count(name) || other.counters.at(name) != count)
        return "counter " + name + ": expected " + std::to_string(count) + ", but got " +
               std::to_string(other.counters.count(name) ? other.counters.at(name) : 0);
    for (const auto &[name, count] : other.counters)
      if (!reference.counters.count(name))
        return "counter " + name + ": expected 0, but got " + std::to_string(count);
  }
  if (reference.observations && other.observations)
    for (auto [seen, found] : llvm::zip_equal(*reference.observations, *other.observations))
      if (seen.value != found.value)
        return "observer " + seen.name + ": expected " + textOf(seen) + ", but got " +
               textOf(found);
  return "";
}

//===- Tune.cpp - Search for the schedule of a program --------------------===//
//
// The steps of a search in their order: bind, rank by the model, measure, choose.
//
//===----------------------------------------------------------------------===//

#include "LCI/Tune/Tune.h"
#include "LCI/Codegen/Machine.h"
#include "LCI/Dialect/Targets.h"
#include "LCI/Driver/Arguments.h"
#include "LCI/Driver/Backends.h"
#include "LCI/Driver/Binding.h"
#include "LCI/Driver/Identity.h"
#include "LCI/Driver/Loading.h"
#include "LCI/Pipelines/ApplySchedule.h"
#include "LCI/Runtime/File.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace mlir::lci;
using ::lci::Result;
using ::lci::Sample;

namespace {
/// The state of one search on its way through the steps.
class Tuner {
public:
  Tuner(ModuleOp module, const ::lci::Bindings &bindings, const TuneOptions &options)
      : module(module), bindings(bindings), options(options) {}

  FailureOr<TuneResult> run();

private:
  // In the order in which they run.
  LogicalResult bind();
  LogicalResult readSchedule();
  LogicalResult rankAll();
  LogicalResult measure();
  void choose();

  LogicalResult setTarget();
  LogicalResult makeMeasurer();
  LogicalResult calibrate();
  LogicalResult compareWithInterpreter();
  LogicalResult fail(const ::lci::Failure &failure) {
    return emitError(UnknownLoc::get(module.getContext())) << failure.id << failure.message;
  }
  bool isForGPU() const { return options.run.backend != BackendKind::CPU; }
  /// Whether times of this back end say anything.
  bool canMeasure() const {
    return options.measured > 0 && options.run.backend != BackendKind::Kernels;
  }

  ModuleOp module;
  const ::lci::Bindings &bindings;
  const TuneOptions &options;
  std::string unbound; ///< the text of the module
  OwningOpRef<ModuleOp> ticks, schedule;
  std::optional<Space> space;
  Ranking ranking;
  std::unique_ptr<::lci::Measurer> measurer;
  uint64_t cells = 0;
  TuneResult result;
};
} // namespace

//===----------------------------------------------------------------------===//
// Before the search
//===----------------------------------------------------------------------===//

static std::string textOf(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os, OpPrintingFlags().useLocalScope());
  return text;
}

LogicalResult Tuner::bind() {
  unbound = textOf(module);
  OwningOpRef<ModuleOp> copy = module.clone();
  FailureOr<ProgramOp> found = findProgram(*copy, options.run.program);
  if (failed(found))
    return failure();
  ProgramOp program = *found;
  std::string text = programText(program);
  if (failed(checkFlagNames(program, bindings)) ||
      failed(bindWithBindings(program, bindings, [](StringRef) { return true; })) ||
      failed(checkProgram(*copy)))
    return failure();
  FailureOr<RunArguments> arguments = makeArguments(program, bindings);
  if (failed(arguments))
    return failure();
  result.key = tuningKeyOf(text, program, options.run);
  for (const ValueInfo &value : collectValues(program)) {
    uint64_t elements = 1;
    for (int64_t extent : value.shape)
      elements *= extent;
    cells += elements;
  }
  auto made = makeTicks(options.run, program, *arguments, {options.run.getCounting()});
  if (failed(made))
    return failure();
  ticks = std::move(*made);
  return setTarget();
}

/// The machine that this runs on, as a compilation sets it.
LogicalResult Tuner::setTarget() {
  if (isForGPU()) {
    GPUTarget target;
    target.tf32 = options.run.tf32;
    return mlir::lci::setTarget(*ticks, target);
  }
  auto machine = ::lci::makeHostMachine(llvm::CodeGenOptLevel::Aggressive);
  if (!machine)
    return fail({ErrorId::CannotCompile, toString(machine.takeError())});
  ::lci::VectorUnit vectors = ::lci::vectorUnitOf(**machine);
  return setCPUTarget(*ticks, vectors.bits, vectors.registers, options.run.threads);
}

LogicalResult Tuner::readSchedule() {
  MLIRContext *context = module.getContext();
  if (!options.schedule)
    schedule = readDefaultSchedule(
        isForGPU() ? "lci-to-kernels-pipeline" : "lci-to-linalg-pipeline", context);
  else
    schedule = mlir::lci::readSchedule(*options.schedule, options.scheduleName, context);
  if (!schedule)
    return failure();
  FailureOr<Space> created = Space::create(*schedule);
  if (failed(created))
    return failure();
  space.emplace(std::move(*created));
  return success();
}

LogicalResult Tuner::rankAll() {
  RankOptions how;
  how.seed = options.seed;
  how.limit = options.candidates;
  how.epochs = options.run.epochs.value_or(how.epochs);
  how.machine.threads = options.run.threads;
  how.requested = {"persist-layouts"};
  how.progress = [&](size_t done, size_t all) {
    return options.progress("ranking", done, all, 1) || !(result.isInterrupted = true);
  };
  FailureOr<Ranking> ranked = rank(*ticks, *space, how);
  if (failed(ranked))
    return failure();
  ranking = std::move(*ranked);
  result.space = space->size();
  result.lowered = ranking.lowered;
  for (const Ranked &one : ranking.candidates) {
    OwningOpRef<ModuleOp> selected = space->select(one.candidate);
    setFoundFor(*selected, result.key);
    Contender contender{space->textOf(one.candidate),
                        space->fullTextOf(one.candidate),
                        textOf(*selected) + "\n",
                        one.cost,
                        {}};
    if (!one.problem.empty()) {
      contender.track.outcome = ::lci::Outcome::Failed;
      contender.track.reason = one.problem;
    }
    result.contenders.push_back(std::move(contender));
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Measuring
//===----------------------------------------------------------------------===//

LogicalResult Tuner::makeMeasurer() {
  std::vector<std::string> texts, names;
  for (const Contender &contender : result.contenders) {
    names.push_back(contender.name);
    texts.push_back(contender.schedule);
  }
  if (options.times.empty()) {
    measurer = ::lci::measureInChild({unbound, bindings, options.run, options.inputs},
                                     std::move(texts), options.seconds);
    return success();
  }
  Result<std::vector<uint8_t>> read = ::lci::readFile(options.times);
  if (!read)
    return fail(read.failure());
  auto recorded = measureFromTrace(
      StringRef(reinterpret_cast<const char *>(read->data()), read->size()), names);
  if (!recorded)
    return fail({recorded.failure().id, "'" + options.times + "': " + recorded.error()});
  measurer = std::move(*recorded);
  return success();
}

/// As many epochs as take long enough for a clock, unless the options say how many.
LogicalResult Tuner::calibrate() {
  constexpr double kLongEnough = 0.05;
  constexpr int64_t kMostEpochs = 1 << 16;
  result.epochs = options.run.epochs.value_or(32);
  for (;; result.epochs *= 2) {
    Result<Sample> sample = measurer->run(0, result.epochs, /*wantsDigest=*/false);
    if (!sample)
      return fail({sample.failure().id, "the default schedule: " + sample.error()});
    if (options.run.epochs || sample->seconds >= kLongEnough || result.epochs >= kMostEpochs)
      return success();
    if (!options.progress("measuring", 0, 1, 1)) {
      result.isInterrupted = true;
      return success();
    }
  }
}

/// At sizes for which the interpreter takes seconds at most.
LogicalResult Tuner::compareWithInterpreter() {
  constexpr uint64_t kMostWork = 1 << 17;
  if (!options.times.empty() || cells > kMostWork || options.run.tf32) {
    result.interpreter = "not compared: " + std::to_string(cells) + " cells";
    return success();
  }
  int64_t epochs = std::min<int64_t>(result.epochs, std::max<uint64_t>(1, kMostWork / cells));
  Result<Sample> truth = measurer->run(::lci::kInterpreter, epochs, /*wantsDigest=*/true);
  Result<Sample> sample = measurer->run(0, epochs, /*wantsDigest=*/true);
  if (!truth || !sample) {
    result.interpreter = "not compared: " + (truth ? sample.error() : truth.error());
    return success();
  }
  if (truth->digest != sample->digest)
    return fail({ErrorId::CheckFailed,
                 "the default schedule has other cells than the interpreter after " +
                     std::to_string(epochs) + " epochs; --check of lmpm-run names the first"});
  result.interpreter = "the same cells after " + std::to_string(epochs) + " epochs";
  return success();
}

LogicalResult Tuner::measure() {
  if (result.isInterrupted) {
    result.unmeasured = "the search was interrupted";
    return success();
  }
  if (!canMeasure()) {
    result.unmeasured = options.measured == 0 ? "nothing was to be measured"
                                              : "kernels are emulated here, which tells no time";
    return success();
  }
  if (failed(makeMeasurer()))
    return failure();
  if (options.run.backend == BackendKind::CUDA && options.times.empty())
    if (Result<Sample> first = measurer->run(0, 1, /*wantsDigest=*/false); !first) {
      result.unmeasured = first.error();
      return success();
    }
  if (failed(calibrate()))
    return failure();
  result.isMeasured = true;
  if (result.isInterrupted)
    return success();
  if (failed(compareWithInterpreter()))
    return failure();
  ::lci::HalvingOptions how;
  how.epochs = result.epochs;
  how.progress = [&](size_t done, size_t all, double best) {
    return options.progress("measuring", done, all, best);
  };
  size_t able =
      llvm::count_if(ranking.candidates, [](const Ranked &one) { return one.problem.empty(); });
  ::lci::HalvingResult found = ::lci::findFastest(*measurer, std::min(options.measured, able), how);
  if (const ::lci::Track &first = found.tracks.front(); first.outcome == ::lci::Outcome::Failed)
    return fail({ErrorId::OutOfTime, "the default schedule: " + first.reason});
  for (auto [contender, track] : llvm::zip(result.contenders, found.tracks))
    contender.track = std::move(track);
  result.best = found.best;
  result.isInterrupted |= found.isInterrupted;
  return success();
}

/// Without times the model decides.
void Tuner::choose() {
  ArrayRef<Contender> contenders = result.contenders;
  bool isCheaper = contenders.size() > 1 && contenders[0].cost && contenders[1].cost &&
                   contenders[1].track.reason.empty() &&
                   contenders[1].cost->cycles < contenders[0].cost->cycles;
  if (!result.isMeasured)
    result.best = isCheaper;
}

FailureOr<TuneResult> Tuner::run() {
  using Step = LogicalResult (Tuner::*)();
  for (Step step : {&Tuner::bind, &Tuner::readSchedule, &Tuner::rankAll, &Tuner::measure})
    if (failed((this->*step)()))
      return failure();
  choose();
  return std::move(result);
}

FailureOr<TuneResult> mlir::lci::tune(ModuleOp module, const ::lci::Bindings &bindings,
                                      const TuneOptions &options) {
  return Tuner(module, bindings, options).run();
}

//===- Bundling.cpp - Write and run bundles -------------------------------===//
//
// Writes a bundle: binds and checks a program like a run, compiles it for the requested back ends,
// and stores its warnings, arguments and identity. Runs a bundle: converts the options of lmpm-run
// to those of the runtime, and rejects those that need the program.
//
//===----------------------------------------------------------------------===//

#include "LCI/Driver/Bundling.h"
#include "LCI/Driver/Arguments.h"
#include "LCI/Driver/Backends.h"
#include "LCI/Driver/Binding.h"
#include "LCI/Driver/Identity.h"
#include "LCI/Driver/Presence.h"
#include "LCI/Driver/Replay.h"
#include "LCI/Driver/Sets.h"
#include "LCI/Driver/Watcher.h"
#include "LCI/Execution/Compile.h"
#include "LCI/Execution/FixedArguments.h"
#include "LCI/Interpreter/Gathers.h"
#include "LCI/Version.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::lci;

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// The values that need a token in every cell, and why.
static std::map<std::string, std::string> findFull(ProgramOp program) {
  std::map<std::string, std::string> full;
  for (const ValueInfo &value : collectValues(program))
    if (value.kind == Kind::Token && value.hasInit)
      full[value.name] = "the value has an 'init'";
  for (RequiredInput need : getRequiredInputs(program))
    if (need.value.getKind() == Kind::Token)
      full.emplace(need.value.getSymName().str(), need.read);
  return full;
}

/// Stores the contents of the bindings, checked as for a run.
static LogicalResult fill(::lci::Bundle &bundle, StringRef text, ProgramOp program,
                          const ::lci::Bindings &bindings) {
  FailureOr<RunArguments> arguments = makeArguments(program, bindings);
  FailureOr<std::map<std::string, ::lci::Array>> inputs = loadInputs(program, bindings);
  if (failed(arguments) || failed(inputs) || failed(checkWeightsGiven(program, *arguments)) ||
      failed(checkGathers(program, arguments->params)) ||
      failed(checkContradictions(program, *arguments)) ||
      failed(checkPresence(getRequiredInputs(program), collectValues(program), *inputs)))
    return failure();
  warnOfEmptyInputs(collectValues(program),
                    [&](StringRef value) { return inputs->count(value.str()) > 0; });
  FailureOr<::lci::RunIdentity> identity = identityOf(text, program, bindings);
  FailureOr<std::unique_ptr<Watcher>> watcher = Watcher::create(program, *arguments);
  if (failed(identity) || failed(watcher))
    return failure();
  bundle.compiler = LCI_VERSION_STRING;
  bundle.program = identity->program;
  bundle.described = std::move(identity->described);
  bundle.defaults = std::move(identity->defaults);
  bundle.epochs = bindings.epochs.value_or(1);
  bundle.arguments = std::move(*arguments);
  bundle.inputs = std::move(*inputs);
  bundle.stopsAtFixpoint = (*watcher)->canReachFixpoint(Counting::Changed);
  for (Operation &op : program.getBody().front())
    if (isa<RuleOp, ConstraintOp>(op))
      bundle.switches.insert(SymbolTable::getSymbolName(&op).str());
  bundle.schedules = schedulesOf(program);
  bundle.full = findFull(program);
  for (const ValueInfo &value : collectValues(program))
    if (isEmptyWithoutInput(value))
      bundle.zeros.insert(value.name);
  bundle.fixedParameters = llvm::any_of(program.getOps<VisibleOp>(),
                                        [](VisibleOp line) { return line.getGather() != nullptr; });
  return success();
}

static FailureOr<::lci::BundledCode> compile(ModuleOp ticks, StringRef backend,
                                             const BundleOptions &options,
                                             const ScheduleText &schedule) {
  if (backend == "cpu")
    return bundleForCpu(ticks, options.level, schedule);
  if (backend != "cuda")
    return emitError(UnknownLoc::get(ticks.getContext()),
                     "expected the back ends cpu and cuda for a bundle, but got '")
           << ErrorId::CommandLine << backend << "'";
  FailureOr<::lci::BundledCode> code = bundleForGPU(ticks, options.chip, options.tf32, schedule);
  if (failed(code) && options.backends.empty())
    mlir::emitRemark(UnknownLoc::get(ticks.getContext()),
                     "--bundle-for=cpu makes a bundle without kernels");
  return code;
}

/// A warning as one line: its location without folders, its message, and the notes at the same
/// location; other notes only point elsewhere.
static std::string textOf(Diagnostic &warning) {
  std::string text;
  if (auto place = warning.getLocation()->findInstanceOf<FileLineColLoc>())
    text = llvm::sys::path::filename(place.getFilename()).str() + ":" +
           std::to_string(place.getLine()) + ":" + std::to_string(place.getColumn()) + ": ";
  text += warning.str();
  for (Diagnostic &note : warning.getNotes())
    if (note.getLocation() == warning.getLocation())
      text += "; " + note.str();
  std::optional<ErrorId> id = getErrorId(warning);
  return id ? lmpm::withErrorId(text, *id) : text;
}

/// Checks a program, and stores its warnings for runs of the bundle.
static LogicalResult check(ModuleOp module, std::vector<std::string> &warnings) {
  ScopedDiagnosticHandler keep(module.getContext(), [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Warning)
      warnings.push_back(textOf(diagnostic));
    return failure(); // other handlers print it
  });
  return checkProgram(module);
}

LogicalResult mlir::lci::writeBundle(ProgramOp program, const ::lci::Bindings &bindings,
                                     StringRef name, const BundleOptions &options,
                                     llvm::raw_ostream &output) {
  auto module = program->getParentOfType<ModuleOp>();
  ::lci::Bundle bundle;
  bundle.name = name.str();
  std::string text = programText(program);
  FailureOr<ScheduleText> schedule = readScheduleFor(text, options.schedule, module.getContext());
  if (options.tf32) // changes bits
    text += " --tf32";
  auto inputFollows = [](StringRef) { return true; }; // each run may set values that are empty here
  if (failed(schedule) || failed(bindWithBindings(program, bindings, inputFollows)) ||
      failed(check(module, bundle.warnings)) || failed(fill(bundle, text, program, bindings)) ||
      failed(lowerToTicks(module, bundle.arguments,
                          {Counting::Changed, false, false, /*rejections=*/true})))
    return failure();
  if (options.fixed) {
    specializeArguments(module, bundle.arguments, /*switches=*/false);
    bundle.fixedParameters = true;
  }
  std::vector<std::string> backends = options.backends;
  if (backends.empty())
    backends = {"cpu", "cuda"};
  for (const std::string &backend : backends) {
    FailureOr<::lci::BundledCode> code = compile(module, backend, options, *schedule);
    if (failed(code))
      return failure();
    bundle.codes.push_back(std::move(*code));
  }
  std::vector<uint8_t> bytes = ::lci::encodeBundle(bundle);
  output.write(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  return success();
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// The first given flag that a bundle does not support, since it is no program any more.
static const char *findForeign(const RunOptions &options) {
  if (!options.bindings.empty())
    return "--bindings";
  if (options.check)
    return "--check";
  if (!options.explain.empty())
    return "--explain-cell";
  if (!options.codebooks.empty())
    return "--codebook";
  if (!options.lowering.empty())
    return "--lowering";
  if (!options.schedule.empty())
    return "--schedule";
  if (options.tf32)
    return "--tf32";
  if (options.replica)
    return "--replica";
  if (!options.merges.empty())
    return "--merge";
  if (!options.stamps.empty())
    return "--stamps";
  if (options.counters)
    return "--counters";
  if (options.remarks)
    return "--remarks";
  return options.threads > 1 ? "--threads" : nullptr;
}

/// The back end whose code of a bundle runs.
static const char *backendOf(const RunOptions &options) {
  switch (options.backend) {
  case BackendKind::CPU:
    return "cpu";
  case BackendKind::CUDA:
    return "cuda";
  case BackendKind::Kernels:
    return "kernels";
  case BackendKind::Interpreter:
    break;
  }
  return "interp";
}

/// The parts of each `NAME=TEXT`.
static ::lci::Result<std::vector<::lci::NamedText>> splitAll(const std::vector<std::string> &texts,
                                                             const char *flag) {
  std::vector<::lci::NamedText> named;
  for (const std::string &text : texts) {
    ::lci::Result<::lci::NamedText> split = ::lci::splitName(text, flag);
    if (!split)
      return split.failure();
    named.push_back(std::move(*split));
  }
  return named;
}

static std::vector<::lci::NamedText> toTexts(const std::vector<NamedFile> &files) {
  std::vector<::lci::NamedText> texts;
  for (const NamedFile &file : files)
    texts.push_back({file.name, file.file});
  return texts;
}

::lci::Result<::lci::BundleRunOptions> mlir::lci::toBundleRun(const RunOptions &options,
                                                              const char *kind) {
  if (const char *flag = findForeign(options))
    return ::lci::Failure{ErrorId::CommandLine, std::string(flag) +
                                                    " takes the program itself, but '" +
                                                    options.program + "' is " + kind};
  auto sets = splitAll(options.sets, "--set");
  auto inputs = splitAll(options.inputs, "--input");
  if (!sets || !inputs)
    return sets ? inputs.failure() : sets.failure();
  ::lci::BundleRunOptions run;
  run.bundle = options.program;
  run.epochs = options.epochs;
  run.seed = options.seed;
  run.machine.backend = backendOf(options);
  run.machine.driver = options.cudaDriver;
  run.parameters = std::move(*sets);
  run.inputs = std::move(*inputs);
  run.outputs = toTexts(options.outputs);
  run.pictures = toTexts(options.pictures);
  run.enable = options.enable;
  run.disable = options.disable;
  run.observe = options.observe;
  run.observeEvery = options.observeEvery;
  run.checkpoint = options.checkpoint;
  run.checkpointEvery = options.checkpointEvery;
  run.resume = options.resume;
  run.report = options.report;
  run.quiet = options.quiet;
  return run;
}

ExitStatus mlir::lci::runBundle(const RunOptions &options, llvm::raw_ostream &out,
                                llvm::raw_ostream &err) {
  auto complain = [&](const std::string &text) { err << "lmpm-run: " << text; };
  ::lci::Result<::lci::BundleRunOptions> run = toBundleRun(options, "a bundle");
  if (!run) {
    complain("error: " + run.failure().text() + "\n");
    return ExitStatus::Failure;
  }
  auto say = [&](const std::string &text) { out << text; };
  return static_cast<ExitStatus>(::lci::runBundle(*run, say, complain));
}

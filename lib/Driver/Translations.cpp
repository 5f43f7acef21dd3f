//===- Translations.cpp - Translate programs to machine code --------------===//
//
// Translations of lmpm-translate from any level to LLVM IR, object code, PTX and bundles. A program
// is bound, checked and lowered like in a run; functions of ticks and lower levels enter the
// pipeline where they are.
//
//===----------------------------------------------------------------------===//

#include "LCI/Driver/Translations.h"
#include "LCI/Driver/Arguments.h"
#include "LCI/Driver/Backends.h"
#include "LCI/Driver/Binding.h"
#include "LCI/Driver/Bundling.h"
#include "LCI/Driver/Diagnostics.h"
#include "LCI/Driver/Identity.h"
#include "LCI/Driver/Loading.h"
#include "LCI/Driver/Replay.h"
#include "LCI/Driver/Views.h"
#include "LCI/Execution/FixedArguments.h"
#include "LCI/Target/Native/Native.h"
#include "LCI/Target/Plan/MakePlan.h"
#include "LCI/Tools/FlagParsers.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::lci;
namespace cl = llvm::cl;

/// The dialects of all levels, and the interfaces of their lowering.
static void registerLadder(DialectRegistry &registry) {
  mlir::registerAllDialects(registry);
  registerAllExtensions(registry);
  registerAllToLLVMIRTranslations(registry);
  registry.insert<LCIDialect>();
}

namespace {
/// Flags of the translations.
struct Flags {
  cl::opt<std::string> bindings{"bindings", cl::value_desc("F.json"),
                                cl::desc("What the program leaves open, for --lci-to-…")};
  cl::list<std::string> sets{"set", cl::value_desc("NAME=VALUE"),
                             cl::desc("A size, a vocabulary or a parameter; wins over bindings")};
  cl::opt<int64_t> threads{
      "threads", cl::init(1),
      cl::desc("Threads that share a tick, for --lci-to-llvmir and --lci-to-object")};
  cl::opt<bool> debugInfo{"debug-info",
                          cl::desc("Tell debuggers and profilers the lines of the program, for "
                                   "--lci-to-llvmir and --lci-to-object")};
  cl::opt<std::string> cpu{"cpu", cl::value_desc("NAME"),
                           cl::desc("Processor for --lci-to-llvmir and --lci-to-object, such as "
                                    "icelake-server or neoverse-n1; this machine's if not said")};
  cl::opt<std::string> triple{"triple", cl::value_desc("ARCH-OS-ABI"),
                              cl::desc("System of --cpu, such as aarch64-linux-gnu")};
  cl::opt<std::string> chip{"chip", cl::init("sm_80"), cl::value_desc("sm_NN"),
                            cl::desc("Architecture of GPUs, sm_75 or later")};

  cl::list<std::string> bundleFor{"bundle-for", cl::value_desc("cpu,cuda"), cl::CommaSeparated,
                                  cl::desc("Back ends that --lci-to-bundle compiles for; both if "
                                           "not said")};

  cl::opt<bool> fixed{"fixed", cl::desc("Compile parameters and palettes in, as lmpm-run does, and "
                                        "of all but bundles switches; bundles refuse others then")};

  cl::opt<std::string> schedule{"schedule", cl::value_desc("F.mlir"),
                                cl::desc("Lower by a schedule, as lmpm-tune finds, for "
                                         "--lci-to-llvmir, -object, -plan, -ptx, -cubin, -bundle")};

  cl::opt<bool> tf32{"tf32",
                     cl::desc("Multiply the matrices of models by tensor cores: eleven bits "
                              "of each number, other bits in the results")};

  /// A module may have said its GPU.
  void describe(GPUTargetOptions &target) const {
    if (chip.getNumOccurrences() > 0)
      target.chip = chip.getValue();
    target.tf32 = tf32.getValue();
  }
  BundleOptions bundle() const {
    BundleOptions options;
    options.backends.assign(bundleFor.begin(), bundleFor.end());
    options.chip = chip;
    options.fixed = fixed;
    options.tf32 = tf32;
    options.schedule = schedule;
    if (!cpu.empty())
      options.level = cpu;
    return options;
  }
  NativeOptions native() const { return {{triple, cpu}, threads, debugInfo, scheduleText}; }

  ScheduleText scheduleText; ///< of the file, once it is read
};
} // namespace

/// Rejects flags for a back end that the bundle does not contain.
static LogicalResult checkBundle(const Flags &flags) {
  auto refuse = [](const llvm::Twine &message, StringRef hint) {
    return failure(rejectFlag(message, hint));
  };
  auto isFor = [&](StringRef backend) {
    return flags.bundleFor.empty() || llvm::is_contained(flags.bundleFor, backend);
  };
  if (!flags.cpu.empty() && !isFor("cpu"))
    return refuse("--cpu has no effect on a bundle for cuda alone", "--bundle-for=cpu takes it");
  if (!flags.schedule.empty() && isFor("cpu") && isFor("cuda"))
    return refuse("--schedule is for one back end, but the bundle has two", "add --bundle-for=cpu");
  for (const cl::Option *option :
       {static_cast<const cl::Option *>(&flags.chip), static_cast<const cl::Option *>(&flags.tf32)})
    if (option->getNumOccurrences() > 0 && !isFor("cuda"))
      return refuse("--" + option->ArgStr + " has no effect on a bundle for cpu alone",
                    "--bundle-for=cuda takes it");
  return success();
}

/// A program and its bindings.
static FailureOr<std::pair<ProgramOp, ::lci::Bindings>>
readProgram(ModuleOp module, const std::string &path, const Flags &flags) {
  FailureOr<ProgramOp> program = findProgram(module, path);
  FailureOr<::lci::Bindings> bindings =
      readBindings(flags.bindings, llvm::to_vector(flags.sets), module.getContext());
  if (failed(program) || failed(bindings) || failed(checkFlagNames(*program, *bindings)))
    return failure();
  return std::make_pair(*program, std::move(*bindings));
}

/// The schedule of ticks, which no search has found.
static LogicalResult readSchedule(ModuleOp module, Flags &flags) {
  RunOptions options;
  options.schedule = flags.schedule;
  if (failed(readSelectedSchedule(options, TuningKey(), module.getContext())))
    return failure();
  flags.scheduleText = {options.scheduleText, options.schedule};
  return success();
}

/// Lowers level 1 or 2 to ticks; ticks are unchanged.
static LogicalResult enterTicks(ModuleOp module, const std::string &path, Flags &flags) {
  if (module.getOps<ProgramOp>().empty()) {
    if (failed(readSchedule(module, flags)))
      return failure();
    if (flags.fixed)
      return module.emitError(
                 "expected a program, whose arguments --fixed compiles in, but got ticks")
             << ErrorId::CommandLine;
    return success();
  }
  auto read = readProgram(module, path, flags);
  if (failed(read))
    return failure();
  std::string text = programText(read->first);
  FailureOr<RunArguments> arguments = lowerWithBindings(read->first, read->second);
  FailureOr<ScheduleText> schedule = readScheduleFor(text, flags.schedule, module.getContext());
  if (failed(arguments) || failed(schedule))
    return failure();
  flags.scheduleText = *schedule;
  if (flags.fixed)
    specializeArguments(module, *arguments);
  return success();
}

/// Translates a module, which has the name of a file.
using Translate =
    std::function<LogicalResult(ModuleOp, const std::string &path, llvm::raw_ostream &)>;

static TranslateFunction translateModule(const Translate &to) {
  return [to](const std::shared_ptr<llvm::SourceMgr> &sources, llvm::raw_ostream &output,
              MLIRContext *context) -> LogicalResult {
    DialectRegistry registry;
    registerLadder(registry);
    context->appendDialectRegistry(registry);
    ScopedDiagnosticHandler placeless(
        context, [](Diagnostic &diagnostic) { return printIfPlaceless(toolName(), diagnostic); });
    showErrorIds(context);
    std::string path =
        sources->getMemoryBuffer(sources->getMainFileID())->getBufferIdentifier().str();
    OwningOpRef<ModuleOp> module = parseModule(path, *sources, context);
    return failure(!module || failed(to(*module, path, output)));
  };
}

/// A translation of a program or of ticks.
static TranslateFunction translate(Flags &flags,
                                   std::function<LogicalResult(ModuleOp, llvm::raw_ostream &)> to) {
  return translateModule(
      [&flags, to](ModuleOp module, const std::string &path, llvm::raw_ostream &output) {
        return failure(failed(enterTicks(module, path, flags)) || failed(to(module, output)));
      });
}

/// Binds a program and draws the view of --view. Phases are those after the checks.
static LogicalResult exportView(ModuleOp module, const std::string &path, const Flags &flags,
                                llvm::raw_ostream &output) {
  auto read = readProgram(module, path, flags);
  if (failed(read))
    return failure();
  auto &[program, bindings] = *read;
  if (failed(bindWithBindings(program, bindings)) || failed(checkProgram(module)))
    return failure();
  FailureOr<RunArguments> arguments = makeArguments(program, bindings);
  if (failed(arguments))
    return failure();
  NamedSets named = getNamedSets(*arguments);
  return drawSelectedView(program, path, &named, output);
}

void mlir::lci::registerNativeTranslations() {
  // libLLVM.so registers a flag `threads`, which is for link-time optimisation.
  if (cl::Option *other = cl::getRegisteredOptions().lookup("threads"))
    other->removeArgument();
  static Flags flags;
  static TranslateRegistration llvmIR(
      "lci-to-llvmir", "Lower a program to LLVM IR for this machine or --cpu",
      translate(flags, [](ModuleOp module, llvm::raw_ostream &output) {
        return exportLLVMIR(module, flags.native(), output);
      }));
  static TranslateRegistration object(
      "lci-to-object", "Lower a program to an object file for this machine or --cpu",
      translate(flags, [](ModuleOp module, llvm::raw_ostream &output) {
        return exportObject(module, flags.native(), output);
      }));
  static TranslateRegistration bundle(
      "lci-to-bundle", "Lower a program to a file that runs without a compiler (lmpm-run-bundle)",
      translateModule([](ModuleOp module, const std::string &path, llvm::raw_ostream &output) {
        if (failed(checkBundle(flags)))
          return failure();
        auto read = readProgram(module, path, flags);
        return failure(failed(read) ||
                       failed(writeBundle(read->first, read->second, llvm::sys::path::stem(path),
                                          flags.bundle(), output)));
      }));
  registerViewOptions();
  static TranslateRegistration svg(
      "lci-to-svg", "Draw a program as SVG: what --view says, visibility if nothing",
      translateModule([](ModuleOp module, const std::string &path, llvm::raw_ostream &output) {
        return exportView(module, path, flags, output);
      }));
  static TranslateRegistration plan(
      "lci-to-plan", "Lower a program to the launch plans of its kernels",
      translate(flags, [](ModuleOp module, llvm::raw_ostream &output) {
        KernelPipelineOptions options;
        flags.describe(options.target);
        return exportPlans(module, options, output, flags.scheduleText);
      }));
  static TranslateRegistration ptx("lci-to-ptx", "Lower a program to PTX",
                                   translate(flags, [](ModuleOp module, llvm::raw_ostream &output) {
                                     KernelPipelineOptions options;
                                     flags.describe(options.target);
                                     return exportPTX(module, options, output, flags.scheduleText);
                                   }));
  static TranslateRegistration cubin(
      "lci-to-cubin", "Lower a program to machine code of --chip, by NVIDIA's ptxas",
      translate(flags, [](ModuleOp module, llvm::raw_ostream &output) {
        KernelPipelineOptions options;
        flags.describe(options.target);
        return exportCubin(module, options, output, flags.scheduleText);
      }));
}

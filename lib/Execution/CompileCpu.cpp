//===- CompileCpu.cpp - Compile programs for the CPU ----------------------===//
//
// Lowers ticks on tensors through the linalg and LLVM pipelines to machine code: in memory for this
// machine, with a stop flag and OpenMP's runtime if there are threads, or as a shared object of a
// bundle for a processor level. Also validates the text of `--lowering` against the pipeline's
// options.
//
//===----------------------------------------------------------------------===//

#include "AsItIs.h"
#include "Description.h"
#include "Engine.h"
#include "LCI/Codegen/ExternalTools.h"
#include "LCI/Codegen/Machine.h"
#include "LCI/Codegen/Optimize.h"
#include "LCI/Codegen/SharedObject.h"
#include "LCI/Execution/Compile.h"
#include "LCI/Pipelines/CompilerPasses.h"
#include "LCI/Pipelines/LowerBySchedule.h"
#include "LCI/Pipelines/OptionBounds.h"
#include "LCI/Runtime/HostCode.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace mlir::lci;

::lci::Status mlir::lci::checkLowering(StringRef text) {
  auto refuse = [](const Twine &what) {
    return ::lci::Failure{ErrorId::PassOption, "--lowering: " + what.str()};
  };
  NamedOptions<CPUPipelineOptions> known;
  llvm::StringSet<> seen;
  SmallVector<StringRef> words;
  llvm::SplitString(text, words);
  for (StringRef word : words) {
    StringRef name = word.split('=').first;
    if (!known.find(name))
      return refuse("expected options of lci-to-llvm-pipeline, which lmpm-opt --help lists, but "
                    "got '" +
                    word + "'");
    if (!seen.insert(name).second)
      return refuse("'" + name + "' is given twice");
    std::string problem = findOptionProblem(
        word, [&](StringRef named) { return known.find(named); }, /*isForGPU=*/false);
    if (!problem.empty())
      return refuse(problem);
  }
  return ::lci::Done();
}

/// Sets the options of the lowering from ticks on tensors to loops on buffers.
static LogicalResult readOptions(ModuleOp module, const CpuOptions &options,
                                 CPUPipelineOptions &pipeline) {
  pipeline.buffers.layout.persistLayouts = true;
  if (::lci::Status known = checkLowering(options.lowering); !known)
    return module.emitError() << known.failure().id << known.error();
  [[maybe_unused]] LogicalResult read = pipeline.parseFromString(options.lowering);
  assert(succeeded(read) && "all words are known");
  return success();
}

std::string mlir::lci::defaultOpenMP() { return LCI_OPENMP_RUNTIME; }

/// Loads OpenMP's runtime, which compiled code calls to start threads, for the whole process.
static LogicalResult loadOpenMP(ModuleOp module, const std::string &library, int64_t threads) {
  std::string reason;
  if (threads < 2 || !llvm::sys::DynamicLibrary::LoadLibraryPermanently(library.c_str(), &reason))
    return success();
  InFlightDiagnostic error = module.emitError("expected LLVM's OpenMP runtime library for ")
                             << ErrorId::NoTool << threads << " threads, but got: " << reason;
  error.attachNote() << "on Debian it is in the package libomp5-14; one thread needs none";
  return failure();
}

/// Looks up the code of each function.
static LogicalResult link(ModuleOp lowered, ExecutionEngine &engine, CompiledFunctions &functions) {
  LogicalResult linked = success();
  forEachFunction(functions, [&](CompiledFunction &function) {
    auto entry = engine.lookupPacked(function.symbol);
    if (!entry)
      linked = notCompiled(lowered, entry.takeError());
    else
      function.code = std::make_unique<::lci::HostCode>(*entry);
  });
  return linked;
}

namespace {
/// Functions in the llvm dialect, and their descriptions.
struct LoweredProgram {
  OwningOpRef<ModuleOp> module;
  CompiledFunctions functions;
  int64_t threads = 1;
  bool hasDebugInfo = false;
};
} // namespace

/// Lowers a copy: to linalg on buffers by `toLinalg`, and further.
static FailureOr<LoweredProgram> lower(ModuleOp module, const CpuOptions &options,
                                       const ::lci::VectorUnit &vectors,
                                       llvm::function_ref<void(OpPassManager &)> toLinalg,
                                       const LLVMOptions &lowering) {
  LoweredProgram lowered{module.clone(), {}};
  if (failed(setCPUTarget(*lowered.module, vectors.bits, vectors.registers, options.threads)))
    return failure();
  CompilerPasses toBuffers(module.getContext()), toLLVM(module.getContext());
  toBuffers.enableVerifier(options.verify);
  toLLVM.enableVerifier(options.verify);
  toLinalg(toBuffers);
  buildLLVMPipeline(toLLVM, lowering);
  if (failed(toBuffers.run(*lowered.module)))
    return failure();
  lowered.hasDebugInfo = lowering.debugInfo;
  lowered.threads = getCPUTarget(*lowered.module).threads;
  FailureOr<CompiledFunctions> functions = describeFunctions(*lowered.module);
  if (failed(functions) || failed(toLLVM.run(*lowered.module)))
    return failure();
  lowered.functions = std::move(*functions);
  return std::move(lowered);
}

/// Lowers a copy by a schedule. Its functions are described by what they say in the llvm dialect.
static FailureOr<LoweredProgram> lowerScheduled(ModuleOp module, const CpuOptions &options,
                                                const ::lci::VectorUnit &vectors) {
  LoweredProgram lowered{module.clone(), {}};
  if (failed(setCPUTarget(*lowered.module, vectors.bits, vectors.registers, options.threads)))
    return failure();
  lowered.threads = getCPUTarget(*lowered.module).threads;
  if (failed(lowerBySchedule(*lowered.module, options.schedule, Layouts::Persistent)))
    return failure();
  FailureOr<CompiledFunctions> functions = describeFunctions(*lowered.module);
  if (failed(functions))
    return failure();
  lowered.functions = std::move(*functions);
  return std::move(lowered);
}

static FailureOr<LoweredProgram> lowerForCpu(ModuleOp module, const CpuOptions &options,
                                             const ::lci::VectorUnit &vectors) {
  if (!options.schedule.empty())
    return lowerScheduled(module, options, vectors);
  CPUPipelineOptions pipeline;
  if (failed(readOptions(module, options, pipeline)))
    return failure();
  auto toLinalg = [&](OpPassManager &manager) { buildLinalgPipeline(manager, pipeline); };
  return lower(module, options, vectors, toLinalg, pipeline.lowering);
}

/// Makes machine code of functions in the llvm dialect; they read `stop`, if there is one.
static FailureOr<std::unique_ptr<CompiledProgram>>
assemble(LoweredProgram lowered, unsigned optLevel, std::unique_ptr<llvm::TargetMachine> machine,
         std::unique_ptr<::lci::StopFlag> stop) {
  FailureOr<std::shared_ptr<ExecutionEngine>> engine =
      makeEngine(*lowered.module, optLevel, std::move(machine), stop.get(), lowered.hasDebugInfo);
  if (failed(engine) || failed(link(*lowered.module, **engine, lowered.functions)))
    return failure();
  return std::make_unique<CompiledProgram>("cpu", std::move(lowered.functions), *engine,
                                           /*kernelDevice=*/nullptr, /*cells=*/nullptr,
                                           std::move(stop));
}

FailureOr<std::unique_ptr<CompiledProgram>> mlir::lci::compilePlainly(ModuleOp module) {
  CpuOptions options;
  options.optLevel = 0;
  auto machine = ::lci::makeHostMachine(llvm::CodeGenOptLevel::None);
  if (!machine)
    return notCompiled(module, machine.takeError());
  FailureOr<LoweredProgram> lowered = lower(module, options, ::lci::vectorUnitOf(**machine),
                                            buildPlainPipeline, CPUPipelineOptions().lowering);
  if (failed(lowered))
    return failure();
  return assemble(std::move(*lowered), options.optLevel, std::move(*machine), /*stop=*/nullptr);
}

FailureOr<std::unique_ptr<CompiledProgram>> mlir::lci::compileForCpu(ModuleOp module,
                                                                     const CpuOptions &options) {
  prepareContext(*module.getContext());
  auto machine = ::lci::makeHostMachine(static_cast<llvm::CodeGenOptLevel>(options.optLevel));
  if (!machine)
    return notCompiled(module, machine.takeError());
  FailureOr<LoweredProgram> lowered = lowerForCpu(module, options, ::lci::vectorUnitOf(**machine));
  if (failed(lowered) || failed(loadOpenMP(module, options.openMP, lowered->threads)))
    return failure();
  return assemble(std::move(*lowered), options.optLevel, std::move(*machine),
                  std::make_unique<::lci::StopFlag>());
}

FailureOr<::lci::BundledCode> mlir::lci::bundleForCpu(ModuleOp module, StringRef level,
                                                      const ScheduleText &schedule) {
  prepareContext(*module.getContext());
  if (!llvm::is_contained(::lci::kProcessorLevels, level))
    return emitError(
               UnknownLoc::get(module.getContext()),
               "expected a processor level, from x86-64 to x86-64-v4, for a bundle, but got '")
           << ErrorId::WrongMachine << level << "'";
  auto machine = llvm::cantFail(
      ::lci::makeMachine({"x86_64-linux-gnu", level.str()}, llvm::CodeGenOptLevel::Aggressive));
  CpuOptions options;
  options.schedule = schedule;
  FailureOr<LoweredProgram> lowered = lowerForCpu(module, options, ::lci::vectorUnitOf(*machine));
  if (failed(lowered))
    return failure();
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> code = translateModuleToLLVMIR(*lowered->module, context);
  if (!code)
    return module.emitError("cannot be translated to LLVM IR") << ErrorId::CannotCompile;
  code->setTargetTriple(machine->getTargetTriple());
  code->setDataLayout(machine->createDataLayout());
  ::lci::BundledCode bundled{"cpu", level.str(), "", "", {}};
  forEachFunction(lowered->functions, [&](CompiledFunction &function) {
    ::lci::addEntry(*code->getFunction(function.symbol), ::lci::entryName(function.symbol));
    bundled.functions.push_back({function.form(), ""});
  });
  llvm::cantFail(::lci::makeOptimizer(/*level=*/3, *machine)(code.get()));
  auto object = ::lci::linkShared(::lci::objectOf(*code, *machine));
  if (!object)
    return notCompiled(module, object.takeError());
  bundled.code = std::move(*object);
  return bundled;
}

//===- CompileCpu.cpp - Programs compiled for this machine ----------------===//

#include "Description.h"
#include "Engine.h"
#include "LCI/Codegen/Machine.h"
#include "LCI/Execution/Compile.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/DynamicLibrary.h"

using namespace mlir;
using namespace mlir::lci;

namespace {
/// Machine code of this process.
class HostCode final : public Code {
public:
  explicit HostCode(void (*entry)(void **)) : entry(entry) {}

  ::lci::Status run(std::vector<Slot> &slots) override {
    SmallVector<void *> arguments;
    for (Slot &slot : slots)
      arguments.push_back(slot.argument());
    entry(arguments.data());
    return ::lci::Done{};
  }

private:
  void (*entry)(void **);
};
} // namespace

/// How ticks on tensors become loops on buffers.
static LogicalResult readOptions(ModuleOp module, const CpuOptions &options,
                                 const ::lci::VectorUnit &vectors, LinalgPipelineOptions &linalg) {
  linalg.keepStorage = true;
  linalg.vectorBits = vectors.bits;
  linalg.threads = options.threads;
  std::string reason;
  llvm::raw_string_ostream said(reason);
  if (succeeded(linalg.parseFromString(options.lowering, said)))
    return success();
  return module.emitError("expected options of lci-to-linalg-pipeline, but got '")
         << options.lowering << "': " << StringRef(reason).trim();
}

std::string mlir::lci::defaultOpenMP() { return LCI_OPENMP_RUNTIME; }

/// Loads the functions by which compiled code asks for threads, for the whole process.
static LogicalResult loadOpenMP(ModuleOp module, const std::string &library, int64_t threads) {
  std::string reason;
  if (threads < 2 || !llvm::sys::DynamicLibrary::LoadLibraryPermanently(library.c_str(), &reason))
    return success();
  InFlightDiagnostic error = module.emitError("expected LLVM's OpenMP runtime library for ")
                             << threads << " threads, but got: " << reason;
  error.attachNote() << "on Debian it is in the package libomp5-14; one thread needs none";
  return failure();
}

/// Finds the code of each function.
static LogicalResult link(ModuleOp lowered, ExecutionEngine &engine, CompiledFunctions &functions) {
  LogicalResult linked = success();
  forEachFunction(functions, [&](CompiledFunction &function) {
    auto entry = engine.lookupPacked(function.symbol);
    if (!entry)
      linked = notCompiled(lowered, entry.takeError());
    else
      function.code = std::make_unique<HostCode>(*entry);
  });
  return linked;
}

FailureOr<std::unique_ptr<CompiledProgram>> mlir::lci::compileForCpu(ModuleOp module,
                                                                     const CpuOptions &options) {
  prepareContext(*module.getContext());
  auto machine = ::lci::makeHostMachine(static_cast<llvm::CodeGenOptLevel>(options.optLevel));
  if (!machine)
    return notCompiled(module, machine.takeError());
  ::lci::VectorUnit vectors = ::lci::vectorUnitOf(**machine);
  LinalgPipelineOptions linalg;
  if (failed(readOptions(module, options, vectors, linalg)))
    return failure();
  OwningOpRef<ModuleOp> lowered = module.clone();
  PassManager toBuffers(module.getContext()), toLLVM(module.getContext());
  toBuffers.enableVerifier(options.verify);
  toLLVM.enableVerifier(options.verify);
  LLVMPipelineOptions llvmOptions;
  llvmOptions.threads = linalg.threads;
  llvmOptions.vectorBits = linalg.vectorBits;
  llvmOptions.vectorRegisters = vectors.registers;
  buildLinalgPipeline(toBuffers, linalg);
  buildLLVMPipeline(toLLVM, llvmOptions);
  if (failed(toBuffers.run(*lowered)))
    return failure();
  FailureOr<CompiledFunctions> functions = describeFunctions(*lowered);
  if (failed(functions) || failed(toLLVM.run(*lowered)) ||
      failed(loadOpenMP(*lowered, options.openMP, linalg.threads)))
    return failure();
  FailureOr<std::shared_ptr<ExecutionEngine>> engine =
      makeEngine(*lowered, options.optLevel, std::move(*machine));
  if (failed(engine) || failed(link(*lowered, **engine, *functions)))
    return failure();
  return std::make_unique<CompiledProgram>("cpu", std::move(*functions), *engine);
}

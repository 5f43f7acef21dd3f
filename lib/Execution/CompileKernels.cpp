//===- CompileKernels.cpp - Compile launch plans and kernels --------------===//
//
// Lowers ticks to launch plans and kernels: as PTX or a cubin for a GPU, or as loops over threads
// that the host runs in place of one (HostDevice), so that kernels can be tested without a GPU.
// Plans become DeviceCode of a CompiledProgram, or parts of a bundle.
//
//===----------------------------------------------------------------------===//

#include "AsItIs.h"
#include "CellKernels.h"
#include "Description.h"
#include "Engine.h"
#include "HostDevice.h"
#include "LCI/Codegen/ExternalTools.h"
#include "LCI/Codegen/Machine.h"
#include "LCI/Execution/Compile.h"
#include "LCI/Pipelines/CompilerPasses.h"
#include "LCI/Pipelines/LowerBySchedule.h"
#include "LCI/Runtime/CudaDevice.h"
#include "LCI/Runtime/DeviceCode.h"
#include "LCI/Target/Native/Native.h"
#include "LCI/Target/Plan/MakePlan.h"
#include "LCI/Transforms/GPU/Emulation/Passes.h"
#include "LCI/Transforms/GPU/Passes.h"
#include "LCI/Transforms/Tick/Passes.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"

using namespace mlir;
using namespace mlir::lci;

/// Takes the plans of the functions, which are then erased: the kernels are left.
static FailureOr<std::vector<::lci::Plan>> takePlans(ModuleOp lowered,
                                                     CompiledFunctions &functions) {
  std::vector<::lci::Plan> plans;
  LogicalResult made = success();
  forEachFunction(functions, [&](CompiledFunction &function) {
    FailureOr<::lci::Plan> plan = makePlan(lowered.lookupSymbol<func::FuncOp>(function.symbol));
    if (failed(plan))
      made = failure();
    else
      plans.push_back(std::move(*plan));
  });
  if (failed(made))
    return failure();
  for (auto function : llvm::make_early_inc_range(lowered.getOps<func::FuncOp>()))
    function.erase();
  return plans;
}

/// Compiles kernels for the host, each a function with a loop over its threads.
static FailureOr<std::shared_ptr<ExecutionEngine>> compileLoops(ModuleOp lowered,
                                                                unsigned optLevel) {
  auto machine = ::lci::makeHostMachine(static_cast<llvm::CodeGenOptLevel>(optLevel));
  if (!machine)
    return notCompiled(lowered, machine.takeError());
  ::lci::VectorUnit vectors = ::lci::vectorUnitOf(**machine);
  CompilerPasses passes(lowered.getContext());
  passes.addNestedPass<gpu::GPUModuleOp>(createReduceByWarpsPass()); // as for a GPU from sm_80 on
  passes.addPass(createKernelsToLoopsPass());
  if (failed(passes.run(lowered)))
    return failure();
  for (auto kernel : lowered.getOps<func::FuncOp>())
    kernel.setPublic();
  CompilerPasses toLLVM(lowered.getContext());
  buildLLVMPipeline(toLLVM, CPUPipelineOptions().lowering);
  if (failed(setCPUTarget(lowered, vectors.bits, vectors.registers, /*threads=*/1)) ||
      failed(toLLVM.run(lowered)))
    return failure();
  return makeEngine(lowered, optLevel, std::move(*machine));
}

namespace {
/// Kernels, and the descriptions and plans of functions.
struct LoweredKernels {
  OwningOpRef<ModuleOp> module;
  CompiledFunctions functions;
  std::vector<::lci::Plan> plans; ///< one for each function
};
} // namespace

/// Describes the functions of a module, and makes launch plans of them.
static FailureOr<LoweredKernels> describeKernels(OwningOpRef<ModuleOp> module) {
  LoweredKernels lowered{std::move(module), {}, {}};
  FailureOr<CompiledFunctions> functions = describeFunctions(*lowered.module);
  if (failed(functions))
    return failure();
  lowered.functions = std::move(*functions);
  FailureOr<std::vector<::lci::Plan>> plans = takePlans(*lowered.module, lowered.functions);
  if (failed(plans))
    return failure();
  lowered.plans = std::move(*plans);
  return std::move(lowered);
}

/// Options of the pipeline to kernels.
static void readOptions(const KernelOptions &how, KernelPipelineOptions &options) {
  options.ticks.rows.jamGroups = how.jamGroups.value_or(options.ticks.rows.jamGroups);
  options.ticks.fusion.minJoined = how.minJoined.value_or(options.ticks.fusion.minJoined);
  options.ticks.expand.eagerBlocks = how.eagerBlocks.value_or(options.ticks.expand.eagerBlocks);
  options.buffers.layout.persistLayouts = true;
  options.target.tf32 = how.tf32;
  if (!how.epochs)
    return;
  options.ticks.epochs.epochs = how.epochs->epochs;
  options.ticks.epochs.columns = how.epochs->columns;
  options.ticks.epochs.threads = how.epochs->threads;
  options.ticks.epochs.tiles = 1;
  options.ticks.epochs.inner = 0;
}

/// Lowers a copy.
static FailureOr<LoweredKernels> lowerToKernels(ModuleOp ticks, const KernelOptions &how = {}) {
  OwningOpRef<ModuleOp> module = ticks.clone();
  if (!how.schedule.empty()) {
    GPUTarget target = getGPUTarget(*module);
    target.tf32 = how.tf32;
    if (failed(setTarget(*module, target)) ||
        failed(lowerToKernelsBySchedule(*module, how.schedule, Layouts::Persistent)))
      return failure();
    return describeKernels(std::move(module));
  }
  CompilerPasses toKernels(ticks.getContext());
  toKernels.enableVerifier(how.verify);
  KernelPipelineOptions options;
  readOptions(how, options);
  buildKernelPipeline(toKernels, options);
  if (failed(toKernels.run(*module)))
    return failure();
  return describeKernels(std::move(module));
}

/// Loads the plans of a lowered program on a device; `load` loads its kernels.
static FailureOr<std::unique_ptr<CompiledProgram>>
compileTo(ModuleOp module, FailureOr<LoweredKernels> lowered, StringRef name,
          std::shared_ptr<::lci::Device> device, const KernelLoader &load) {
  if (failed(lowered) || failed(load(*lowered->module)))
    return failure();
  LogicalResult loaded = success();
  size_t next = 0;
  forEachFunction(lowered->functions, [&](CompiledFunction &function) {
    auto code = ::lci::DeviceCode::load(std::move(lowered->plans[next++]), *device);
    if (code)
      function.code = std::move(*code);
    else
      loaded = module.emitError(code.error()) << code.failure().id;
  });
  if (failed(loaded))
    return failure();
  auto cells = std::make_unique<::lci::DeviceCells>(
      device, makeCellKernels(module.getContext(), *device, load));
  return std::make_unique<CompiledProgram>(name.str(), std::move(lowered->functions), device,
                                           device.get(), std::move(cells));
}

KernelLoader mlir::lci::makeHostLoader(HostDevice &device, unsigned optLevel) {
  return [&device, optLevel](ModuleOp kernels) -> LogicalResult {
    FailureOr<std::shared_ptr<ExecutionEngine>> engine = compileLoops(kernels, optLevel);
    if (failed(engine))
      return failure();
    device.load(std::move(*engine));
    return success();
  };
}

FailureOr<std::unique_ptr<CompiledProgram>>
mlir::lci::compileKernels(ModuleOp module, const KernelOptions &options) {
  prepareContext(*module.getContext());
  auto device = std::make_shared<HostDevice>();
  return compileTo(module, lowerToKernels(module, options), "kernels", device,
                   makeHostLoader(*device, options.optLevel));
}

FailureOr<std::unique_ptr<CompiledProgram>> mlir::lci::compileKernelsPlainly(ModuleOp module) {
  OwningOpRef<ModuleOp> kernels = module.clone();
  CompilerPasses plain(module.getContext());
  plain.addPass(createLowerAffinePass());
  buildPlainKernelPipeline(plain);
  if (failed(plain.run(*kernels)))
    return failure();
  auto device = std::make_shared<HostDevice>();
  return compileTo(module, describeKernels(std::move(kernels)), "kernels", device,
                   makeHostLoader(*device, /*optLevel=*/0));
}

/// The chip to compile for. For a GPU that is newer than this compiler, an older chip is taken: the
/// driver translates PTX.
static std::string chipFor(const ::lci::CudaDevice &device) {
  constexpr StringLiteral kPortable = "sm_90";
  return ptxVersionFor(device.chip()).empty() ? kPortable.str() : device.chip();
}

/// The PTX of kernels.
static FailureOr<std::string> makePTX(ModuleOp kernels, const std::string &chip) {
  AttachGPUTargetPassOptions target;
  target.chip = chip;
  CompilerPasses passes(kernels.getContext());
  passes.addPass(createAttachGPUTargetPass(target));
  buildKernelsToPTXPipeline(passes);
  if (failed(passes.run(kernels)))
    return failure();
  return findPTX(kernels);
}

FailureOr<std::unique_ptr<CompiledProgram>> mlir::lci::compileForCuda(ModuleOp module,
                                                                      const CudaOptions &options) {
  auto opened = ::lci::openCudaDevice(options.ordinal, options.driver);
  if (!opened)
    return module.emitError(opened.error()) << opened.failure().id;
  std::shared_ptr<::lci::CudaDevice> device = std::move(*opened);
  prepareContext(*module.getContext());
  prepareContextForPTX(*module.getContext());
  auto load = [gpu = device.get()](ModuleOp kernels) -> LogicalResult {
    FailureOr<std::string> code = makePTX(kernels, chipFor(*gpu));
    if (failed(code))
      return failure();
    if (::lci::Status loaded = gpu->load(*code); !loaded)
      return kernels.emitError(loaded.error()) << loaded.failure().id;
    return success();
  };
  if (failed(checkChip(module, chipFor(*device), options.kernels.tf32)))
    return failure();
  return compileTo(module, lowerToKernels(module, options.kernels), "cuda", device, load);
}

FailureOr<::lci::BundledCode> mlir::lci::bundleForGPU(ModuleOp module, StringRef chip, bool tf32,
                                                      const ScheduleText &schedule) {
  prepareContextForPTX(*module.getContext());
  if (failed(checkChip(module, chip, tf32)))
    return failure();
  KernelOptions how;
  how.tf32 = tf32;
  how.schedule = schedule;
  FailureOr<LoweredKernels> lowered = lowerToKernels(module, how);
  if (failed(lowered))
    return failure();
  FailureOr<std::string> code = makePTX(*lowered->module, chip.str());
  if (failed(code))
    return failure();
  ::lci::BundledCode bundled{"cuda", chip.str(), std::move(*code), "", {}};
  if (::lci::hasAssembler()) {
    if (auto binary = ::lci::assemblePTX(bundled.code, chip))
      bundled.binary = std::move(*binary);
    else
      emitWarning(UnknownLoc::get(module.getContext()), "the bundle has PTX alone: ")
          << ErrorId::NoTool << llvm::toString(binary.takeError());
  }
  size_t next = 0;
  forEachFunction(lowered->functions, [&](CompiledFunction &function) {
    bundled.functions.push_back({function.form(), ::lci::printPlan(lowered->plans[next++])});
  });
  return bundled;
}

//===- PTXPipeline.cpp - From ticks on tensors to PTX ---------------------===//

#include "LCI/Conversion/Passes.h"
#include "LCI/Pipelines/Pipelines.h"
#include "LCI/Transforms/Passes.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/NVGPUToNVVM/NVGPUToNVVM.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/SCFToGPU/SCFToGPUPass.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/Transforms/OptimizeForNVVM.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::lci;

/// Elements of a matrix from which on its products are blocks of many cells. A thread would have no
/// registers for what it is given and what comes out, and would load each element for one cell.
static constexpr int64_t kSmallestNetwork = 512;

/// Neighbours of which a thread has sums: of blocks, and where tensor cores multiply; and how many
/// threads of a warp have sums of the same ones there.
static constexpr int64_t kBlockCells = 8, kTensorCells = 4, kSameCells = 4;

static void addTopDownCleanup(OpPassManager &manager) {
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
}

/// Products, by tensor cores where that is asked for. Else a thread has partial sums of eight
/// neighbours, and of sixteen outputs that share what is loaded of them: 24 numbers for 128
/// products. A multiprocessor gives its threads 32 numbers in the time of 128 products; with four
/// neighbours, it would give 20 for 64.
static void addProducts(OpPassManager &manager, const KernelPipelineOptions &options) {
  if (options.tf32) {
    ContractionsToMMAPassOptions products;
    products.threads = options.threads;
    manager.addNestedPass<func::FuncOp>(createContractionsToMMAPass(products));
  }
  TileContractionsPassOptions blocks;
  blocks.threads = true;
  blocks.cells = kBlockCells;
  blocks.outputs = 16;
  manager.addNestedPass<func::FuncOp>(createTileContractionsPass(blocks));
}

/// One kernel for each linalg operation, with the last axis on x.
void lci::buildLaunchPipeline(OpPassManager &manager, const KernelPipelineOptions &options) {
  // No canonicalization from here to the launches: it would take a loop over one cell for host
  // code, and join the loops over blocks and threads.
  manager.addNestedPass<func::FuncOp>(createForallToParallelLoopPass());
  manager.addNestedPass<func::FuncOp>(createPrivatizeScratchPass());
  addProducts(manager, options);
  // Tables are kernels of a few threads, which few ticks need for themselves.
  manager.addNestedPass<func::FuncOp>(createHoistInvariantBuffersPass());
  // Values that read the same are one kernel's.
  FuseNestsPassOptions joining;
  joining.threads = true;
  manager.addNestedPass<func::FuncOp>(createFuseNestsPass(joining));
  // Several epochs to a launch, where memory is what they wait for.
  TimeTileKernelsPassOptions epochs;
  epochs.epochs = options.epochs;
  epochs.columns = options.epochColumns;
  epochs.threads = options.epochThreads;
  epochs.minTiles = options.epochTiles;
  epochs.minInner = options.epochInner;
  manager.addNestedPass<func::FuncOp>(createTimeTileKernelsPass(epochs));
  // Rows whose windows have much in common are one thread's, as long as there are threads enough;
  // it adds what it counts at once.
  UnrollJamRowsPassOptions rows;
  rows.minGroups = options.jamGroups;
  rows.loadCost = 8; // a quarter of a warp's loads in the time of its operations, and they wait
  rows.minSaved = 5;
  rows.mostAccesses = 96;
  rows.threads = true;
  manager.addNestedPass<func::FuncOp>(createUnrollJamRowsPass(rows));
  manager.addNestedPass<func::FuncOp>(createExposeThreadsPass());
  manager.addNestedPass<func::FuncOp>(createConvertLinalgToParallelLoopsPass());
  TileParallelLoopsPassOptions tiling;
  tiling.threads = options.threads;
  manager.addNestedPass<func::FuncOp>(createTileParallelLoopsPass(tiling));
  GpuMapParallelLoopsPassOptions mapping;
  mapping.mappingPolicyStr = "innermost-first";
  manager.addNestedPass<func::FuncOp>(createGpuMapParallelLoopsPass(mapping));
  manager.addPass(createConvertParallelLoopToGpuPass());
  manager.addPass(createLowerAffinePass());
  addTopDownCleanup(manager);
  // Launches that do not wait for each other are one, as long as it is known which parts of buffers
  // they touch.
  manager.addNestedPass<func::FuncOp>(createFuseLaunchesPass());
  // Kernels take whole buffers and compute constants themselves, rather than take arguments.
  manager.addPass(memref::createFoldMemRefAliasOpsPass());
  addTopDownCleanup(manager);
  manager.addPass(createGpuLaunchSinkIndexComputationsPass());
  addTopDownCleanup(manager);
  manager.addPass(createGpuLaunchSinkIndexComputationsPass());
  // The host's side computes integers only, and waits for nothing: it becomes a launch plan.
  manager.addNestedPass<func::FuncOp>(createPredicateKernelsPass());
  manager.addNestedPass<func::FuncOp>(createSinkIntoKernelsPass());
  manager.addPass(createGpuKernelOutliningPass());
  addTopDownCleanup(manager);
  manager.addPass(createDescribeArgumentsPass());
  manager.addPass(createMergeKernelsPass());
  manager.addPass(createSetMinBlocksPerSMPass());
  manager.addNestedPass<gpu::GPUModuleOp>(createMapToLUT3Pass());
  manager.addNestedPass<gpu::GPUModuleOp>(createAggregateCountersPass());
}

void lci::buildKernelPipeline(OpPassManager &manager, const KernelPipelineOptions &options) {
  // 1. Ticks to linalg; counters are atomic, so that every loop of a tick stays parallel, and ticks
  //    stay where they are launched from. That rows do not lie apart is for the caches of
  //    processors.
  LinalgPipelineOptions linalg;
  linalg.outline = false;
  linalg.splitColours = options.splitColours;
  linalg.persistLayouts = options.persistLayouts;
  linalg.smallestJoined = options.smallestJoined;
  linalg.eagerBlocks = options.eagerBlocks;
  linalg.aliasBytes = 0;
  linalg.fusedEpochs = 1;
  linalg.atomicCounters = true;
  linalg.vectorize = false;
  linalg.modelTile = options.modelTile;
  linalg.threadCells = options.tf32 ? kTensorCells : kBlockCells;
  linalg.modelGroup = options.tf32 ? kSameCells : 1;
  linalg.smallestNetwork = kSmallestNetwork;
  buildLinalgPipeline(manager, linalg);
  // 2. Kernels.
  buildLaunchPipeline(manager, options);
}

std::string lci::ptxVersionFor(StringRef chip) {
  unsigned number = 0;
  StringRef kind = chip;
  if (!kind.consume_front("sm_") || kind.consumeInteger(10, number) || number < 75 ||
      (!kind.empty() && kind != "a" && kind != "f"))
    return "";
  // As in LLVM's list of processors; no version before 8.0, which has all that kernels use.
  unsigned version =
      llvm::StringSwitch<unsigned>(chip)
          .Cases({"sm_100", "sm_100a", "sm_101", "sm_101a"}, 86)
          .Cases({"sm_120", "sm_120a"}, 87)
          .Cases({"sm_100f", "sm_101f", "sm_103", "sm_103a", "sm_103f"}, 88)
          .Cases({"sm_120f", "sm_121", "sm_121a", "sm_121f"}, 88)
          .Cases({"sm_88", "sm_110", "sm_110a", "sm_110f"}, 90)
          .Cases({"sm_75", "sm_80", "sm_86", "sm_87", "sm_89", "sm_90", "sm_90a"}, 80)
          .Default(0);
  return version == 0 ? "" : "+ptx" + std::to_string(version);
}

bool lci::isFromSM80(StringRef chip) { return chip != "sm_75"; }

/// Chip and PTX version are always given: upstream's defaults do not go together.
static std::string featuresOf(const PTXPipelineOptions &options) {
  return options.features.empty() ? ptxVersionFor(options.chip) : options.features.getValue();
}

void lci::buildKernelsToNVVMPipeline(OpPassManager &manager, const PTXPipelineOptions &options) {
  auto add = [&](std::unique_ptr<Pass> pass) {
    manager.addNestedPass<gpu::GPUModuleOp>(std::move(pass));
  };
  // 1. Sums of blocks, where warps have an instruction for them. Exact math operations: upstream
  //    would make them calls of a library.
  if (isFromSM80(options.chip))
    add(createReduceByWarpsPass());
  add(createConvertLCIMathToNVVMPass());
  add(createConvertNVGPUToNVVMPass());
  // Upstream's way takes parts of vectors for granted that it does not take apart.
  add(createConvertVectorToLLVMPass());
  // 2. What is left is upstream's, by its own passes.
  add(createSCFToControlFlowPass());
  add(memref::createExpandStridedMetadataPass());
  GpuNVVMAttachTargetOptions target;
  target.chip = options.chip;
  target.features = featuresOf(options);
  target.optLevel = 3;
  manager.addPass(createGpuNVVMAttachTarget(target));
  add(createLowerAffinePass());
  add(createCanonicalizerPass());
  add(createCSEPass());
  ConvertGpuOpsToNVVMOpsOptions nvvm;
  nvvm.useBarePtrCallConv = true;
  add(createConvertGpuOpsToNVVMOps(nvvm));
  add(LLVM::createNVVMOptimizeForTargetPass());
  add(createCanonicalizerPass());
  add(createCSEPass());
  add(createConvertMathToLLVMPass()); // counts of bits
  add(createReconcileUnrealizedCastsPass());
  // 3. Operations that upstream writes as PTX in its IR.
  add(createConvertNVVMToLLVMPass());
}

void lci::buildKernelsToPTXPipeline(OpPassManager &manager, const PTXPipelineOptions &options) {
  buildKernelsToNVVMPipeline(manager, options);
  GpuModuleToBinaryPassOptions text;
  text.compilationTarget = "isa";
  manager.addPass(createGpuModuleToBinaryPass(text));
}

static void addFirstHalf(OpPassManager &manager, const PTXPipelineOptions &options) {
  KernelPipelineOptions kernels;
  kernels.threads = options.threads;
  kernels.tf32 = options.tf32;
  buildKernelPipeline(manager, kernels);
}

void lci::buildNVVMPipeline(OpPassManager &manager, const PTXPipelineOptions &options) {
  addFirstHalf(manager, options);
  buildKernelsToNVVMPipeline(manager, options);
}

void lci::buildPTXPipeline(OpPassManager &manager, const PTXPipelineOptions &options) {
  addFirstHalf(manager, options);
  buildKernelsToPTXPipeline(manager, options);
}

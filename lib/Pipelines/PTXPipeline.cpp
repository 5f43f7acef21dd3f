//===- PTXPipeline.cpp - Ticks on tensors to PTX --------------------------===//
//
// Ticks become linalg with atomic counters by the pipeline for CPUs, then parallel loops, kernels
// of one `gpu.module` and a host function that launches them, then NVVM and PTX. Options differ
// from a CPU's because a thread computes a cell, and its registers decide how much it can share.
//
//===----------------------------------------------------------------------===//

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

/// Elements of a matrix from which on its products are computed in blocks of many cells. A thread
/// would not have registers for its inputs and outputs, and would load each element for one cell.
static constexpr int64_t kSmallestNetwork = 512;

/// Neighbours whose sums a thread holds: for blocks, and for tensor cores; and the threads of a
/// warp that hold sums of the same neighbours with tensor cores.
static constexpr int64_t kBlockCells = 8, kTensorCells = 4, kSameCells = 4;

static void addTopDownCleanup(OpPassManager &manager) {
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
}

/// Products, by tensor cores with `tf32`. Else a thread has partial sums of eight neighbours, and
/// of sixteen outputs that share loaded values: 24 numbers for 128 products. A multiprocessor gives
/// its threads 32 numbers in the time of 128 products; with four neighbours, it would give 20
/// for 64.
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
  // No canonicalization from here to the launches: it would fold a loop over one cell into host
  // code, and fuse the loops over blocks and threads.
  manager.addNestedPass<func::FuncOp>(createForallToParallelLoopPass());
  manager.addNestedPass<func::FuncOp>(createPrivatizeScratchPass());
  addProducts(manager, options);
  // Tables are kernels of a few threads; few ticks need a separate one.
  manager.addNestedPass<func::FuncOp>(createHoistInvariantBuffersPass());
  // Ticks of several values that read the same cells become one kernel.
  FuseNestsPassOptions joining;
  joining.threads = true;
  manager.addNestedPass<func::FuncOp>(createFuseNestsPass(joining));
  // Several epochs to a launch, where kernels are bound by memory.
  TimeTileKernelsPassOptions epochs;
  epochs.epochs = options.epochs;
  epochs.columns = options.epochColumns;
  epochs.threads = options.epochThreads;
  epochs.minTiles = options.epochTiles;
  epochs.minInner = options.epochInner;
  manager.addNestedPass<func::FuncOp>(createTimeTileKernelsPass(epochs));
  // Rows whose stencils overlap are computed by one thread, as long as there are enough threads; it
  // adds its counts at once.
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
  // Independent launches are fused, while the parts of buffers that they access are still known.
  manager.addNestedPass<func::FuncOp>(createFuseLaunchesPass());
  // Kernels take whole buffers and compute constants themselves, rather than take arguments.
  manager.addPass(memref::createFoldMemRefAliasOpsPass());
  addTopDownCleanup(manager);
  manager.addPass(createGpuLaunchSinkIndexComputationsPass());
  addTopDownCleanup(manager);
  manager.addPass(createGpuLaunchSinkIndexComputationsPass());
  // The host code only computes integers, and waits for nothing: it becomes a launch plan.
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
  //    are not outlined from where they are launched. No padding against aliased rows, which is for
  //    the caches of processors.
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

namespace {
struct Chip {
  StringRef name;
  unsigned version; ///< of PTX
};
} // namespace

/// As in LLVM's list of processors; at least PTX 8.0, which has everything that kernels use.
static constexpr Chip kChips[] = {
    {"sm_75", 80},   {"sm_80", 80},   {"sm_86", 80},   {"sm_87", 80},   {"sm_88", 90},
    {"sm_89", 80},   {"sm_90", 80},   {"sm_90a", 80},  {"sm_100", 86},  {"sm_100a", 86},
    {"sm_100f", 88}, {"sm_101", 86},  {"sm_101a", 86}, {"sm_101f", 88}, {"sm_103", 88},
    {"sm_103a", 88}, {"sm_103f", 88}, {"sm_110", 90},  {"sm_110a", 90}, {"sm_110f", 90},
    {"sm_120", 87},  {"sm_120a", 87}, {"sm_120f", 88}, {"sm_121", 88},  {"sm_121a", 88},
    {"sm_121f", 88}};

std::string lci::ptxVersionFor(StringRef chip) {
  const Chip *known = llvm::find_if(kChips, [&](const Chip &each) { return each.name == chip; });
  return known == std::end(kChips) ? "" : "+ptx" + std::to_string(known->version);
}

bool lci::isFromSM80(StringRef chip) { return chip != "sm_75"; }

std::string lci::findChipProblem(StringRef chip, bool tf32) {
  auto names = llvm::map_range(kChips, [](const Chip &known) { return known.name; });
  if (ptxVersionFor(chip).empty())
    return ("expected a chip that the compiler knows (" + llvm::join(names, ", ") + "), but got '" +
            chip + "'")
        .str();
  if (tf32 && !isFromSM80(chip))
    return ("expected a chip from sm_80 on, whose tensor cores know TF32, but got '" + chip + "'")
        .str();
  return "";
}

/// Chip and PTX version are always given: upstream's defaults are incompatible with each other.
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
  // The conversion to NVVM assumes that operations on parts of vectors are lowered already.
  add(createConvertVectorToLLVMPass());
  // 2. The remaining operations are upstream's, and so are the passes.
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
  add(createPadConstantsPass());
  add(createCanonicalizerPass());
  add(createCSEPass());
  add(createConvertMathToLLVMPass()); // counts of bits
  add(createReconcileUnrealizedCastsPass());
  // 3. Operations that upstream lowers to inline PTX.
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

//===- PTXPipeline.cpp - Ticks on tensors to PTX --------------------------===//
//
// Ticks become linalg with atomic counters by the phases of Phases.cpp, then parallel loops,
// kernels of one `gpu.module` and a host function that launches them, then NVVM and PTX. Options
// differ from a CPU's because a thread computes a cell, and its registers decide how much it can
// share.
//
//===----------------------------------------------------------------------===//

#include "LCI/Conversion/Passes.h"
#include "LCI/Pipelines/Passes.h"
#include "LCI/Pipelines/Pipelines.h"
#include "LCI/Transforms/Passes.h"
#include "LCI/Transforms/Support/Cleanup.h"
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

using namespace mlir;
using namespace mlir::lci;

/// Several epochs to a launch, where kernels are bound by memory.
static void addTimeTiles(OpPassManager &manager, const EpochTileOptions &options) {
  TimeTileKernelsPassOptions epochs;
  epochs.epochs = options.epochs;
  epochs.rows = options.rows;
  epochs.columns = options.columns;
  epochs.threads = options.threads;
  epochs.minTiles = options.tiles;
  epochs.minInterior = options.inner;
  manager.addNestedPass<func::FuncOp>(createTimeTileKernelsPass(epochs));
}

/// Several rows to a thread, as long as there are enough threads; it adds its counts at once.
static void addRows(OpPassManager &manager, const JamOptions &options) {
  UnrollJamRowsPassOptions rows;
  rows.rows = options.jamRows;
  rows.minSaved = options.jamSaved;
  rows.minGroups = options.jamGroups;
  rows.loadCost = 8; // a quarter of a warp's loads in the time of its operations, and they wait
  rows.maxAccesses = 96;
  manager.addNestedPass<func::FuncOp>(createUnrollJamRowsPass(rows));
}

void mlir::lci::buildPlainKernelPipeline(OpPassManager &manager) {
  // Kernels take whole buffers and compute constants themselves, rather than take arguments.
  manager.addPass(memref::createFoldMemRefAliasOpsPass());
  addCleanup(manager);
  manager.addPass(createGpuLaunchSinkIndexComputationsPass());
  addCleanup(manager);
  manager.addPass(createGpuLaunchSinkIndexComputationsPass());
  // The host code only computes integers, and waits for nothing: it becomes a launch plan.
  manager.addNestedPass<func::FuncOp>(createPredicateKernelsPass());
  manager.addNestedPass<func::FuncOp>(createSinkIntoKernelsPass());
  manager.addPass(createGpuKernelOutliningPass());
  addCleanup(manager);
  addCleanup(manager.nest<gpu::GPUModuleOp>());
  manager.addPass(createDescribeArgumentsPass());
  manager.addPass(createMergeKernelsPass());
}

/// One kernel for each linalg operation, with the last axis on x.
static void addLaunches(OpPassManager &manager) {
  // No canonicalization from here to the launches: it would fold a loop over one cell into host
  // code, and fuse the loops over blocks and threads.
  manager.addNestedPass<func::FuncOp>(createForallToParallelLoopPass());
  manager.addNestedPass<func::FuncOp>(createPrivatizeScratchPass());
  // Products by tensor cores, if the target has `tf32`, else in blocks of registers.
  manager.addNestedPass<func::FuncOp>(createContractionsToMMAPass());
  manager.addNestedPass<func::FuncOp>(createTileContractionsPass());
  // Tables are kernels of a few threads; few ticks need a separate one.
  manager.addNestedPass<func::FuncOp>(createHoistInvariantBuffersPass());
  // Copies, and ticks of boxes too small for lci-fuse-ticks, become one kernel where they read the
  // same cells.
  manager.addNestedPass<func::FuncOp>(createFuseNestsPass());
  manager.addNestedPass<func::FuncOp>(createExposeThreadsPass());
  manager.addNestedPass<func::FuncOp>(createConvertLinalgToParallelLoopsPass());
  manager.addNestedPass<func::FuncOp>(createTileParallelLoopsPass());
  GpuMapParallelLoopsPassOptions mapping;
  mapping.mappingPolicyStr = "innermost-first";
  manager.addNestedPass<func::FuncOp>(createGpuMapParallelLoopsPass(mapping));
  manager.addPass(createConvertParallelLoopToGpuPass());
  manager.addPass(createLowerAffinePass());
  addCleanup(manager);
  // Independent launches are fused, while the parts of buffers that they access are still known.
  manager.addNestedPass<func::FuncOp>(createFuseLaunchesPass());
  buildPlainKernelPipeline(manager);
  manager.addPass(createSetMinBlocksPerSMPass());
  manager.addNestedPass<gpu::GPUModuleOp>(createMapToLUT3Pass());
  manager.addNestedPass<gpu::GPUModuleOp>(createAggregateCountersPass());
  // When it is said of kernels which buffers are distinct, and all launches are in their order.
  manager.addNestedPass<func::FuncOp>(createShareScratchPass());
}

void mlir::lci::buildLaunchPipeline(OpPassManager &manager, const LaunchPipelineOptions &options) {
  manager.addPass(createCheckLevelPass({/*level=*/4}));
  addGPUTarget(manager, options.target);
  addLaunches(manager);
}

/// As for CPUs, without what is for their threads, vectors and caches.
static void addBufferedTicks(OpPassManager &manager, const DeviceBuffersOptions &options) {
  addSpecialization(manager, options.specialize, options.tables);
  addBuffers(manager, options.layout);
}

/// From ticks on buffers on.
static void addScheduledTicks(OpPassManager &manager, const DeviceTickLoweringOptions &options) {
  addWords(manager, options.expand);
  addDraws(manager, options.expand);
  // Launches of several epochs, and threads of several rows, while halos and windows are still
  // known. Then ticks to linalg; counters are atomic, so that every loop of a tick stays parallel,
  // and ticks are not outlined from where they are launched. Candidates' loops are not fused: a
  // thread has registers for only one at a time.
  addFusion(manager, options.fusion);
  addCleanup(manager);
  addTimeTiles(manager, options.epochs);
  addRows(manager, options.rows);
  addLinalg(manager, options.models);
  addModelBuffers(manager);
  // Kernels.
  addLaunches(manager);
}

void mlir::lci::buildDeviceBuffersPipeline(OpPassManager &manager,
                                           const DeviceBuffersPipelineOptions &options) {
  manager.addPass(createCheckLevelPass({/*level=*/3}));
  addGPUTarget(manager, options.target);
  addBufferedTicks(manager, options.buffers);
}

void mlir::lci::buildBuffersToKernelsPipeline(OpPassManager &manager,
                                              const BuffersToKernelsOptions &options) {
  manager.addPass(createCheckLevelPass({/*level=*/3, /*before=*/"", /*buffers=*/true}));
  addGPUTarget(manager, options.target);
  addScheduledTicks(manager, options.ticks);
}

void mlir::lci::buildKernelPipeline(OpPassManager &manager, const KernelPipelineOptions &options) {
  manager.addPass(createCheckLevelPass({/*level=*/3}));
  addGPUTarget(manager, options.target);
  addBufferedTicks(manager, options.buffers);
  addScheduledTicks(manager, options.ticks);
}

/// Everything from kernels to the nvvm dialect.
static void addNVVM(OpPassManager &manager) {
  auto add = [&](std::unique_ptr<Pass> pass) {
    manager.addNestedPass<gpu::GPUModuleOp>(std::move(pass));
  };
  // 1. Sums of blocks, where warps have an instruction for them. Exact math operations: upstream
  //    would make them calls of a library.
  add(createReduceByWarpsPass());
  add(createConvertLCIMathToNVVMPass());
  add(createConvertNVGPUToNVVMPass());
  // The conversion to NVVM assumes that operations on parts of vectors are lowered already.
  add(createConvertVectorToLLVMPass());
  // 2. The remaining operations are upstream's, and so are the passes.
  add(createSCFToControlFlowPass());
  add(memref::createExpandStridedMetadataPass());
  add(createAttachNVVMTargetPass());
  add(createLowerAffinePass());
  add(createCanonicalizerPass());
  add(createCSEPass());
  ConvertGpuOpsToNVVMOpsOptions nvvm;
  nvvm.hasRedux = true; // lci-reduce-by-warps makes sums of warps only for chips that have it
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

/// The same, and from there to PTX.
static void addPTX(OpPassManager &manager) {
  addNVVM(manager);
  GpuModuleToBinaryPassOptions text;
  text.compilationTarget = "isa";
  manager.addPass(createGpuModuleToBinaryPass(text));
}

void mlir::lci::buildKernelsToNVVMPipeline(OpPassManager &manager, const NoOptions &) {
  manager.addPass(createCheckLevelPass({/*level=*/5}));
  addNVVM(manager);
}

void mlir::lci::buildKernelsToPTXPipeline(OpPassManager &manager, const NoOptions &) {
  manager.addPass(createCheckLevelPass({/*level=*/5}));
  addPTX(manager);
}

void mlir::lci::buildNVVMPipeline(OpPassManager &manager, const KernelPipelineOptions &options) {
  buildKernelPipeline(manager, options);
  addNVVM(manager);
}

void mlir::lci::buildPTXPipeline(OpPassManager &manager, const KernelPipelineOptions &options) {
  buildKernelPipeline(manager, options);
  addPTX(manager);
}

//===- LinalgPipeline.cpp - Ticks on tensors to linalg on buffers ---------===//
//
// The pipeline for CPUs: the phases of Phases.cpp, and between them threads, vectors and functions.
//
//===----------------------------------------------------------------------===//

#include "LCI/Conversion/Passes.h"
#include "LCI/Pipelines/Passes.h"
#include "LCI/Pipelines/Pipelines.h"
#include "LCI/Transforms/Passes.h"
#include "LCI/Transforms/Support/Cleanup.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mlir::lci;

/// Time tiling, then threads for ticks that are not time-tiled, then strips of words.
static void addTickSchedule(OpPassManager &manager, const TickLoweringOptions &options) {
  if (options.tiling.fusedEpochs != 1) {
    TimeTileTicksPassOptions tiling;
    tiling.maxEpochs = options.tiling.fusedEpochs;
    tiling.minBytes = options.tiling.minFused;
    tiling.cacheBytes = options.tiling.cacheBytes;
    tiling.rows = options.tiling.tileRows;
    tiling.grain = options.chunks.grain;
    manager.addNestedPass<func::FuncOp>(createTimeTileTicksPass(tiling));
    addCleanup(manager);
  }
  manager.addNestedPass<func::FuncOp>(createParallelizeTicksPass({options.chunks.grain}));
  manager.addNestedPass<func::FuncOp>(createStripMineTicksPass({options.chunks.stripWords}));
}

/// Outlines ticks and halos, and merges equal functions: most halos and copies are equal, and the
/// time of all later passes grows with the amount of code.
static void addFunctions(OpPassManager &manager, const TickLoweringOptions &options) {
  if (!options.outline)
    return;
  addFusion(manager, options.fusion);
  manager.addPass(createOutlineTicksPass());
  manager.addPass(createMergeFunctionsPass());
}

/// Splits vectors that fill several registers, and permutes lanes so that they stay in registers.
static void addRegisters(OpPassManager &manager) {
  manager.addNestedPass<func::FuncOp>(createPermuteLanesPass());
  manager.addNestedPass<func::FuncOp>(createSplitVectorsPass());
}

/// Buffers, halos and layouts of cells, once what is known has become part of the code.
static void addBufferedTicks(OpPassManager &manager, const BuffersOptions &options) {
  addSpecialization(manager, options.specialize, options.tables);
  addBuffers(manager, options.layout);
}

/// From ticks on buffers on.
static void addScheduledTicks(OpPassManager &manager, const TickLoweringOptions &options) {
  // 1. Windows of epochs, threads, strips.
  addTickSchedule(manager, options);
  // 2. Planes as words; rows that draw or compare candidates, which keeps LLVM from vectorizing
  //    them, as vectors; what draws are left, in lanes.
  addWords(manager, options.expand);
  if (options.vectorize) {
    manager.addPass(createVectorizeCellsPass());
    addCleanup(manager);
  }
  addDraws(manager, options.expand);
  // 3. Ticks and halos as functions, each with its buffers as arguments.
  addFunctions(manager, options);
  if (options.vectorize)
    addRegisters(manager);
  addCleanup(manager);
  // Several rows at a time, where their stencils overlap.
  UnrollJamRowsPassOptions rows;
  rows.rows = options.rows.jamRows;
  rows.minSaved = options.rows.jamSaved;
  rows.minGroups = options.rows.jamGroups;
  manager.addNestedPass<func::FuncOp>(createUnrollJamRowsPass(rows));
  // 4. No tick is left. Agreements are loops over candidates, which are fused where they read the
  //    same values for each.
  addLinalg(manager, options.models);
  manager.addNestedPass<func::FuncOp>(createFuseSiblingLoopsPass());
  addModelBuffers(manager);
}

void mlir::lci::buildBuffersPipeline(OpPassManager &manager,
                                     const BuffersPipelineOptions &options) {
  manager.addPass(createCheckLevelPass({/*level=*/3}));
  addCPUTarget(manager, options.target);
  addBufferedTicks(manager, options.buffers);
}

void mlir::lci::buildBuffersToLinalgPipeline(OpPassManager &manager,
                                             const BuffersToLinalgOptions &options) {
  manager.addPass(createCheckLevelPass({/*level=*/3, /*before=*/"", /*buffers=*/true}));
  addCPUTarget(manager, options.target);
  addScheduledTicks(manager, options.ticks);
}

void mlir::lci::buildLinalgPipeline(OpPassManager &manager, const LinalgPipelineOptions &options) {
  manager.addPass(createCheckLevelPass({/*level=*/3}));
  addCPUTarget(manager, options.target);
  addBufferedTicks(manager, options.buffers);
  addScheduledTicks(manager, options.ticks);
}

void mlir::lci::buildPlainPipeline(OpPassManager &manager) {
  BuffersToLinalgOptions options;
  // Where layouts are planes already, their ticks become ticks on words. Functions and draws
  // expand, and no tick is left.
  addWords(manager, options.ticks.expand);
  manager.addPass(createExpandMathPass());
  addDraws(manager, options.ticks.expand);
  addLinalg(manager, options.ticks.models);
  addModelBuffers(manager);
}

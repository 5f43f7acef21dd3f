//===- LinalgPipeline.cpp - Ticks on tensors to linalg on buffers ---------===//
//
// The order of the passes matters: boxes make index tests constant before ranges are computed,
// tables and narrow types come before functions expand, layouts come before threads and vectors,
// and those before draws expand. Each step states its reason.
//
//===----------------------------------------------------------------------===//

#include "LCI/Conversion/Passes.h"
#include "LCI/Pipelines/Passes.h"
#include "LCI/Pipelines/Pipelines.h"
#include "LCI/Transforms/Passes.h"
#include "LCI/Transforms/Support/Cleanup.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mlir::lci;

/// Vectorizes rows of cells where draws or candidates keep LLVM from it.
static void addVectors(OpPassManager &manager, const LinalgPipelineOptions &options) {
  if (!options.vectorize)
    return;
  VectorizeCellsPassOptions cells;
  cells.vectorBits = options.vectorBits;
  manager.addPass(createVectorizeCellsPass(cells));
  addCleanup(manager);
}

/// Splits vectors that fill several registers, and permutes lanes so that they stay in registers.
static void addRegisters(OpPassManager &manager, const LinalgPipelineOptions &options) {
  manager.addNestedPass<func::FuncOp>(createPermuteLanesPass({options.vectorBits}));
  manager.addNestedPass<func::FuncOp>(createSplitVectorsPass({options.vectorBits}));
}

/// Arithmetic in as few bits as ranges allow: vectors hold more cells.
static void addNarrowing(OpPassManager &manager) {
  manager.addPass(arith::createIntRangeOptimizationsPass());
  manager.addPass(createNarrowArithmeticPass());
  addCleanup(manager);
}

/// Planes of bits, where tokens are small; else separate storage for the cells of each colour,
/// where ticks have strides. Only then are the sizes known by which epochs are fused and threads
/// get work.
static void addLayouts(OpPassManager &manager, const LinalgPipelineOptions &options) {
  if (options.bitslice)
    manager.addNestedPass<func::FuncOp>(createAssignLayoutsPass());
  if (options.splitColours) {
    manager.addNestedPass<func::FuncOp>(createSplitColoursPass());
    addCleanup(manager);
  }
  if (options.persistLayouts)
    manager.addNestedPass<func::FuncOp>(createPersistLayoutsPass());
  // Time tiling: several epochs in one pass over arrays that are larger than the cache.
  if (options.fusedEpochs != 1) {
    TimeTileTicksPassOptions fusing;
    fusing.maxEpochs = options.fusedEpochs;
    fusing.smallest = options.smallestFused;
    fusing.rows = options.windowRows;
    fusing.threads = options.threads;
    fusing.grain = options.grain;
    manager.addNestedPass<func::FuncOp>(createTimeTileTicksPass(fusing));
    addCleanup(manager);
  }
  // Ticks that are not time-tiled.
  if (options.threads != 1)
    manager.addNestedPass<func::FuncOp>(
        createParallelizeTicksPass({options.threads, options.grain, options.vectorBits}));
  if (options.bitslice && !options.atomicCounters)
    manager.addNestedPass<func::FuncOp>(createStripMineTicksPass({options.stripWords}));
  if (options.bitslice)
    manager.addNestedPass<func::FuncOp>(
        createBitslicePass({options.atomicCounters, options.vectorBits, options.eagerBlocks}));
  if (options.bitslice || options.threads != 1)
    addCleanup(manager);
}

/// Fuses ticks over the same cells into one function, or one kernel.
static void addJoining(OpPassManager &manager, const LinalgPipelineOptions &options) {
  if (!options.fuseTicks)
    return;
  FuseTicksPassOptions joining;
  joining.leastCells = options.smallestJoined;
  joining.regions = options.outline;
  manager.addNestedPass<func::FuncOp>(createFuseTicksPass(joining));
}

/// Outlines ticks and halos, and merges equal functions: most halos and copies are equal, and the
/// time of all later passes grows with the amount of code.
static void addFunctions(OpPassManager &manager) {
  manager.addPass(createOutlineTicksPass());
  manager.addPass(createMergeFunctionsPass());
}

/// Ticks that call a model become loops over tiles, all others linalg operations. In their bodies
/// agreements are loops over candidates, which are fused where they read the same values for each.
/// A thread of a GPU has registers for only one such loop at a time.
static void addConversion(OpPassManager &manager, const LinalgPipelineOptions &options) {
  BatchModelsPassOptions batching;
  batching.tile = options.modelTile;
  batching.vectorBits = options.vectorBits;
  batching.threads = options.atomicCounters;
  batching.threadCells = options.threadCells;
  batching.group = options.modelGroup;
  manager.addPass(createBatchModelsPass(batching));
  ConvertLCIToLinalgPassOptions conversion;
  conversion.atomicCounters = options.atomicCounters;
  manager.addNestedPass<func::FuncOp>(createConvertLCIToLinalgPass(conversion));
  addCleanup(manager);
  if (!options.atomicCounters)
    manager.addNestedPass<func::FuncOp>(createFuseSiblingLoopsPass());
}

void lci::buildLinalgPipeline(OpPassManager &manager, const LinalgPipelineOptions &options) {
  manager.addPass(createCheckLevelPass({/*level=*/3}));
  // 0. Known arguments become constants. Networks become models before anything copies the
  // operations that use them.
  manager.addNestedPass<func::FuncOp>(createSpecializeArgumentsPass());
  OutlineNetworksPassOptions networks;
  networks.smallest = options.smallestNetwork;
  manager.addPass(createOutlineNetworksPass(networks));
  // 1. Boxes first: they make index tests constant, which helps the range analyses below.
  addCleanup(manager);
  if (options.splitDomain) {
    manager.addNestedPass<func::FuncOp>(createSplitDomainPass());
    addCleanup(manager);
  }
  // 2. Tokens in few bytes. Their types bound the number of their values, and so which functions
  // can be tabulated: before these expand to too many operations to recognize.
  if (options.narrow) {
    manager.addNestedPass<func::FuncOp>(createNarrowStoragePass());
    addCleanup(manager);
  }
  if (options.tabulate) {
    manager.addNestedPass<func::FuncOp>(
        createTabulatePass({options.tableEntries, options.tableSaved, options.tableLookUps}));
    addCleanup(manager);
  }
  // 3. Elementary functions become fixed sequences of upstream's operations. Narrowing comes after
  // them, because it cannot change the types of the dialect's functions, and before draws, because
  // the multiplications of Philox need their 64-bit lanes.
  manager.addPass(createExpandMathPass());
  addCleanup(manager);
  if (options.narrow)
    addNarrowing(manager);
  // 4. Buffers and halos; needs the chains of boxes that step 1 made.
  manager.addPass(createBufferizeStatePass({options.aliasBytes}));
  addCleanup(manager);
  // 5. Layouts of cells, and threads that compute them.
  addLayouts(manager, options);
  // 6. Draws of single cells, and of whole rows; all of them as blocks of Philox, for lanes of
  // vectors or threads of a GPU.
  addVectors(manager, options);
  manager.addPass(createExpandDrawsPass({/*lazy=*/true, options.eagerBlocks}));
  manager.addPass(createExpandPhiloxPass({options.atomicCounters ? 32 : 64}));
  // 7. Ticks and halos, each with its buffers as arguments.
  if (options.outline || options.atomicCounters)
    addJoining(manager, options);
  if (options.outline)
    addFunctions(manager);
  if (options.vectorize)
    addRegisters(manager, options);
  addCleanup(manager);
  // 8. No tick is left.
  addConversion(manager, options);
  // 9. Tensors are left only inside of batched models.
  manager.addPass(createBufferizeModelsPass());
  // 10. No tick allocates, and no function is compiled twice.
  manager.addPass(createHoistScratchPass());
  manager.addPass(createMergeFunctionsPass());
}

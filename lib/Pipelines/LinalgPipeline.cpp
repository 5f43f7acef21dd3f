//===- LinalgPipeline.cpp - From ticks on tensors to linalg on buffers ----===//

#include "LCI/Conversion/Passes.h"
#include "LCI/Pipelines/Passes.h"
#include "LCI/Pipelines/Pipelines.h"
#include "LCI/Transforms/Passes.h"
#include "LCI/Transforms/Support/Cleanup.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mlir::lci;

/// Rows of cells by vectors, where draws or candidates keep LLVM from making them.
static void addVectors(OpPassManager &manager, const LinalgPipelineOptions &options) {
  if (!options.vectorize)
    return;
  VectorizeCellsPassOptions cells;
  cells.vectorBits = options.vectorBits;
  manager.addPass(createVectorizeCellsPass(cells));
  addCleanup(manager);
}

/// Numbers that fill several registers for one of bytes, in an order that keeps them in registers.
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

/// Planes of bits, where tokens are small; else the cells of a colour apart, where ticks take them
/// in steps. Then it is known what is worth to be fused, and how much there is to do for threads.
static void addLayouts(OpPassManager &manager, const LinalgPipelineOptions &options) {
  if (options.bitslice)
    manager.addNestedPass<func::FuncOp>(createAssignLayoutsPass());
  if (options.splitColours) {
    manager.addNestedPass<func::FuncOp>(createSplitColoursPass());
    addCleanup(manager);
  }
  if (options.persistLayouts)
    manager.addNestedPass<func::FuncOp>(createPersistLayoutsPass());
  // Several epochs go over arrays together that are larger than the cache.
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
  // Ticks that are not fused.
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

/// What goes over the same cells is one function, or one kernel.
static void addJoining(OpPassManager &manager, const LinalgPipelineOptions &options) {
  if (!options.fuseTicks)
    return;
  FuseTicksPassOptions joining;
  joining.leastCells = options.smallestJoined;
  joining.regions = options.outline;
  manager.addNestedPass<func::FuncOp>(createFuseTicksPass(joining));
}

/// Ticks and halos as functions, and each once: most halos and copies are equal, and all that
/// follows takes a time that grows with what there is.
static void addFunctions(OpPassManager &manager) {
  manager.addPass(createOutlineTicksPass());
  manager.addPass(createMergeFunctionsPass());
}

/// Ticks that ask a model become loops over tiles, all others operations of linalg, in whose cells
/// agreements are loops over candidates: joined, where they ask the same of each. A thread of a GPU
/// has registers for one at a time.
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
  // 0. What the run gives and is known becomes constants. Networks become models before anything
  // copies what asks them.
  manager.addNestedPass<func::FuncOp>(createSpecializeArgumentsPass());
  OutlineNetworksPassOptions networks;
  networks.smallest = options.smallestNetwork;
  manager.addPass(createOutlineNetworksPass(networks));
  // 1. Boxes first: they make index tests constant, which frees what the ranges below can see.
  addCleanup(manager);
  if (options.splitDomain) {
    manager.addNestedPass<func::FuncOp>(createSplitDomainPass());
    addCleanup(manager);
  }
  // 2. Tokens in few bytes. Their types tell how many values they have, and so what may be looked
  // up: before functions become too many operations to see what they are.
  if (options.narrow) {
    manager.addNestedPass<func::FuncOp>(createNarrowStoragePass());
    addCleanup(manager);
  }
  if (options.tabulate) {
    manager.addNestedPass<func::FuncOp>(
        createTabulatePass({options.tableEntries, options.tableSaved, options.tableLookUps}));
    addCleanup(manager);
  }
  // 3. Own operations become fixed sequences of upstream's. Narrowing stands between functions and
  // draws: it cannot change the types of our functions, and the multiplications of Philox want
  // their 64-bit lanes.
  manager.addPass(createExpandMathPass());
  addCleanup(manager);
  if (options.narrow)
    addNarrowing(manager);
  // 4. Buffers and halos; needs the chains of boxes that step 1 made.
  manager.addPass(createBufferizeStatePass({options.aliasBytes}));
  addCleanup(manager);
  // 5. Where cells lie, and which threads compute them.
  addLayouts(manager, options);
  // 6. Draws of single cells, and of whole rows; all of them blocks of Philox, for lanes of vectors
  // or threads of a GPU.
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

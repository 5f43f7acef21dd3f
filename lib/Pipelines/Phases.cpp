//===- Phases.cpp - Phases of the pipelines for CPUs and GPUs -------------===//
//
// What both targets have in common. The order of the passes matters: boxes make index tests
// constant before ranges are computed, tables and narrow types come before functions expand,
// layouts come before threads and vectors, and those before draws expand. Each step states its
// reason.
//
//===----------------------------------------------------------------------===//

#include "LCI/Pipelines/Phases.h"
#include "LCI/Conversion/Passes.h"
#include "LCI/Pipelines/Passes.h"
#include "LCI/Transforms/Passes.h"
#include "LCI/Transforms/Support/Cleanup.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mlir::lci;

void mlir::lci::addCPUTarget(OpPassManager &manager, const CPUTargetOptions &options) {
  manager.addPass(
      createAttachCPUTargetPass({options.vectorBits, options.vectorRegisters, options.threads}));
}

void mlir::lci::addGPUTarget(OpPassManager &manager, const GPUTargetOptions &options) {
  manager.addPass(createAttachGPUTargetPass(
      {options.chip, options.features, options.threads, options.multiprocessors, options.tf32}));
}

/// Arithmetic in as few bits as ranges allow: vectors hold more cells.
static void addNarrowing(OpPassManager &manager) {
  manager.addPass(arith::createIntRangeOptimizationsPass());
  manager.addPass(createNarrowArithmeticPass());
  addCleanup(manager);
}

void mlir::lci::addSpecialization(OpPassManager &manager, const SpecializeOptions &options,
                                  const TableOptions &tables) {
  // Known arguments become constants. Networks become models before anything copies the operations
  // that use them.
  manager.addNestedPass<func::FuncOp>(createSpecializeArgumentsPass());
  manager.addPass(createOutlineNetworksPass({options.minNetwork}));
  // Boxes first: they make index tests constant, which helps the range analyses below.
  addCleanup(manager);
  if (options.splitDomain) {
    manager.addNestedPass<func::FuncOp>(createSplitDomainPass());
    addCleanup(manager);
  }
  // Tokens in few bytes. Their types bound the number of their values, and so which functions can
  // be tabulated: before these expand to too many operations to recognize.
  if (options.narrow) {
    manager.addNestedPass<func::FuncOp>(createNarrowStoragePass());
    addCleanup(manager);
  }
  if (tables.tabulate) {
    manager.addNestedPass<func::FuncOp>(
        createTabulatePass({tables.entries, tables.saved, tables.lookUps}));
    addCleanup(manager);
  }
  // Elementary functions become fixed sequences of upstream's operations. Narrowing comes after
  // them, because it cannot change the types of the dialect's functions, and before draws, because
  // the multiplications of Philox need their 64-bit lanes.
  manager.addPass(createExpandMathPass());
  addCleanup(manager);
  if (options.narrow)
    addNarrowing(manager);
}

void mlir::lci::addBuffers(OpPassManager &manager, const LayoutOptions &options) {
  // Buffers and halos; needs the chains of boxes that the domain was split into.
  manager.addPass(createBufferizeStatePass({options.aliasBytes}));
  addCleanup(manager);
  // Planes of bits, where tokens are small; else separate storage for the cells of each colour,
  // where ticks have strides. Only then are the sizes known by which ticks are scheduled.
  if (options.bitslice)
    manager.addNestedPass<func::FuncOp>(createAssignLayoutsPass());
  if (options.splitColours) {
    manager.addNestedPass<func::FuncOp>(createSplitColoursPass());
    addCleanup(manager);
  }
  if (options.persistLayouts)
    manager.addNestedPass<func::FuncOp>(createPersistLayoutsPass());
}

void mlir::lci::addWords(OpPassManager &manager, const ExpandOptions &options) {
  manager.addNestedPass<func::FuncOp>(createBitslicePass({options.eagerBlocks}));
  addCleanup(manager);
}

void mlir::lci::addDraws(OpPassManager &manager, const ExpandOptions &options) {
  manager.addPass(createExpandDrawsPass({/*lazy=*/true, options.eagerBlocks}));
  manager.addPass(createExpandPhiloxPass());
}

void mlir::lci::addFusion(OpPassManager &manager, const FuseOptions &options) {
  if (!options.fuseTicks)
    return;
  FuseTicksPassOptions fusing;
  fusing.minCells = options.minJoined;
  fusing.maxOperations = options.maxJoined;
  manager.addNestedPass<func::FuncOp>(createFuseTicksPass(fusing));
}

void mlir::lci::addLinalg(OpPassManager &manager, const ModelOptions &options) {
  manager.addPass(createBatchModelsPass({options.modelTile}));
  manager.addNestedPass<func::FuncOp>(createConvertLCIToLinalgPass());
  addCleanup(manager);
}

void mlir::lci::addModelBuffers(OpPassManager &manager) {
  manager.addPass(createBufferizeModelsPass());
  manager.addPass(createHoistScratchPass());
  manager.addPass(createMergeFunctionsPass());
}

//===- Phases.h - Phases of pipelines and their options ---------*- C++ -*-===//
//
// The pipelines for CPUs and GPUs are lists of phases. Each phase has few options, which register
// with those of the pipeline: `lmpm-opt` and `--lowering` take all of them in one list.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_PIPELINES_PHASES_H
#define LCI_PIPELINES_PHASES_H

#include "LCI/Transforms/Schedule/Passes.h"
#include "LCI/Transforms/Support/ThreadGrain.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace mlir::lci {

/// Options of one phase of a pipeline.
struct PhaseOptions {
  using Pipeline = mlir::detail::PassOptions;
  template <typename T>
  using Option = Pipeline::Option<T>;

  explicit PhaseOptions(Pipeline &pipeline) : pipeline(pipeline) {}

  Pipeline &pipeline;
};

//===----------------------------------------------------------------------===//
// Target
//===----------------------------------------------------------------------===//

/// The CPU that code is compiled for, where options say more than the module.
struct CPUTargetOptions : PhaseOptions {
  using PhaseOptions::PhaseOptions;
  Option<int64_t> threads{pipeline, "threads",
                          llvm::cl::desc("Threads that share a tick; -1: as the module says."),
                          llvm::cl::init(-1)};
  Option<int64_t> vectorBits{
      pipeline, "vector-bits",
      llvm::cl::desc("Bits of the machine's vectors; -1: as the module says."), llvm::cl::init(-1)};
  Option<int64_t> vectorRegisters{
      pipeline, "vector-registers",
      llvm::cl::desc("How many of them it has; -1: as the module says."), llvm::cl::init(-1)};
};
void addCPUTarget(OpPassManager &manager, const CPUTargetOptions &options);

/// The GPU that kernels are compiled for, where options say more than the module.
struct GPUTargetOptions : PhaseOptions {
  using PhaseOptions::PhaseOptions;
  Option<std::string> chip{
      pipeline, "chip",
      llvm::cl::desc("The GPU's architecture, as sm_90; empty: as the module says.")};
  Option<std::string> features{
      pipeline, "features",
      llvm::cl::desc("The version of PTX, as +ptx80; empty: as the module says, or the first that "
                     "knows the chip.")};
  Option<int64_t> threads{pipeline, "threads",
                          llvm::cl::desc("Threads of a block; -1: as the module says."),
                          llvm::cl::init(-1)};
  Option<int64_t> multiprocessors{
      pipeline, "multiprocessors",
      llvm::cl::desc("Multiprocessors of the GPU; -1: as the module says."), llvm::cl::init(-1)};
  Option<bool> tf32{pipeline, "tf32",
                    llvm::cl::desc("Multiply the matrices of models by tensor cores, in TF32."),
                    llvm::cl::init(false)};
};
void addGPUTarget(OpPassManager &manager, const GPUTargetOptions &options);

//===----------------------------------------------------------------------===//
// Specialization
//===----------------------------------------------------------------------===//

/// What is known becomes part of the code: constant arguments, index tests, ranges of integers.
struct SpecializeOptions : PhaseOptions {
  SpecializeOptions(Pipeline &pipeline, int64_t minElements)
      : PhaseOptions(pipeline),
        minNetwork(pipeline, "min-network",
                   llvm::cl::desc(
                       "Elements of the smallest matrix whose products are a model; 0: none are."),
                   llvm::cl::init(minElements)) {}
  Option<int64_t> minNetwork;
  Option<bool> splitDomain{pipeline, "split-domain",
                           llvm::cl::desc("Cut ticks into boxes without index tests."),
                           llvm::cl::init(true)};
  Option<bool> narrow{pipeline, "narrow",
                      llvm::cl::desc("Store tokens and compute with them in few bits."),
                      llvm::cl::init(true)};
};

/// Functions of few integers become tables.
struct TableOptions : PhaseOptions {
  using PhaseOptions::PhaseOptions;
  Option<bool> tabulate{pipeline, "tabulate", llvm::cl::desc("Look up what few integers decide."),
                        llvm::cl::init(true)};
  Option<int64_t> entries{pipeline, "table-entries", llvm::cl::desc("Entries of a table, at most."),
                          llvm::cl::init(4096)};
  Option<int64_t> saved{
      pipeline, "table-saved",
      llvm::cl::desc("Operations that an entry of a table saves, at least; below 0 any."),
      llvm::cl::init(16)};
  Option<int64_t> lookUps{pipeline, "table-look-ups",
                          llvm::cl::desc("How often an entry is looked up, at least."),
                          llvm::cl::init(4)};
};
void addSpecialization(OpPassManager &manager, const SpecializeOptions &options,
                       const TableOptions &tables);

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// Buffers with halos, and the layouts of cells in them.
struct LayoutOptions : PhaseOptions {
  LayoutOptions(Pipeline &pipeline, int64_t bytes)
      : PhaseOptions(pipeline),
        aliasBytes(
            pipeline, "alias-bytes",
            llvm::cl::desc(
                "Keep rows of windows from lying a multiple of so many bytes apart; 0: do not."),
            llvm::cl::init(bytes)) {}
  Option<int64_t> aliasBytes;
  Option<bool> bitslice{pipeline, "bitslice",
                        llvm::cl::desc("Compute small tokens 64 at a time, in planes of bits."),
                        llvm::cl::init(true)};
  Option<bool> splitColours{pipeline, "split-colours",
                            llvm::cl::desc("Store each colour of a row contiguously."),
                            llvm::cl::init(true)};
  Option<bool> persistLayouts{
      pipeline, "persist-layouts",
      llvm::cl::desc("Let the caller say when arrays are brought into their layout and back."),
      llvm::cl::init(false)};
};
void addBuffers(OpPassManager &manager, const LayoutOptions &options);

//===----------------------------------------------------------------------===//
// Schedule of ticks
//===----------------------------------------------------------------------===//

/// Several epochs in one pass over arrays that are larger than the cache.
struct TimeTileOptions : PhaseOptions {
  using PhaseOptions::PhaseOptions;
  Option<int64_t> fusedEpochs{
      pipeline, "fused-epochs",
      llvm::cl::desc("Epochs at most that go over large arrays together; 1: they stay apart."),
      llvm::cl::init(16)};
  Option<int64_t> minFused{
      pipeline, "min-fused",
      llvm::cl::desc("Bytes that arrays have to be large; 0: all are worth it."),
      llvm::cl::init(1 << 20)};
  Option<int64_t> cacheBytes{
      pipeline, "cache-bytes",
      llvm::cl::desc("Bytes of the cache that such epochs keep their rows in."),
      llvm::cl::init(1 << 20)};
  Option<int64_t> tileRows{pipeline, "tile-rows",
                           llvm::cl::desc("Rows of a tile in which such epochs run."),
                           llvm::cl::init(8)};
};

/// Chunks of ticks: for threads, and of words whose undecided draws are listed.
struct ChunkOptions : PhaseOptions {
  using PhaseOptions::PhaseOptions;
  Option<int64_t> grain{pipeline, "grain",
                        llvm::cl::desc("The least that a thread's part must have to do."),
                        llvm::cl::init(kThreadGrain)};
  Option<int64_t> stripWords{
      pipeline, "strip-words",
      llvm::cl::desc("Words of planes of which undecided draws are listed together."),
      llvm::cl::init(2048)};
};

/// Ticks of a phase that are computed together.
struct FuseOptions : PhaseOptions {
  using PhaseOptions::PhaseOptions;
  Option<bool> fuseTicks{
      pipeline, "fuse-ticks",
      llvm::cl::desc("Compute values of a phase that read the same in one nest."),
      llvm::cl::init(true)};
  Option<int64_t> minJoined{pipeline, "min-joined",
                            llvm::cl::desc("Cells that such values have to have."),
                            llvm::cl::init(4096)};
  Option<int64_t> maxJoined{pipeline, "max-joined",
                            llvm::cl::desc("Operations that such values may have together."),
                            llvm::cl::init(512)};
};
void addFusion(OpPassManager &manager, const FuseOptions &options);

//===----------------------------------------------------------------------===//
// Expansion and lowering
//===----------------------------------------------------------------------===//

/// Planes as words, and draws as arithmetic.
struct ExpandOptions : PhaseOptions {
  using PhaseOptions::PhaseOptions;
  Option<int64_t> eagerBlocks{
      pipeline, "eager-blocks",
      llvm::cl::desc("Blocks of four bits, from 0 to 2, that threshold draws always look at."),
      llvm::cl::init(2)};
};
void addWords(OpPassManager &manager, const ExpandOptions &options);
void addDraws(OpPassManager &manager, const ExpandOptions &options);

/// Models by tiles of cells.
struct ModelOptions : PhaseOptions {
  ModelOptions(Pipeline &pipeline, int64_t tile)
      : PhaseOptions(pipeline),
        modelTile(pipeline, "model-tile",
                  llvm::cl::desc("Cells that a model is called for together."),
                  llvm::cl::init(tile)) {}
  Option<int64_t> modelTile;
};
/// Ticks as loops over tiles or as linalg operations: no tick is left.
void addLinalg(OpPassManager &manager, const ModelOptions &options);
/// Rows that are computed together.
struct JamOptions : PhaseOptions {
  JamOptions(Pipeline &pipeline, int64_t groups, int64_t saved)
      : PhaseOptions(pipeline),
        jamSaved(pipeline, "jam-saved",
                 llvm::cl::desc("What that must save of loads and operations, in per cent."),
                 llvm::cl::init(saved)),
        jamGroups(
            pipeline, "jam-groups",
            llvm::cl::desc("Groups of rows that there must be for each to be computed together."),
            llvm::cl::init(groups)) {}
  Option<int64_t> jamRows{
      pipeline, "jam-rows",
      llvm::cl::desc("Rows that are computed together, or a power of two below; 1: each alone."),
      llvm::cl::init(8)};
  Option<int64_t> jamSaved, jamGroups;
};

/// Buffers for tensors inside of models, allocated once; no function is compiled twice.
void addModelBuffers(OpPassManager &manager);

} // namespace mlir::lci

#endif // LCI_PIPELINES_PHASES_H

//===- Pipelines.h - Pipelines between levels -------------------*- C++ -*-===//
//
// Each pipeline is a function with an options struct, so that tools, the execution library and
// tests share it. Each of them starts at the level where the one above ends.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_PIPELINES_PIPELINES_H
#define LCI_PIPELINES_PIPELINES_H

#include "LCI/Transforms/Schedule/Passes.h"
#include "LCI/Transforms/Support/Threads.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace mlir::lci {

/// Checks of bound programs before they are lowered. Afterwards no claims are left.
struct CheckOptions : PassPipelineOptions<CheckOptions> {
  Option<bool> remarks{*this, "remarks", llvm::cl::desc("Say what was proved and what was not."),
                       llvm::cl::init(true)};
};
void buildCheckPipeline(OpPassManager &manager, const CheckOptions &options = {});

/// From functions of ticks on tensors to linalg on buffers.
struct LinalgPipelineOptions : PassPipelineOptions<LinalgPipelineOptions> {
  Option<bool> splitDomain{*this, "split-domain",
                           llvm::cl::desc("Cut ticks into boxes without index tests."),
                           llvm::cl::init(true)};
  Option<bool> narrow{*this, "narrow",
                      llvm::cl::desc("Store tokens and compute with them in few bits."),
                      llvm::cl::init(true)};
  Option<bool> tabulate{*this, "tabulate", llvm::cl::desc("Look up what few integers decide."),
                        llvm::cl::init(true)};
  Option<bool> vectorize{*this, "vectorize",
                         llvm::cl::desc("Compute rows that draw or compare candidates by vectors."),
                         llvm::cl::init(true)};
  Option<bool> bitslice{*this, "bitslice",
                        llvm::cl::desc("Compute small tokens 64 at a time, in planes of bits."),
                        llvm::cl::init(true)};
  Option<bool> splitColours{*this, "split-colours",
                            llvm::cl::desc("Store the cells of a row's colours apart."),
                            llvm::cl::init(true)};
  Option<bool> persistLayouts{
      *this, "persist-layouts",
      llvm::cl::desc("Let the caller say when arrays are brought into their layout and back."),
      llvm::cl::init(false)};
  Option<int64_t> aliasBytes{
      *this, "alias-bytes",
      llvm::cl::desc(
          "Keep rows of windows from lying a multiple of so many bytes apart; 0: do not."),
      llvm::cl::init(4096)};
  Option<int64_t> fusedEpochs{
      *this, "fused-epochs",
      llvm::cl::desc("Epochs at most that go over large arrays together; 1: they stay apart."),
      llvm::cl::init(16)};
  Option<int64_t> smallestFused{
      *this, "smallest-fused",
      llvm::cl::desc("Bytes that arrays have to be large; 0: all are worth it."),
      llvm::cl::init(1 << 20)};
  Option<int64_t> windowRows{*this, "window-rows",
                             llvm::cl::desc("Rows by which a window of such epochs moves."),
                             llvm::cl::init(8)};
  Option<int64_t> eagerBlocks{
      *this, "eager-blocks",
      llvm::cl::desc("Blocks of four bits, from 0 to 2, that threshold draws always look at."),
      llvm::cl::init(2)};
  Option<int64_t> stripWords{
      *this, "strip-words",
      llvm::cl::desc("Words of planes of which undecided draws are listed together."),
      llvm::cl::init(2048)};
  Option<int64_t> tableEntries{
      *this, "table-entries", llvm::cl::desc("Entries of a table, at most."), llvm::cl::init(4096)};
  Option<int64_t> tableSaved{
      *this, "table-saved",
      llvm::cl::desc("Operations that an entry of a table saves, at least; below 0 any."),
      llvm::cl::init(16)};
  Option<int64_t> tableLookUps{*this, "table-look-ups",
                               llvm::cl::desc("How often an entry is looked up, at least."),
                               llvm::cl::init(4)};
  Option<bool> fuseTicks{
      *this, "fuse-ticks",
      llvm::cl::desc("Compute values of a phase that read the same in one nest."),
      llvm::cl::init(true)};
  Option<int64_t> smallestJoined{*this, "smallest-joined",
                                 llvm::cl::desc("Cells that such values have to have."),
                                 llvm::cl::init(4096)};
  Option<int64_t> jamGroups{
      *this, "jam-groups",
      llvm::cl::desc("Groups of rows that there must be for each to be computed together."),
      llvm::cl::init(UnrollJamRowsPassOptions().minGroups)};
  Option<bool> outline{*this, "outline", llvm::cl::desc("Give each tick a function of its own."),
                       llvm::cl::init(true)};
  Option<bool> atomicCounters{*this, "atomic-counters",
                              llvm::cl::desc("Count by atomic additions, for parallel loops."),
                              llvm::cl::init(false)};
  Option<int64_t> threads{*this, "threads", llvm::cl::desc("Threads that share a tick."),
                          llvm::cl::init(1)};
  Option<int64_t> grain{*this, "grain",
                        llvm::cl::desc("The least that a thread's part must have to do."),
                        llvm::cl::init(kThreadGrain)};
  Option<int64_t> vectorBits{*this, "vector-bits", llvm::cl::desc("Bits of the machine's vectors."),
                             llvm::cl::init(512)};
  Option<int64_t> modelTile{*this, "model-tile",
                            llvm::cl::desc("Cells that a model is asked about together."),
                            llvm::cl::init(64)};
  Option<int64_t> threadCells{
      *this, "thread-cells",
      llvm::cl::desc("Neighbours for which a thread of a kernel compares a model's tokens."),
      llvm::cl::init(8)};
  Option<int64_t> modelGroup{
      *this, "model-group",
      llvm::cl::desc("Parts of a model's tokens of which kernels find the best once more."),
      llvm::cl::init(1)};
  Option<int64_t> smallestNetwork{
      *this, "smallest-network",
      llvm::cl::desc("Elements of the smallest matrix whose products are a model; 0: none are."),
      llvm::cl::init(64)};
};
void buildLinalgPipeline(OpPassManager &manager, const LinalgPipelineOptions &options = {});

/// From linalg on buffers to the llvm dialect, with a bare pointer for each buffer.
struct LLVMPipelineOptions : PassPipelineOptions<LLVMPipelineOptions> {
  Option<int64_t> threads{
      *this, "threads", llvm::cl::desc("Threads of a parallel loop, by OpenMP; 1: there is none."),
      llvm::cl::init(1)};
  Option<int64_t> vectorBits{*this, "vector-bits", llvm::cl::desc("Bits of the machine's vectors."),
                             llvm::cl::init(512)};
  Option<int64_t> vectorRegisters{*this, "vector-registers",
                                  llvm::cl::desc("How many of them it has."), llvm::cl::init(32)};
  Option<int64_t> jamGroups{
      *this, "jam-groups",
      llvm::cl::desc("Groups of rows that there must be for each to be computed together."),
      llvm::cl::init(UnrollJamRowsPassOptions().minGroups)};
};
void buildLLVMPipeline(OpPassManager &manager, const LLVMPipelineOptions &options = {});

/// From functions of ticks on tensors to kernels in one `gpu.module`, and a host side that launches
/// them.
struct KernelPipelineOptions : PassPipelineOptions<KernelPipelineOptions> {
  Option<int64_t> threads{*this, "threads", llvm::cl::desc("Threads of a block."),
                          llvm::cl::init(128)};
  Option<int64_t> modelTile{*this, "model-tile",
                            llvm::cl::desc("Cells that a model is asked about together."),
                            llvm::cl::init(131072)};
  Option<int64_t> jamGroups{
      *this, "jam-groups",
      llvm::cl::desc("Groups of rows that there must be for each to be computed by one thread."),
      llvm::cl::init(128)};
  Option<int64_t> smallestJoined{
      *this, "smallest-joined",
      llvm::cl::desc("Cells that values of a phase have to have to be computed by one kernel."),
      llvm::cl::init(4096)};
  Option<int64_t> eagerBlocks{
      *this, "eager-blocks",
      llvm::cl::desc("Blocks of four bits, from 0 to 2, that threshold draws always look at."),
      llvm::cl::init(2)};
  Option<bool> splitColours{*this, "split-colours",
                            llvm::cl::desc("Store the cells of a row's colours apart."),
                            llvm::cl::init(true)};
  Option<bool> persistLayouts{
      *this, "persist-layouts",
      llvm::cl::desc("Let the caller say when arrays are brought into their layout and back."),
      llvm::cl::init(false)};
  Option<bool> tf32{*this, "tf32",
                    llvm::cl::desc("Multiply the matrices of models by tensor cores, in TF32."),
                    llvm::cl::init(false)};
  // Options of lci-time-tile-kernels.
  Option<int64_t> epochs{*this, "epochs",
                         llvm::cl::desc("Epochs of a launch; 1: each has its own."),
                         llvm::cl::init(8)};
  Option<int64_t> epochColumns{
      *this, "epoch-columns", llvm::cl::desc("Columns of a tile that has several epochs, at most."),
      llvm::cl::init(64)};
  Option<int64_t> epochThreads{*this, "epoch-threads",
                               llvm::cl::desc("Threads of such a tile, at most."),
                               llvm::cl::init(512)};
  Option<int64_t> epochTiles{*this, "epoch-tiles", llvm::cl::desc("Such tiles that there must be."),
                             llvm::cl::init(132)};
  Option<int64_t> epochInner{
      *this, "epoch-inner",
      llvm::cl::desc("Cells of such a tile that are its own, at least, in per cent."),
      llvm::cl::init(60)};
};
void buildKernelPipeline(OpPassManager &manager, const KernelPipelineOptions &options = {});
/// Its second half, from linalg and parallel loops on buffers on.
void buildLaunchPipeline(OpPassManager &manager, const KernelPipelineOptions &options = {});

/// From functions of ticks on tensors to PTX: a `gpu.binary` that holds its text. The host code,
/// which becomes a launch plan, is unchanged.
struct PTXPipelineOptions : PassPipelineOptions<PTXPipelineOptions> {
  Option<std::string> chip{*this, "chip", llvm::cl::desc("The GPU's architecture."),
                           llvm::cl::init("sm_80")};
  Option<std::string> features{
      *this, "features",
      llvm::cl::desc("The version of PTX, as +ptx80; empty: the first that knows the chip.")};
  Option<int64_t> threads{*this, "threads", llvm::cl::desc("Threads of a block."),
                          llvm::cl::init(128)};
  Option<bool> tf32{*this, "tf32",
                    llvm::cl::desc("Multiply the matrices of models by tensor cores, in TF32."),
                    llvm::cl::init(false)};
};
void buildPTXPipeline(OpPassManager &manager, const PTXPipelineOptions &options = {});
/// As far as the kernels in the nvvm and llvm dialects.
void buildNVVMPipeline(OpPassManager &manager, const PTXPipelineOptions &options = {});
/// Their second halves, from kernels on.
void buildKernelsToNVVMPipeline(OpPassManager &manager, const PTXPipelineOptions &options = {});
void buildKernelsToPTXPipeline(OpPassManager &manager, const PTXPipelineOptions &options = {});

/// The first PTX version that supports a chip (`sm_90`, `sm_90a`), as LLVM calls it; empty if there
/// is no such chip from sm_75 on.
std::string ptxVersionFor(StringRef chip);
/// The reason why kernels cannot be compiled for a chip; empty if they can.
std::string findChipProblem(StringRef chip, bool tf32);
/// Whether such a chip has the features that came with sm_80: products in TF32, and warp sums.
bool isFromSM80(StringRef chip);

/// Registers the pipelines by name.
void registerPipelines();

} // namespace mlir::lci

#endif // LCI_PIPELINES_PIPELINES_H

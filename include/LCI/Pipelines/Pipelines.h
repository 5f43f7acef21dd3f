//===- Pipelines.h - Pipelines between levels -------------------*- C++ -*-===//
//
// Each pipeline is a function with an options struct, so that tools, the execution library and
// tests share it. Each of them starts at the level where the one above ends.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_PIPELINES_PIPELINES_H
#define LCI_PIPELINES_PIPELINES_H

#include "LCI/Pipelines/Phases.h"

namespace mlir::lci {

/// Checks of bound programs before they are lowered. Afterwards no claims are left.
struct CheckOptions : PassPipelineOptions<CheckOptions> {
  Option<bool> remarks{*this, "remarks", llvm::cl::desc("Say what was proved and what was not."),
                       llvm::cl::init(true)};
};
void buildCheckPipeline(OpPassManager &manager, const CheckOptions &options = {});

/// From ticks on tensors to ticks on buffers in their layouts, for a CPU: the first half of the way
/// to linalg.
struct BuffersOptions : PhaseOptions {
  explicit BuffersOptions(Pipeline &pipeline) : PhaseOptions(pipeline) {}
  SpecializeOptions specialize{pipeline, /*minElements=*/64};
  TableOptions tables{pipeline};
  LayoutOptions layout{pipeline, /*bytes=*/4096};
};
struct BuffersPipelineOptions : PassPipelineOptions<BuffersPipelineOptions> {
  CPUTargetOptions target{*this};
  BuffersOptions buffers{*this};
};
void buildBuffersPipeline(OpPassManager &manager, const BuffersPipelineOptions &options = {});

/// From there to linalg: the second half.
struct TickLoweringOptions : PhaseOptions {
  explicit TickLoweringOptions(Pipeline &pipeline) : PhaseOptions(pipeline) {}
  TimeTileOptions tiling{pipeline};
  ChunkOptions chunks{pipeline};
  ExpandOptions expand{pipeline};
  FuseOptions fusion{pipeline};
  JamOptions rows{pipeline, UnrollJamRowsPassOptions().minGroups,
                  UnrollJamRowsPassOptions().minSaved};
  ModelOptions models{pipeline, /*tile=*/64};
  Option<bool> vectorize{pipeline, "vectorize",
                         llvm::cl::desc("Compute rows that draw or compare candidates by vectors."),
                         llvm::cl::init(true)};
  Option<bool> outline{pipeline, "outline", llvm::cl::desc("Give each tick a function of its own."),
                       llvm::cl::init(true)};
};
struct BuffersToLinalgOptions : PassPipelineOptions<BuffersToLinalgOptions> {
  CPUTargetOptions target{*this};
  TickLoweringOptions ticks{*this};
};
void buildBuffersToLinalgPipeline(OpPassManager &manager,
                                  const BuffersToLinalgOptions &options = {});

/// From functions of ticks on tensors to linalg on buffers, for a CPU.
struct LinalgPipelineOptions : PassPipelineOptions<LinalgPipelineOptions> {
  CPUTargetOptions target{*this};
  BuffersOptions buffers{*this};
  TickLoweringOptions ticks{*this};
};
void buildLinalgPipeline(OpPassManager &manager, const LinalgPipelineOptions &options = {});

/// From anything on buffers to linalg on buffers, by the passes alone that code needs to run: no
/// choice is made, and lowered operations stay.
void buildPlainPipeline(OpPassManager &manager);
/// From launches to kernels of one `gpu.module`, likewise.
void buildPlainKernelPipeline(OpPassManager &manager);

/// From linalg on buffers to the llvm dialect, with a bare pointer for each buffer.
struct LLVMOptions : PhaseOptions {
  using PhaseOptions::PhaseOptions;
  Option<bool> debugInfo{pipeline, "debug-info",
                         llvm::cl::desc("Tell debuggers and profilers the lines of the program."),
                         llvm::cl::init(false)};
};
void buildLLVMPipeline(OpPassManager &manager, const LLVMOptions &options);

/// The same for a module that stands alone, with a target of its own or of the options.
struct LinalgToLLVMOptions : PassPipelineOptions<LinalgToLLVMOptions> {
  CPUTargetOptions target{*this};
  LLVMOptions lowering{*this};
};
void buildLinalgToLLVMPipeline(OpPassManager &manager, const LinalgToLLVMOptions &options = {});

/// From functions of ticks on tensors to the llvm dialect: one after the other.
// NOLINTNEXTLINE(misc-multiple-inheritance): upstream's virtual base counts as a second one.
struct CPUPipelineOptions : LinalgPipelineOptions {
  LLVMOptions lowering{*this};
};
void buildCPUPipeline(OpPassManager &manager, const CPUPipelineOptions &options = {});

/// Several epochs of a launch, where kernels are bound by memory.
struct EpochTileOptions : PhaseOptions {
  using PhaseOptions::PhaseOptions;
  Option<int64_t> epochs{pipeline, "epochs",
                         llvm::cl::desc("Epochs of a launch; 1: each has its own."),
                         llvm::cl::init(8)};
  Option<int64_t> columns{pipeline, "epoch-columns",
                          llvm::cl::desc("Columns of a tile that has several epochs, at most."),
                          llvm::cl::init(64)};
  Option<int64_t> rows{pipeline, "epoch-rows", llvm::cl::desc("Rows of a thread of such a tile."),
                       llvm::cl::init(8)};
  Option<int64_t> threads{pipeline, "epoch-threads",
                          llvm::cl::desc("Threads of such a tile, at most."), llvm::cl::init(512)};
  Option<int64_t> tiles{
      pipeline, "epoch-tiles",
      llvm::cl::desc("Such tiles that there must be; -1: one for each multiprocessor."),
      llvm::cl::init(-1)};
  Option<int64_t> inner{
      pipeline, "epoch-inner",
      llvm::cl::desc("Cells of such a tile that are its own, at least, in per cent."),
      llvm::cl::init(60)};
};

/// From ticks on tensors to ticks on buffers in their layouts, for a GPU. Elements of a matrix from
/// which on products are computed in blocks of many cells are more than for a CPU: a thread would
/// not have registers for its inputs and outputs, and would load each element for one cell. Rows
/// are not padded against aliasing, which is for the caches of processors.
struct DeviceBuffersOptions : PhaseOptions {
  explicit DeviceBuffersOptions(Pipeline &pipeline) : PhaseOptions(pipeline) {}
  SpecializeOptions specialize{pipeline, /*minElements=*/512};
  TableOptions tables{pipeline};
  LayoutOptions layout{pipeline, /*bytes=*/0};
};
struct DeviceBuffersPipelineOptions : PassPipelineOptions<DeviceBuffersPipelineOptions> {
  GPUTargetOptions target{*this};
  DeviceBuffersOptions buffers{*this};
};
void buildDeviceBuffersPipeline(OpPassManager &manager,
                                const DeviceBuffersPipelineOptions &options = {});

/// From there to kernels.
struct DeviceTickLoweringOptions : PhaseOptions {
  explicit DeviceTickLoweringOptions(Pipeline &pipeline) : PhaseOptions(pipeline) {}
  ExpandOptions expand{pipeline};
  FuseOptions fusion{pipeline};
  JamOptions rows{pipeline, /*groups=*/128, /*saved=*/5};
  ModelOptions models{pipeline, /*tile=*/131072};
  EpochTileOptions epochs{pipeline};
};
struct BuffersToKernelsOptions : PassPipelineOptions<BuffersToKernelsOptions> {
  GPUTargetOptions target{*this};
  DeviceTickLoweringOptions ticks{*this};
};
void buildBuffersToKernelsPipeline(OpPassManager &manager,
                                   const BuffersToKernelsOptions &options = {});

/// From functions of ticks on tensors to kernels in one `gpu.module`, and a host side that launches
/// them.
struct KernelPipelineOptions : PassPipelineOptions<KernelPipelineOptions> {
  GPUTargetOptions target{*this};
  DeviceBuffersOptions buffers{*this};
  DeviceTickLoweringOptions ticks{*this};
};
void buildKernelPipeline(OpPassManager &manager, const KernelPipelineOptions &options = {});
/// Its second half, from linalg and parallel loops on buffers on.
struct LaunchPipelineOptions : PassPipelineOptions<LaunchPipelineOptions> {
  GPUTargetOptions target{*this};
};
void buildLaunchPipeline(OpPassManager &manager, const LaunchPipelineOptions &options = {});

/// From functions of ticks on tensors to PTX: a `gpu.binary` that holds its text. The host code,
/// which becomes a launch plan, is unchanged.
void buildPTXPipeline(OpPassManager &manager, const KernelPipelineOptions &options = {});
/// As far as the kernels in the nvvm and llvm dialects.
void buildNVVMPipeline(OpPassManager &manager, const KernelPipelineOptions &options = {});
/// Their second halves, from kernels on, for the target of the module.
struct NoOptions : PassPipelineOptions<NoOptions> {};
void buildKernelsToNVVMPipeline(OpPassManager &manager, const NoOptions &options = {});
void buildKernelsToPTXPipeline(OpPassManager &manager, const NoOptions &options = {});

/// Registers the pipelines by name.
void registerPipelines();

} // namespace mlir::lci

#endif // LCI_PIPELINES_PIPELINES_H

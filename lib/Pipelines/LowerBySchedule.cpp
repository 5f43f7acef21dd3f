//===- LowerBySchedule.cpp - Lower by a schedule --------------------------===//
//
// A schedule may lower all the way or a part of it, by pipelines, by passes, or by upstream's own
// transformations. The rest is for the pipelines, from the level on which it ends.
//
//===----------------------------------------------------------------------===//

#include "LCI/Pipelines/LowerBySchedule.h"
#include "LCI/Dialect/LCIOps.h"
#include "LCI/Dialect/Targets.h"
#include "LCI/Pipelines/ApplySchedule.h"
#include "LCI/Pipelines/CompilerPasses.h"
#include "LCI/Pipelines/Pipelines.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::lci;

namespace {
/// How far a schedule has lowered.
enum class Reached { TicksOnTensors, TicksOnBuffers, Linalg, Kernels, LLVM };
} // namespace

static Reached findLevel(ModuleOp module) {
  Reached reached = Reached::Linalg;
  module.walk([&](TickOp tick) {
    Reached level = tick.hasTensorSemantics() ? Reached::TicksOnTensors : Reached::TicksOnBuffers;
    reached = std::min(reached, level);
  });
  if (reached != Reached::Linalg)
    return reached;
  for (auto kernels : module.getOps<gpu::GPUModuleOp>())
    return kernels.getOps<gpu::GPUFuncOp>().empty() ? Reached::LLVM : Reached::Kernels;
  bool isLLVM = module.getOps<func::FuncOp>().empty() && !module.getOps<LLVM::LLVMFuncOp>().empty();
  return isLLVM ? Reached::LLVM : Reached::Linalg;
}

static LogicalResult run(ModuleOp module, const ScheduleText &text, Layouts layouts) {
  OwningOpRef<ModuleOp> schedule = readSchedule(text.text, text.name, module.getContext());
  SmallVector<StringRef> requested;
  if (layouts == Layouts::Persistent)
    requested.push_back("persist-layouts");
  return schedule ? applySchedule(module, *schedule, requested) : failure();
}

LogicalResult mlir::lci::lowerBySchedule(ModuleOp module, const ScheduleText &schedule,
                                         Layouts layouts) {
  if (failed(run(module, schedule, layouts)))
    return failure();
  CompilerPasses rest(module.getContext());
  CPUPipelineOptions options;
  options.buffers.layout.persistLayouts = layouts == Layouts::Persistent;
  switch (findLevel(module)) {
  case Reached::TicksOnTensors:
    buildCPUPipeline(rest, options);
    break;
  case Reached::TicksOnBuffers:
    buildBuffersToLinalgPipeline(rest);
    buildLLVMPipeline(rest, options.lowering);
    break;
  case Reached::Linalg:
    buildLLVMPipeline(rest, options.lowering);
    break;
  case Reached::LLVM:
    return success();
  case Reached::Kernels:
    return emitError(UnknownLoc::get(module.getContext()), "expected a schedule for a CPU, but '")
           << ErrorId::InvalidSchedule << schedule.name << "' made kernels";
  }
  return rest.run(module);
}

LogicalResult mlir::lci::lowerToKernelsBySchedule(ModuleOp module, const ScheduleText &schedule,
                                                  Layouts layouts) {
  if (!isForGPU(module) && failed(setTarget(module, GPUTarget())))
    return failure();
  if (failed(run(module, schedule, layouts)))
    return failure();
  CompilerPasses rest(module.getContext());
  KernelPipelineOptions options;
  options.buffers.layout.persistLayouts = layouts == Layouts::Persistent;
  options.target.tf32 = getGPUTarget(module).tf32;
  switch (findLevel(module)) {
  case Reached::TicksOnTensors:
    buildKernelPipeline(rest, options);
    break;
  case Reached::TicksOnBuffers:
    buildBuffersToKernelsPipeline(rest);
    break;
  case Reached::Linalg:
    buildLaunchPipeline(rest);
    break;
  case Reached::Kernels:
    return success();
  case Reached::LLVM:
    return emitError(
               UnknownLoc::get(module.getContext()),
               "expected a schedule that ends with kernels in a gpu.module at the latest, but '")
           << ErrorId::InvalidSchedule << schedule.name << "' went on to the llvm dialect";
  }
  return rest.run(module);
}

//===- Native.cpp - Export of LLVM IR, object code and PTX ----------------===//
//
// Runs the pipelines to LLVM IR or PTX on a clone of a module and writes the result. PTX that calls
// an undefined function is an error.
//
//===----------------------------------------------------------------------===//

#include "LCI/Target/Native/Native.h"
#include "LCI/Codegen/ExternalTools.h"
#include "LCI/Codegen/Machine.h"
#include "LCI/Codegen/Optimize.h"
#include "LCI/Codegen/SharedObject.h"
#include "LCI/Pipelines/CompilerPasses.h"
#include "LCI/Pipelines/LowerBySchedule.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace mlir::lci;

namespace {

/// A module lowered and optimised for a machine.
class NativeCode {
public:
  LogicalResult build(ModuleOp module, const NativeOptions &options) {
    auto made = ::lci::makeMachine(options.machine, llvm::CodeGenOptLevel::Aggressive);
    if (!made)
      return emitError(UnknownLoc::get(module.getContext()), llvm::toString(made.takeError()))
             << ErrorId::WrongMachine;
    machine = std::move(*made);
    OwningOpRef<ModuleOp> lowered = module.clone();
    auto [bits, registers] = ::lci::vectorUnitOf(*machine);
    if (failed(setCPUTarget(*lowered, bits, registers, options.threads)) ||
        failed(lower(*lowered, options)))
      return failure();
    code = translateModuleToLLVMIR(*lowered, context);
    if (!code)
      return lowered->emitError("cannot be translated to LLVM IR") << ErrorId::CannotCompile;
    code->setTargetTriple(machine->getTargetTriple());
    code->setDataLayout(machine->createDataLayout());
    auto optimize = ::lci::makeOptimizer(/*level=*/3, *machine);
    llvm::cantFail(optimize(code.get()));
    return success();
  }

  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> code;
  std::unique_ptr<llvm::TargetMachine> machine;

private:
  static LogicalResult lower(ModuleOp module, const NativeOptions &options) {
    if (!options.schedule.empty())
      return lowerBySchedule(module, options.schedule);
    CompilerPasses manager(module.getContext());
    CPUPipelineOptions pipeline;
    pipeline.lowering.debugInfo = options.debugInfo;
    buildCPUPipeline(manager, pipeline);
    return manager.run(module);
  }
};

} // namespace

LogicalResult mlir::lci::exportLLVMIR(ModuleOp module, const NativeOptions &options,
                                      llvm::raw_ostream &output) {
  NativeCode native;
  if (failed(native.build(module, options)))
    return failure();
  native.code->print(output, nullptr);
  return success();
}

LogicalResult mlir::lci::exportObject(ModuleOp module, const NativeOptions &options,
                                      llvm::raw_ostream &output) {
  NativeCode native;
  if (failed(native.build(module, options)))
    return failure();
  output << ::lci::objectOf(*native.code, *native.machine);
  return success();
}

/// The function that PTX calls and does not define; empty if there is none.
static StringRef findUnresolved(StringRef ptx) {
  StringRef declaration = ptx.split(".extern .func").second.split(';').first;
  declaration = declaration.ltrim().starts_with("(") ? declaration.split(')').second : declaration;
  return declaration.split('(').first.trim();
}

FailureOr<std::string> mlir::lci::findPTX(ModuleOp lowered) {
  std::string text;
  lowered.walk([&](gpu::BinaryOp binary) {
    // An object ends in a NUL, as C strings do.
    for (auto object : binary.getObjects().getAsRange<gpu::ObjectAttr>())
      text += object.getObject().getValue().rtrim('\0');
  });
  if (StringRef missing = findUnresolved(text); !missing.empty())
    return emitError(UnknownLoc::get(lowered.getContext()),
                     "expected kernels that have all they need, but they call '")
           << ErrorId::CannotCompile << missing
           << "' of NVIDIA's device library, which was not found; CUDA_HOME names the toolkit that "
              "has it";
  return text;
}

LogicalResult mlir::lci::checkChip(ModuleOp module, StringRef chip, bool tf32) {
  std::string problem = findChipProblem(chip, tf32);
  if (problem.empty())
    return success();
  return emitError(UnknownLoc::get(module.getContext())) << ErrorId::WrongMachine << problem;
}

/// What options say, else the module.
static std::string chipOf(ModuleOp module, const KernelPipelineOptions &options) {
  return options.target.chip.empty() ? getGPUTarget(module).chip.str()
                                     : options.target.chip.getValue();
}

/// Kernels by a schedule.
static LogicalResult lowerScheduled(ModuleOp module, const KernelPipelineOptions &options,
                                    const ScheduleText &schedule) {
  CompilerPasses target(module.getContext());
  addGPUTarget(target, options.target);
  return failure(failed(target.run(module)) || failed(lowerToKernelsBySchedule(module, schedule)));
}

LogicalResult mlir::lci::exportPTX(ModuleOp module, const KernelPipelineOptions &options,
                                   llvm::raw_ostream &output, const ScheduleText &schedule) {
  if (failed(checkChip(module, chipOf(module, options), options.target.tf32)))
    return failure();
  OwningOpRef<ModuleOp> lowered = module.clone();
  CompilerPasses manager(module.getContext());
  if (schedule.empty())
    buildPTXPipeline(manager, options);
  else if (failed(lowerScheduled(*lowered, options, schedule)))
    return failure();
  else
    buildKernelsToPTXPipeline(manager);
  if (failed(manager.run(*lowered)))
    return failure();
  FailureOr<std::string> text = findPTX(*lowered);
  if (failed(text))
    return failure();
  if (text->empty())
    return emitError(module.getLoc(), "has no tick to make a kernel of") << ErrorId::CannotCompile;
  output << *text;
  return success();
}

LogicalResult mlir::lci::exportCubin(ModuleOp module, const KernelPipelineOptions &options,
                                     llvm::raw_ostream &output, const ScheduleText &schedule) {
  std::string ptx;
  llvm::raw_string_ostream stream(ptx);
  if (failed(exportPTX(module, options, stream, schedule)))
    return failure();
  auto cubin = ::lci::assemblePTX(ptx, chipOf(module, options));
  if (!cubin)
    return emitError(UnknownLoc::get(module.getContext()), llvm::toString(cubin.takeError()))
           << ErrorId::NoTool;
  output << *cubin;
  return success();
}

//===- AsItIs.cpp - Run IR from the level that it is on -------------------===//
//
// Ticks on tensors are interpreted, unless they compute in 64 bits, which only machines do. Kernels
// run in loops over their threads. Everything else becomes machine code by the passes that nothing
// runs without, so that a difference is due to the IR, and hardly to passes below.
//
//===----------------------------------------------------------------------===//

#include "AsItIs.h"
#include "Description.h"
#include "InterpretedCode.h"
#include "LCI/Dialect/ArgumentRoles.h"
#include "LCI/Dialect/LCIOps.h"
#include "LCI/Execution/Compile.h"
#include "LCI/Pipelines/CompilerPasses.h"
#include "LCI/Transforms/Bufferize/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::lci;

/// Whether a function with roles takes or returns tensors.
static bool isOnTensors(func::FuncOp function) {
  bool hasRole = llvm::any_of(llvm::seq(function.getNumArguments()), [&](unsigned argument) {
    return roleOf(function, argument) != Role::None;
  });
  return hasRole && (llvm::any_of(function.getArgumentTypes(), llvm::IsaPred<TensorType>) ||
                     llvm::any_of(function.getResultTypes(), llvm::IsaPred<TensorType>));
}

static FailureOr<std::unique_ptr<CompiledProgram>> interpret(ModuleOp module) {
  auto copy = std::make_shared<OwningOpRef<ModuleOp>>(module.clone());
  FailureOr<CompiledFunctions> functions = describeFunctions(**copy);
  if (failed(functions))
    return failure();
  forEachFunction(*functions, [&](CompiledFunction &function) {
    function.code = std::make_unique<InterpretedCode>(
        copy, (*copy)->lookupSymbol<func::FuncOp>(function.symbol));
  });
  return std::make_unique<CompiledProgram>("interp", std::move(*functions), copy);
}

/// Whether numbers of 64 bits are computed, as functions are expanded to: the interpreter has none.
static bool hasDoubles(ModuleOp module) {
  auto isDouble = [](Type type) { return getElementTypeOrSelf(type).isF64(); };
  return module
      .walk([&](Operation *op) {
        return llvm::any_of(op->getResultTypes(), isDouble) ? WalkResult::interrupt()
                                                            : WalkResult::advance();
      })
      .wasInterrupted();
}

/// A copy on buffers.
static FailureOr<OwningOpRef<ModuleOp>> bufferize(ModuleOp module) {
  OwningOpRef<ModuleOp> copy = module.clone();
  CompilerPasses passes(module.getContext());
  passes.addPass(createBufferizeStatePass());
  if (failed(passes.run(*copy)))
    return failure();
  return std::move(copy);
}

static FailureOr<std::unique_ptr<CompiledProgram>> compile(ModuleOp module) {
  prepareContext(*module.getContext());
  if (llvm::any_of(module.getOps<func::FuncOp>(), isOnTensors)) {
    if (!hasDoubles(module))
      return interpret(module);
    FailureOr<OwningOpRef<ModuleOp>> buffers = bufferize(module);
    if (failed(buffers))
      return failure();
    return compilePlainly(**buffers);
  }
  bool hasKernels = module
                        .walk([](Operation *op) {
                          return isa<gpu::GPUModuleOp, gpu::LaunchOp>(op) ? WalkResult::interrupt()
                                                                          : WalkResult::advance();
                        })
                        .wasInterrupted();
  for (auto kernels : module.getOps<gpu::GPUModuleOp>())
    for (auto kernel : kernels.getOps<LLVM::LLVMFuncOp>())
      return LogicalResult(kernel.emitOpError("expected kernels as gpu.func to run them, but got ")
                           << ErrorId::NotLowered << "the nvvm dialect");
  return hasKernels ? compileKernelsPlainly(module) : compilePlainly(module);
}

FailureOr<RunnableIR> mlir::lci::compileAsItIs(ModuleOp module) {
  FailureOr<CompiledFunctions> functions = describeFunctions(module);
  if (failed(functions))
    return failure();
  RunnableIR runnable;
  forEachFunction(*functions, [&](CompiledFunction &function) {
    runnable.functions.push_back(function.form());
  });
  FailureOr<std::unique_ptr<CompiledProgram>> program = compile(module);
  if (failed(program))
    return failure();
  runnable.program = std::move(*program);
  return std::move(runnable);
}

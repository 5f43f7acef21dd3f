//===- Optimize.cpp - LLVM's optimizations, and what they lack ------------===//

#include "LCI/Codegen/Optimize.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/StandardInstrumentations.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

static OptimizationLevel levelOf(unsigned level) {
  const OptimizationLevel levels[] = {OptimizationLevel::O0, OptimizationLevel::O1,
                                      OptimizationLevel::O2, OptimizationLevel::O3};
  return levels[std::min<size_t>(level, std::size(levels) - 1)];
}

/// Leaves functions alone that say so, and leaves out what finds out who is called by pointer:
/// nobody is, and with thousands of arguments it takes seconds.
static void addGates(PassInstrumentationCallbacks &callbacks, OptNoneInstrumentation &optNone) {
  optNone.registerCallbacks(callbacks);
  callbacks.registerShouldRunOptionalPassCallback(
      [](StringRef pass, Any) { return pass != "CalledValuePropagationPass"; });
}

/// LLVM's default pipeline without its superword vectorizer: our kernels are loops or vectors when
/// they come here, and it takes up to a third of the pipeline's time to look for vectors between.
static void runPipeline(Module &module, OptimizationLevel level, TargetMachine &machine) {
  PipelineTuningOptions tuning;
  tuning.LoopVectorization = tuning.LoopInterleaving = true;
  tuning.SLPVectorization = false;
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  PassInstrumentationCallbacks callbacks;
  OptNoneInstrumentation optNone(/*DebugLogging=*/false);
  addGates(callbacks, optNone);
  PassBuilder builder(&machine, tuning, std::nullopt, &callbacks);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  ModulePassManager passes = level == OptimizationLevel::O0
                                 ? builder.buildO0DefaultPipeline(level)
                                 : builder.buildPerModuleDefaultPipeline(level);
  passes.run(module, modules);
}

bool lci::alignSpills(Function &function) {
  constexpr unsigned aligned = 128;
  bool isWide = llvm::any_of(instructions(function), [](const Instruction &instruction) {
    return instruction.getType()->isVectorTy() &&
           instruction.getType()->getPrimitiveSizeInBits().getKnownMinValue() > aligned;
  });
  if (isWide)
    function.addFnAttr("stackrealign");
  return isWide;
}

std::function<Error(Module *)> lci::makeOptimizer(unsigned level, TargetMachine &machine,
                                                  const StopFlag *stop) {
  return [level, &machine, stop](Module *module) {
    if (stop)
      stopTicks(*module, *stop);
    permuteLookUps(*module, machine);
    transposeBits(*module, machine);
    for (Function &function : *module) {
      splitCarriedFields(function);
      if (level > 0)
        hurryThroughCalls(function);
    }
    runPipeline(*module, levelOf(level), machine);
    if (level > 0)
      for (Function &function : *module) {
        narrowFactors(function, machine);
        testNaNsByNumbers(function);
        fixNaNs(function, machine);
        countUnderMasks(function, machine);
        fuseTernaryLogic(function, machine);
        alignSpills(function);
      }
    return Error::success();
  };
}

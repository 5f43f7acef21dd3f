//===- Optimize.cpp - LLVM's pipeline and additions to it -----------------===//
//
// Runs LLVM's default pipeline, with the project's transformations before it (on whole functions
// and calls of helper functions), inside of it (before the loop vectorizer) and after it
// (instructions that only hand-written intrinsics reach, or that its passes would undo).
//
//===----------------------------------------------------------------------===//

#include "LCI/Codegen/Optimize.h"
#include "llvm/Analysis/LoopInfo.h"
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

/// Skips functions marked `optnone`, and the propagation of called function pointers: there are
/// none, and with thousands of arguments it takes seconds.
static void addGates(PassInstrumentationCallbacks &callbacks, OptNoneInstrumentation &optNone) {
  optNone.registerCallbacks(callbacks);
  callbacks.registerShouldRunOptionalPassCallback(
      [](StringRef pass, Any) { return pass != "CalledValuePropagationPass"; });
}

namespace {
/// Runs before LLVM's loop vectorizer.
struct LimitVectorizer : PassInfoMixin<LimitVectorizer> {
  explicit LimitVectorizer(unsigned &numLeft) : numLeft(numLeft) {}

  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    numLeft += lci::limitVectorizer(analyses.getResult<LoopAnalysis>(function));
    return PreservedAnalyses::all();
  }

  unsigned &numLeft;
};
} // namespace

/// LLVM's default pipeline without its superword vectorizer: our kernels already are loops or
/// vectors, and it spends up to a third of the pipeline's time on the search for vectors in
/// between. Returns the number of loops excluded from its loop vectorizer.
static unsigned runPipeline(Module &module, OptimizationLevel level, TargetMachine &machine) {
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
  unsigned numLeft = 0;
  builder.registerVectorizerStartEPCallback([&](FunctionPassManager &passes, OptimizationLevel) {
    passes.addPass(LimitVectorizer(numLeft));
  });
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  ModulePassManager passes = level == OptimizationLevel::O0
                                 ? builder.buildO0DefaultPipeline(level)
                                 : builder.buildPerModuleDefaultPipeline(level);
  passes.run(module, modules);
  return numLeft;
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

namespace {
/// The project's transformations before and after LLVM's pipeline.
class Additions {
public:
  Additions(Module &module, TargetMachine &machine, const lci::ChangeListener &listener)
      : module(module), machine(machine), listener(listener) {}

  void runBefore(unsigned level, const lci::StopFlag *stop) {
    if (stop)
      note("stopTicks", lci::stopTicks(module, *stop));
    note("permuteLookups", lci::permuteLookups(module, machine));
    note("transposeBits", lci::transposeBits(module, machine));
    for (Function &function : module) {
      note("splitAggregatePhis", lci::splitAggregatePhis(function));
      if (level > 0)
        note("skipHugeFunction", lci::skipHugeFunction(function));
    }
  }

  void runAfter() {
    for (Function &function : module) {
      note("narrowMultiplies", lci::narrowMultiplies(function, machine));
      note("compareNaNs", lci::compareNaNs(function));
      note("fixupNaNs", lci::fixupNaNs(function, machine));
      note("maskCounts", lci::maskCounts(function, machine));
      lci::LogicCounts logic = lci::fuseTernaryLogic(function, machine);
      note("fuseTernaryLogic", logic.before != logic.after);
      note("alignSpills", lci::alignSpills(function));
    }
  }

  void note(StringRef name, unsigned changed) {
    if (changed && listener)
      listener(name);
  }

private:
  Module &module;
  TargetMachine &machine;
  const lci::ChangeListener &listener;
};
} // namespace

std::function<Error(Module *)> lci::makeOptimizer(unsigned level, TargetMachine &machine,
                                                  const StopFlag *stop, ChangeListener listener) {
  return [level, &machine, stop, listener = std::move(listener)](Module *module) {
    Additions additions(*module, machine, listener);
    additions.runBefore(level, stop);
    additions.note("limitVectorizer", runPipeline(*module, levelOf(level), machine));
    if (level > 0)
      additions.runAfter();
    return Error::success();
  };
}

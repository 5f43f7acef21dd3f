//===- IR.cpp - Fuzz target: IR -------------------------------------------===//
//
// Parses and verifies the input as the tools do, then binds it and runs the lowering passes. At
// each level a failure must have a diagnostic.
//
//===----------------------------------------------------------------------===//

#include "Contexts.h"
#include "LCI/Conversion/ProgramToTick/Passes.h"
#include "LCI/Driver/Loading.h"
#include "LCI/Pipelines/Pipelines.h"
#include "LCI/Transforms/Program/Bind.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace mlir::lci;
using namespace fuzz;

/// Sizes, all different, and a function for each model.
static BindOptions makeBindings(ModuleOp module, ProgramOp program) {
  BindOptions options;
  int64_t size = 3;
  for (auto name : program.getSizes().getAsRange<StringAttr>())
    options.sizes[name] = ++size;
  auto functions = module.getOps<func::FuncOp>();
  for (ModelOp model : program.getOps<ModelOp>())
    if (!functions.empty())
      options.models[model.getName()] = (*functions.begin()).getSymName().str();
  for (RegionOp region : program.getOps<RegionOp>())
    if (region.getName().size() % 2 == 0)
      options.rectangles.insert(region.getName());
  return options;
}

static LogicalResult bind(ModuleOp module) {
  for (ProgramOp program : module.getOps<ProgramOp>())
    if (!program.isBound() && failed(bindProgram(program, makeBindings(module, program))))
      return failure();
  return success();
}

/// Choices are derived from the input, so that a finding is reproducible.
static void buildDown(OpPassManager &passes, unsigned choice) {
  if (choice % 3 == 2)
    return buildNVVMPipeline(passes);
  CPUPipelineOptions options;
  options.ticks.tiling.minFused = 0;
  options.ticks.fusion.minJoined = 0;
  options.buffers.specialize.minNetwork = 1;
  if (choice % 3 == 1) {
    options.target.threads = 3;
    options.ticks.chunks.grain = 0;
  }
  buildCPUPipeline(passes, options);
}

using Build = llvm::function_ref<void(OpPassManager &)>;

static LogicalResult runPasses(ModuleOp module, Build build) {
  PassManager passes(module.getContext());
  build(passes);
  return passes.run(module);
}

void fuzz::runIR(StringRef input) {
  MLIRContext &context = contextForInput();
  Listener listener(context);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(input, "input.mlir"), SMLoc());
  OwningOpRef<ModuleOp> module = parseModule("input.mlir", sources, &context, false);
  if (!listener.worked(static_cast<bool>(module), "reading") ||
      !listener.worked(succeeded(verifyListed(*module)), "verifying") ||
      !listener.worked(succeeded(bind(*module)), "binding"))
    return;
  auto lower = [&](const char *what, Build build) {
    return listener.worked(succeeded(runPasses(*module, build)), what);
  };
  LowerRulesPassOptions rules;
  unsigned choice = llvm::xxh3_64bits(input) % 12;
  rules.counters = choice % 2 ? Counting::Full : Counting::Changed;
  rules.records = choice / 2 % 2;
  if (lower("checking", [](OpPassManager &passes) { buildCheckPipeline(passes); }) &&
      lower("lowering rules",
            [&](OpPassManager &passes) { passes.addPass(createLowerRulesPass(rules)); }))
    lower("lowering ticks", [&](OpPassManager &passes) { buildDown(passes, choice / 4); });
}

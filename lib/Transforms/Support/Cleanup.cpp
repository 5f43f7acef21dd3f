//===- Cleanup.cpp - Canonicalization and CSE between passes --------------===//

#include "LCI/Transforms/Support/Cleanup.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void mlir::lci::addCleanup(OpPassManager &manager) {
  // Per function, because functions need different numbers of rewriting rounds.
  OpPassManager &functions = manager.getOpAnchorName() == ModuleOp::getOperationName()
                                 ? manager.nest<func::FuncOp>()
                                 : manager;
  GreedyRewriteConfig config;
  config.setUseTopDownTraversal(false);
  // Control flow is structured: there are no blocks to merge, and the search is a third of the
  // time.
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  // No value is carried twice, and comparing all carried values in pairs takes seconds for a
  // thousand rules.
  const std::string pairs("(anonymous namespace)::RemoveDuplicateSuccessorInputUses");
  functions.addPass(createCanonicalizerPass(config, {pairs}));
  functions.addPass(createCSEPass());
}

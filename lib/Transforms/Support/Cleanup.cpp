//===- Cleanup.cpp - What passes leave behind goes ------------------------===//

#include "LCI/Transforms/Support/Cleanup.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void mlir::lci::addCleanup(OpPassManager &manager) {
  // Function by function: the rounds that one of them takes are not those of all.
  OpPassManager &functions = manager.getOpAnchorName() == func::FuncOp::getOperationName()
                                 ? manager
                                 : manager.nest<func::FuncOp>();
  GreedyRewriteConfig config;
  config.setUseTopDownTraversal(false);
  // Loops are structured: there are no blocks to join, and to look for them is a third of the time.
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  // Nothing is carried twice, and to compare all that is in pairs takes seconds for a thousand
  // rules.
  const std::string pairs("(anonymous namespace)::RemoveDuplicateSuccessorInputUses");
  functions.addPass(createCanonicalizerPass(config, {pairs}));
  functions.addPass(createCSEPass());
}

//===- ParallelToOpenMP.cpp - Parallel loops by the target's threads ------===//
//
// Upstream's `convert-scf-to-openmp` takes the number of threads as an option of the pipeline; here
// it is the target's.
//
//===----------------------------------------------------------------------===//

#include "LCI/Dialect/LCIDialect.h"
#include "LCI/Transforms/CPU/Passes.h"
#include "mlir/Conversion/SCFToOpenMP/SCFToOpenMP.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/PassManager.h"

namespace mlir::lci {
#define GEN_PASS_DEF_PARALLELTOOPENMPPASS
#include "LCI/Transforms/CPU/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

/// Moves stack memory of a scope to the parallel region around it, where each thread has it once;
/// whether all of it could be moved.
static bool hoistAllocas(memref::AllocaScopeOp scope) {
  auto parallel = scope->getParentOfType<omp::ParallelOp>();
  SmallVector<memref::AllocaOp> allocas;
  scope.walk([&](memref::AllocaOp alloca) { allocas.push_back(alloca); });
  bool areStatic =
      llvm::all_of(allocas, [](memref::AllocaOp alloca) { return alloca->getNumOperands() == 0; });
  if (!allocas.empty() && (!parallel || !areStatic))
    return false;
  for (memref::AllocaOp alloca : allocas)
    alloca->moveBefore(&parallel.getRegion().front().front());
  return true;
}

/// Upstream wraps bodies in scopes of stack memory, whose region is one block. Loops in a body
/// become several blocks later, so the scopes go.
static void inlineScopes(ModuleOp module) {
  IRRewriter rewriter(module.getContext());
  SmallVector<memref::AllocaScopeOp> scopes;
  module.walk([&](memref::AllocaScopeOp scope) { scopes.push_back(scope); });
  for (memref::AllocaScopeOp scope : scopes) {
    if (!hoistAllocas(scope))
      continue;
    Block &body = scope.getBodyRegion().front();
    Operation *end = body.getTerminator();
    SmallVector<Value> results(end->getOperands());
    rewriter.eraseOp(end);
    rewriter.inlineBlockBefore(&body, scope);
    rewriter.replaceOp(scope, results);
  }
}

namespace {
struct ParallelToOpenMP : mlir::lci::impl::ParallelToOpenMPPassBase<ParallelToOpenMP> {
  using ParallelToOpenMPPassBase::ParallelToOpenMPPassBase;

  void runOnOperation() override {
    auto threads = static_cast<unsigned>(getCPUTarget(getOperation()).threads);
    if (threads == 1)
      return;
    OpPassManager upstream(ModuleOp::getOperationName());
    upstream.addPass(createConvertSCFToOpenMPPass({threads}));
    if (failed(runPipeline(upstream, getOperation())))
      return signalPassFailure();
    inlineScopes(getOperation());
  }
};
} // namespace

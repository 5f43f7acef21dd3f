//===- VectorizeCells.cpp - Vectorize ticks that draw or choose -----------===//

#include "LCI/Transforms/CPU/VectorizeCells.h"
#include "FewBits.h"
#include "LCI/Transforms/CPU/Passes.h"
#include "LCI/Transforms/Support/PassOptions.h"
#include "TickRows.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::lci {
#define GEN_PASS_DEF_VECTORIZECELLSPASS
#include "LCI/Transforms/CPU/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

bool mlir::lci::hasVectorRows(TickOp tick, int64_t vectorBits) {
  int64_t maxOperations = VectorizeCellsPassOptions().maxOperations;
  return vectorize::TickRows(tick, vectorBits, maxOperations).isFit();
}

namespace {
struct VectorizeCells : mlir::lci::impl::VectorizeCellsPassBase<VectorizeCells> {
  using VectorizeCellsPassBase::VectorizeCellsPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    return checkOptions(context, {{"max-operations", maxOperations, 0}});
  }

  void runOnOperation() override {
    int64_t vectorBits = getCPUTarget(getOperation()).vectorBits;
    SmallVector<TickOp> ticks;
    getOperation().walk([&](TickOp tick) {
      if (once || tick->getParentOfType<scf::ForOp>())
        ticks.push_back(tick);
    });
    llvm::SetVector<func::FuncOp> changed;
    for (TickOp tick : ticks) {
      vectorize::TickRows rows(tick, vectorBits, maxOperations);
      if (!rows.isFit())
        continue;
      changed.insert(tick->getParentOfType<func::FuncOp>());
      rows.emit();
      tick.erase();
      ++numTicks;
    }
    RewritePatternSet patterns(&getContext());
    vectorize::populateFewBitsPatterns(patterns);
    FrozenRewritePatternSet frozen(std::move(patterns));
    for (func::FuncOp function : changed)
      if (failed(applyPatternsGreedily(function, frozen)))
        return signalPassFailure();
  }
};
} // namespace

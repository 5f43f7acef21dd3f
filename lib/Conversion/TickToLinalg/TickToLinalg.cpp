//===- TickToLinalg.cpp - Conversion of ticks on memrefs to linalg --------===//

#include "LCI/Conversion/TickToLinalg/TickToLinalg.h"
#include "LCI/Conversion/TickToLinalg/Passes.h"
#include "LCI/Dialect/LCIDialect.h"
#include "LCI/Dialect/SettledCells.h"
#include "Lowerings.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mlir::lci {
#define GEN_PASS_DEF_CONVERTLCITOLINALGPASS
#include "LCI/Conversion/TickToLinalg/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

namespace {

struct ConvertLCIToLinalg : lci::impl::ConvertLCIToLinalgPassBase<ConvertLCIToLinalg> {
  using ConvertLCIToLinalgPassBase::ConvertLCIToLinalgPassBase;

  void runOnOperation() override {
    getOperation()->walk(
        [](TickOp tick) { isHeavy(tick) ? branchOnSettled(tick) : foldSettled(tick); });
    ConversionTarget target(getContext());
    target.addIllegalDialect<LCIDialect>();
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    RewritePatternSet patterns(&getContext());
    populateLCIToLinalgPatterns(patterns, atomicCounters);
    if (failed(applyPartialConversion(getOperation(), target, std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace

void lci::populateLCIToLinalgPatterns(RewritePatternSet &patterns, bool atomicCounters) {
  populateTickLowering(patterns, atomicCounters);
  populateAgreeLowering(patterns);
  populateHaloLowering(patterns, /*isParallel=*/atomicCounters);
  populateKeepSurestLowering(patterns, /*isParallel=*/atomicCounters);
}

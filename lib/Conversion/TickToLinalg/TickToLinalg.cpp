//===- TickToLinalg.cpp - Conversion of ticks on memrefs to linalg --------===//

#include "LCI/Conversion/TickToLinalg/TickToLinalg.h"
#include "LCI/Conversion/TickToLinalg/Passes.h"
#include "LCI/Dialect/DrawQueries.h"
#include "LCI/Dialect/LCIDialect.h"
#include "LCI/Dialect/SettledCells.h"
#include "LCI/Errors/ErrorId.h"
#include "Lowerings.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mlir::lci {
#define GEN_PASS_DEF_CONVERTLCITOLINALGPASS
#include "LCI/Conversion/TickToLinalg/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

/// The pass that replaces an operation which has no pattern here, or replaces its tensors; empty
/// for operations that have one.
static StringRef findEarlierPass(Operation *op) {
  if (isDraw(op))
    return "lci-expand-draws";
  if (isa<PhiloxOp>(op))
    return "lci-expand-philox";
  if (isa<ElementaryOp, ElementaryBinaryOp, FloorDivOp, FloorModOp, ThresholdOp>(op))
    return "lci-expand-math";
  return isa<TableOp>(op) ? "lci-bufferize-state" : "";
}

static LogicalResult checkOnMemrefs(Operation *op, bool isOnMemrefs) {
  if (isOnMemrefs)
    return success();
  InFlightDiagnostic error = op->emitOpError("expected memrefs, but got tensors")
                             << ErrorId::PassOrder;
  error.attachNote() << "run 'lci-bufferize-state' first";
  return error;
}

/// Checks that an operation of the dialect is lowered here: the driver's own message names no pass.
static LogicalResult checkLowered(Operation *op) {
  if (auto tick = dyn_cast<TickOp>(op))
    return failed(checkOnMemrefs(op, !tick.hasTensorSemantics())) ? failure() : checkGathers(tick);
  if (auto choice = dyn_cast<KeepSurestOp>(op))
    return checkOnMemrefs(op, isa<MemRefType>(choice.getAfter().getType()));
  if (StringRef pass = findEarlierPass(op); !pass.empty()) {
    InFlightDiagnostic error = op->emitOpError("expected to be expanded before ticks are converted")
                               << ErrorId::PassOrder;
    error.attachNote() << "run '" << pass << "' first";
    return error;
  }
  if (isa<LoadOp, InstallOp, AgreeOp, CandidateOp, VaryingOp, RefreshHaloOp>(op))
    return success();
  return op->emitOpError("is not lowered to linalg") << ErrorId::NotLowered;
}

namespace {

struct ConvertLCIToLinalg : mlir::lci::impl::ConvertLCIToLinalgPassBase<ConvertLCIToLinalg> {
  using ConvertLCIToLinalgPassBase::ConvertLCIToLinalgPassBase;

  void runOnOperation() override {
    WalkResult checked = getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      bool isOurs = isa_and_present<LCIDialect>(op->getDialect());
      return isOurs ? WalkResult(checkLowered(op)) : WalkResult::advance();
    });
    if (checked.wasInterrupted())
      return signalPassFailure();
    getOperation()->walk(
        [](TickOp tick) { isHeavy(tick) ? branchOnSettled(tick) : foldSettled(tick); });
    ConversionTarget target(getContext());
    target.addIllegalDialect<LCIDialect>();
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    RewritePatternSet patterns(&getContext());
    populateLCIToLinalgPatterns(patterns, isForGPU(getOperation()));
    if (failed(applyPartialConversion(getOperation(), target, std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace

void mlir::lci::populateLCIToLinalgPatterns(RewritePatternSet &patterns, bool atomicCounters) {
  populateTickLowering(patterns, atomicCounters);
  populateAgreeLowering(patterns);
  populateHaloLowering(patterns, /*isParallel=*/atomicCounters);
  populateKeepSurestLowering(patterns, /*isParallel=*/atomicCounters);
}

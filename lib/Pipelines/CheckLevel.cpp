//===- CheckLevel.cpp - Each pipeline begins at its own level ---------------===//

#include "LCI/Dialect/LCIOps.h"
#include "LCI/Pipelines/Passes.h"

namespace mlir::lci {
#define GEN_PASS_DEF_CHECKLEVELPASS
#include "LCI/Pipelines/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

/// Level 2: bound programs, and no ticks.
static LogicalResult checkBound(ModuleOp module) {
  for (auto program : module.getOps<ProgramOp>())
    if (!program.isBound()) {
      InFlightDiagnostic error = emitError(program.getLoc(), "expected a bound program, but '")
                                 << ErrorId::PassOrder << program.getSymName()
                                 << "' has sizes without numbers";
      error.attachNote() << "run lci-bind first";
      return error;
    }
  WalkResult walked = module.walk([](TickOp tick) {
    InFlightDiagnostic error = emitError(tick.getLoc(), "expected a bound program, but got ticks")
                               << ErrorId::PassOrder;
    error.attachNote() << "what lci-lower-rules has made is checked no more";
    return WalkResult::interrupt();
  });
  return failure(walked.wasInterrupted());
}

/// Level 3: ticks, and no program.
static LogicalResult checkLowered(ModuleOp module) {
  auto programs = module.getOps<ProgramOp>();
  if (programs.empty())
    return success();
  ProgramOp program = *programs.begin();
  InFlightDiagnostic error = emitError(program.getLoc(), "expected ticks, but got program '")
                             << ErrorId::PassOrder << program.getSymName() << "'";
  error.attachNote() << "run lci-bind, lci-check-pipeline and lci-lower-rules first";
  return error;
}

namespace {
struct CheckLevelPass : lci::impl::CheckLevelPassBase<CheckLevelPass> {
  using CheckLevelPassBase::CheckLevelPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    if (level == 2 || level == 3)
      return success();
    return emitError(UnknownLoc::get(context), "expected level 2 or 3, but got ")
           << ErrorId::PassOption << level.getValue();
  }

  void runOnOperation() override {
    if (failed(level == 2 ? checkBound(getOperation()) : checkLowered(getOperation())))
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace

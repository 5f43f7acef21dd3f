//===- CheckCausality.cpp - Reject reads of the future where forbidden ----===//

#include "CheckSupport.h"
#include "LCI/Analysis/Causality.h"
#include "LCI/Analysis/Notation.h"
#include "LCI/Transforms/Program/Passes.h"

namespace mlir::lci {
#define GEN_PASS_DEF_CHECKCAUSALITYPASS
#include "LCI/Transforms/Program/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

static void reportPath(ConstraintOp constraint, const FuturePath &path) {
  StringRef value = constraint.getValue();
  InFlightDiagnostic error = emitError(constraint.getLoc())
                             << ErrorId::NotCausal << describe(constraint)
                             << " forbids reading the future, but " << printCell(value, path.from)
                             << " reads " << printCell(value, path.to);
  for (VisibleOp line : path.chain)
    error.attachNote(line.getLoc()) << "through " << printVisible(line);
}

static void noteWhy(ProgramOp program, InFlightDiagnostic &error) {
  for (auto line : program.getOps<VisibleOp>())
    if (line.getGather()) {
      error.attachNote(line.getLoc()) << "what this line shows depends on parameters";
      return;
    }
  error.attachNote() << "there are too many cells to explore all of them";
}

static LogicalResult check(ConstraintOp constraint) {
  bool readsFuture = false;
  constraint.walk([&](ReadsFutureOp) { readsFuture = true; });
  if (!readsFuture)
    return success();
  ValueOp value = constraint->getParentOfType<ProgramOp>().lookupValue(constraint.getValue());
  Causality causality = analyzeCausality(value);
  switch (causality.answer) {
  case Causality::Answer::Never:
    return success();
  case Causality::Answer::Sometimes:
    if (constraint.getMood() == Mood::Require)
      return success();
    reportPath(constraint, causality.path);
    return failure();
  case Causality::Answer::Unknown:
    InFlightDiagnostic error = emitError(constraint.getLoc())
                               << ErrorId::NotCausal << "cannot prove that " << describe(constraint)
                               << " holds";
    noteWhy(constraint->getParentOfType<ProgramOp>(), error);
    return failure();
  }
  llvm_unreachable("an answer");
}

namespace {
struct CheckCausality : mlir::lci::impl::CheckCausalityPassBase<CheckCausality> {
  void runOnOperation() override {
    LogicalResult result = forEachBound(getOperation(), [](ProgramOp program) {
      LogicalResult all = success();
      for (auto constraint : program.getOps<ConstraintOp>())
        if (failed(check(constraint)))
          all = failure();
      return all;
    });
    if (failed(result))
      signalPassFailure();
  }
};
} // namespace

//===- CheckVisibility.cpp - Reads stay within what is visible --------------===//

#include "CheckSupport.h"
#include "LCI/Analysis/IndexDomain.h"
#include "LCI/Analysis/Notation.h"
#include "LCI/Analysis/Relations.h"
#include "LCI/Analysis/Visibility.h"
#include "LCI/Transforms/Passes.h"

namespace mlir::lci {
#define GEN_PASS_DEF_CHECKVISIBILITYPASS
#include "LCI/Transforms/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

static LogicalResult report(ReadOp read, Operation *declaration, const Visibility &visibility) {
  std::string missing = printMissingVisible(read);
  StringRef target = StringRef(missing).split(" <- ").second.split(" when ").first;
  if (visibility.answer == Visibility::Answer::Unknown) {
    InFlightDiagnostic error = emitError(read.getLoc())
                               << "cannot prove that " << target << " is visible to "
                               << describe(declaration);
    error.attachNote() << "say it with the same indices and conditions: " << missing;
    return failure();
  }
  InFlightDiagnostic error = emitError(read.getLoc()) << describe(declaration) << " reads "
                                                      << target << ", which is not visible";
  error.attachNote() << "cell " << printCell(getValueName(declaration), visibility.cell)
                     << " reads " << printCell(read.getValue(), visibility.target);
  error.attachNote() << "add: " << missing;
  return failure();
}

static LogicalResult check(ReadOp read, Operation *declaration) {
  if (!findComputed(read, IndexDomain::around(read)))
    return emitError(read.getLoc())
           << describe(declaration) << " reads '" << read.getValue()
           << "' at an index that is computed in part, which cannot be checked";
  Visibility visibility = analyzeVisibility(read);
  if (visibility.answer == Visibility::Answer::Visible)
    return success();
  return report(read, declaration, visibility);
}

namespace {
struct CheckVisibility : lci::impl::CheckVisibilityPassBase<CheckVisibility> {
  void runOnOperation() override {
    if (failed(forEachBound(getOperation(), checkProgram)))
      signalPassFailure();
  }

  static LogicalResult checkProgram(ProgramOp program) {
    LogicalResult result = success();
    for (Operation &declaration : program.getBody().front()) {
      if (!isa<RuleOp, ConstraintOp>(declaration))
        continue;
      declaration.walk([&](ReadOp read) {
        if (failed(check(read, &declaration)))
          result = failure();
      });
    }
    return result;
  }
};
} // namespace

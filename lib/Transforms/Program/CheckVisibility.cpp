//===- CheckVisibility.cpp - Reject reads that are not visible ------------===//

#include "CheckSupport.h"
#include "LCI/Analysis/IndexDomain.h"
#include "LCI/Analysis/Notation.h"
#include "LCI/Analysis/Relations.h"
#include "LCI/Analysis/Visibility.h"
#include "LCI/Transforms/Program/Passes.h"

namespace mlir::lci {
#define GEN_PASS_DEF_CHECKVISIBILITYPASS
#include "LCI/Transforms/Program/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

/// Attaches the lines that are visible instead, with their locations.
static void attachLines(InFlightDiagnostic &error, ReadOp read, Operation *declaration) {
  auto program = cast<ProgramOp>(declaration->getParentOp());
  SmallVector<VisibleOp> lines = getDeclarationsOn<VisibleOp>(program, getValueName(declaration));
  llvm::erase_if(lines, [&](VisibleOp line) { return line.getSource() != read.getValue(); });
  constexpr size_t kMost = 3; // more would bury the message
  for (VisibleOp line : ArrayRef(lines).take_front(kMost))
    error.attachNote(line.getLoc())
        << "visible is " << StringRef(printVisible(line)).drop_front(strlen("visible "));
}

static LogicalResult report(ReadOp read, Operation *declaration, const Visibility &visibility) {
  std::string missing = printMissingVisible(read);
  StringRef target = StringRef(missing).split(" <- ").second.split(" when ").first;
  if (visibility.answer == Visibility::Answer::Unknown) {
    InFlightDiagnostic error = emitError(read.getLoc())
                               << ErrorId::NotVisible << "cannot prove that " << target
                               << " is visible to " << describe(declaration);
    error.attachNote() << "say it with the same indices and conditions: " << missing;
    attachLines(error, read, declaration);
    return failure();
  }
  InFlightDiagnostic error = emitError(read.getLoc())
                             << ErrorId::NotVisible << describe(declaration) << " reads " << target
                             << ", which is not visible";
  error.attachNote() << "cell " << printCell(getValueName(declaration), visibility.cell)
                     << " reads " << printCell(read.getValue(), visibility.target);
  error.attachNote() << "add: " << missing;
  attachLines(error, read, declaration);
  return failure();
}

static LogicalResult check(ReadOp read, Operation *declaration) {
  if (!findComputed(read, IndexDomain::around(read)))
    return emitError(read.getLoc())
           << ErrorId::NotVisible << describe(declaration) << " reads '" << read.getValue()
           << "' at an index that is computed in part, which cannot be checked";
  Visibility visibility = analyzeVisibility(read);
  if (visibility.answer == Visibility::Answer::Visible)
    return success();
  return report(read, declaration, visibility);
}

namespace {
struct CheckVisibility : mlir::lci::impl::CheckVisibilityPassBase<CheckVisibility> {
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

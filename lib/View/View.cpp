//===- View.cpp - Draw views of a program ---------------------------------===//

#include "LCI/View/View.h"
#include "Views.h"

using namespace mlir;
using namespace mlir::lci;

/// Checks that sizes are constants.
static LogicalResult verifyBound(ProgramOp program) {
  for (auto value : program.getOps<ValueOp>())
    if (!value.isSet() && !value.getExtents())
      return emitError(value.getLoc())
             << ErrorId::UnboundSize << "expected numbers for sizes, to draw the cells of '"
             << value.getSymName() << "'; bind the program first (lci-bind, or bindings)";
  return success();
}

static FailureOr<std::vector<Panel>> makePanels(ProgramOp program, ViewKind kind,
                                                const ViewOptions &options) {
  switch (kind) {
  case ViewKind::Visibility:
    return viewVisibility(program, options);
  case ViewKind::Schedule:
    return viewSchedule(program, options);
  case ViewKind::Constraints:
    return viewConstraints(program, options);
  }
  llvm_unreachable("a view");
}

static LogicalResult refuseEmpty(ProgramOp program, ViewKind kind) {
  static constexpr const char *kMissing[] = {"a cell that may read another", "a value with a rule",
                                             "a constraint on cells"};
  return emitError(program.getLoc())
         << ErrorId::NothingToDraw << "expected " << kMissing[static_cast<int>(kind)]
         << " to draw, but found none";
}

LogicalResult mlir::lci::drawView(ProgramOp program, ViewKind kind, const ViewOptions &options,
                                  llvm::raw_ostream &output) {
  if (failed(verifyBound(program)))
    return failure();
  FailureOr<std::vector<Panel>> panels = makePanels(program, kind, options);
  if (failed(panels))
    return failure();
  if (panels->empty())
    return refuseEmpty(program, kind);
  static constexpr const char *kTitles[] = {"what cells may read",
                                            "when cells are up for agreement",
                                            "which constraints speak of which cells"};
  drawSheet({options.name + ": " + kTitles[static_cast<int>(kind)], *panels}, output);
  return success();
}

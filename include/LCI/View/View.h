//===- View.h - Pictures of what a program says ---------------------------===//
//
// Three facts of a bound program as SVG: what cells may read, when they are up for agreement, and
// which constraints speak of them. The facts are those of the analyses and of the interpreter; here
// they are only chosen and drawn.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_VIEW_VIEW_H
#define LCI_VIEW_VIEW_H

#include "LCI/Analysis/Constraints.h"

namespace mlir::lci {

enum class ViewKind { Visibility, Schedule, Constraints };

struct ViewOptions {
  /// What the picture calls the program.
  std::string name;
  /// How many cells of an axis are shown at most.
  int64_t window = 16;
  /// The regions of a run. Without them a region is drawn as all that it may hold.
  const NamedSets *named = nullptr;
};

/// Draws a bound program; a program without what is asked for is an error.
LogicalResult drawView(ProgramOp program, ViewKind kind, const ViewOptions &options,
                       llvm::raw_ostream &output);

} // namespace mlir::lci

#endif // LCI_VIEW_VIEW_H

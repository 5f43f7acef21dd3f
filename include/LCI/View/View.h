//===- View.h - Draw views of a program -----------------------------------===//
//
// Three properties of a bound program as SVG: the cells that cells may read, the phases in which
// they are scheduled, and the constraints on them. The facts come from the analyses and from the
// interpreter; here they are only selected and drawn.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_VIEW_VIEW_H
#define LCI_VIEW_VIEW_H

#include "LCI/Analysis/Constraints.h"

namespace mlir::lci {

enum class ViewKind { Visibility, Schedule, Constraints };

struct ViewOptions {
  /// The name of the program in the picture.
  std::string name;
  /// The most cells of an axis that are shown.
  int64_t window = 16;
  /// The regions of a run. Without them a region is drawn as all cells that it may contain.
  const NamedSets *named = nullptr;
};

/// Draws a bound program; a program without the requested declarations is an error.
LogicalResult drawView(ProgramOp program, ViewKind kind, const ViewOptions &options,
                       llvm::raw_ostream &output);

} // namespace mlir::lci

#endif // LCI_VIEW_VIEW_H

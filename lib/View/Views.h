//===- Views.h - The panels of each view ------------------------*- C++ -*-===//
//
// One function for each kind of view; drawView (LCI/View/View.h) calls the selected one and draws
// its panels as a sheet.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_VIEW_VIEWS_H
#define LCI_LIB_VIEW_VIEWS_H

#include "LCI/View/View.h"
#include "Sheet.h"

namespace mlir::lci {

/// The reads of an inner cell and of one in a corner, for each value and each source.
FailureOr<std::vector<Panel>> viewVisibility(ProgramOp program, const ViewOptions &options);
/// The phases of each value that rules change; fails for a schedule without phases.
FailureOr<std::vector<Panel>> viewSchedule(ProgramOp program, const ViewOptions &options);
/// The cells of each constraint.
FailureOr<std::vector<Panel>> viewConstraints(ProgramOp program, const ViewOptions &options);

} // namespace mlir::lci

#endif // LCI_LIB_VIEW_VIEWS_H

//===- Views.h - The panels of each view ------------------------*- C++ -*-===//

#ifndef LCI_LIB_VIEW_VIEWS_H
#define LCI_LIB_VIEW_VIEWS_H

#include "LCI/View/View.h"
#include "Sheet.h"

namespace mlir::lci {

/// What an inner cell and one in a corner may read, for each value and each that it sees.
FailureOr<std::vector<Panel>> viewVisibility(ProgramOp program, const ViewOptions &options);
/// The phases of each value that rules change; fails where its schedule has none.
FailureOr<std::vector<Panel>> viewSchedule(ProgramOp program, const ViewOptions &options);
/// The cells that each constraint speaks of.
FailureOr<std::vector<Panel>> viewConstraints(ProgramOp program, const ViewOptions &options);

} // namespace mlir::lci

#endif // LCI_LIB_VIEW_VIEWS_H

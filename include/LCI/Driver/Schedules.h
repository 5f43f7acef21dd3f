//===- Schedules.h - Schedules on the command line --------------*- C++ -*-===//
#ifndef LCI_DRIVER_SCHEDULES_H
#define LCI_DRIVER_SCHEDULES_H

#include "mlir/Pass/PassManager.h"

namespace mlir::lci {

/// Adds `--lci-print-schedule=PIPELINE` and `--lci-apply-schedule=F.mlir`. To be called before the
/// command line is parsed.
void addScheduleFlags();

/// Whether a schedule is to be printed; and prints it to a file. An input would not be read, and is
/// an error.
bool isScheduleSelected();
LogicalResult printSelectedSchedule(StringRef input, StringRef output);

/// Adds the schedule of the command line to the end of a pipeline, if there is one.
LogicalResult addSchedule(PassManager &manager);

} // namespace mlir::lci

#endif // LCI_DRIVER_SCHEDULES_H

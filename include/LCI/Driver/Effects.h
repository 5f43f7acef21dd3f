//===- Effects.h - Warn of clauses without effect ---------------*- C++ -*-===//
//
// Clauses that change nothing in a run, whatever its arguments: schedules that select no cell, and
// scores that are never compared. They are allowed, and worth a warning.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_DRIVER_EFFECTS_H
#define LCI_DRIVER_EFFECTS_H

#include "LCI/Dialect/LCIOps.h"
#include "LCI/Driver/RunOptions.h"

namespace mlir::lci {

/// Warns of such clauses in a bound program.
void warnOfNoEffect(ProgramOp program, const RunOptions &options);

} // namespace mlir::lci

#endif // LCI_DRIVER_EFFECTS_H

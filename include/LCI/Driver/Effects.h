//===- Effects.h - What a program says in vain ------------------*- C++ -*-===//
//
// Clauses that change nothing in a run, whatever it is given: schedules by which no cell is up, and
// scores at which nobody looks. They are allowed, and worth a warning.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_DRIVER_EFFECTS_H
#define LCI_DRIVER_EFFECTS_H

#include "LCI/Dialect/LCIOps.h"
#include "LCI/Driver/RunOptions.h"

namespace mlir::lci {

/// Warns of them, in a bound program.
void warnOfNoEffect(ProgramOp program, const RunOptions &options);

} // namespace mlir::lci

#endif // LCI_DRIVER_EFFECTS_H

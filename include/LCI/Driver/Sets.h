//===- Sets.h - The sets of a program ---------------------------*- C++ -*-===//
//
// A set of events is the log of scheduled strategies of a run; a set of rules holds the enabled
// declarations. Both are values of the program, but are stored with the run
// (LCI/Runtime/History.h).
//
//===----------------------------------------------------------------------===//
#ifndef LCI_DRIVER_SETS_H
#define LCI_DRIVER_SETS_H

#include "LCI/Dialect/LCIOps.h"
#include "LCI/Driver/Outputs.h"
#include "LCI/Runtime/History.h"
#include "llvm/Support/JSON.h"

namespace mlir::lci {

/// The events that each epoch of a bound program adds to its sets of events.
::lci::Schedules schedulesOf(ProgramOp program);

/// The names of the program's sets.
std::vector<std::string> setNamesOf(ProgramOp program);

/// The contents of a set: events with their epochs, or all rules and constraints with their states.
llvm::json::Value toJson(ValueOp set, const ::lci::History &history);

/// Writes the output files of sets.
::lci::Status writeSets(ProgramOp program, const ::lci::History &history,
                        llvm::ArrayRef<NamedFile> files);

} // namespace mlir::lci

#endif // LCI_DRIVER_SETS_H

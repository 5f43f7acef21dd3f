//===- Sets.h - The sets of a program ---------------------------*- C++ -*-===//
//
// A set of events is the log of what a run has scheduled; a set of rules is which declarations are
// on. Both are values of the program, but they live with the run (LCI/Runtime/History.h).
//
//===----------------------------------------------------------------------===//
#ifndef LCI_DRIVER_SETS_H
#define LCI_DRIVER_SETS_H

#include "LCI/Dialect/LCIOps.h"
#include "LCI/Driver/Outputs.h"
#include "LCI/Runtime/History.h"
#include "llvm/Support/JSON.h"

namespace mlir::lci {

/// What each epoch of a bound program adds to its sets of events.
::lci::Schedules schedulesOf(ProgramOp program);

/// The names of the program's sets.
std::vector<std::string> setNamesOf(ProgramOp program);

/// What a set holds: events with their epochs, or all rules and constraints and whether they are
/// on.
llvm::json::Value toJson(ValueOp set, const ::lci::History &history);

/// Writes those of the files that are of sets.
::lci::Status writeSets(ProgramOp program, const ::lci::History &history,
                        llvm::ArrayRef<NamedFile> files);

} // namespace mlir::lci

#endif // LCI_DRIVER_SETS_H

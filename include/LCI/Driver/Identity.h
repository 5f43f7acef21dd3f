//===- Identity.h - What makes a run the run that it is ---------*- C++ -*-===//
//
// A checkpoint is gone on from by a run of the same program that is given the same: sizes, models,
// parameters, palettes, regions, weights, inputs, seed, and what flags change in bits or counts.
// Switches are no part of it: what is on is in the checkpoint, and may be switched.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_DRIVER_IDENTITY_H
#define LCI_DRIVER_IDENTITY_H

#include "LCI/Bindings/Bindings.h"
#include "LCI/Dialect/LCIOps.h"
#include "LCI/Driver/RunOptions.h"
#include "LCI/Driver/ValueInfo.h"
#include "LCI/Execution/Backend.h"
#include "LCI/Runtime/RunState.h"

namespace mlir::lci {

/// The text of a program and of all in its module, by which checkpoints know it: to be asked for
/// before it is bound, since then some of it follows from what a run is given.
std::string programText(ProgramOp program);

/// What a bound program is, whatever its runs are given: `program`, `defaults` and `described`. The
/// digest is SHA-256 of its text, of its sizes and models, and of what else fixes its meaning.
FailureOr<::lci::RunIdentity> identityOf(StringRef text, ProgramOp program,
                                         const ::lci::Bindings &bindings);

/// Of a run of that program.
::lci::RunIdentity identityOf(const ::lci::RunIdentity &program, const RunOptions &options,
                              const RunArguments &arguments,
                              const std::map<std::string, ::lci::Array> &inputs);

/// Says that a run of so many epochs has come to its end before it goes on from a state.
void warnOfNothingToRun(const ::lci::Checkpoint &checkpoint, int64_t epochs, const Twine &state,
                        MLIRContext *context);

/// A run counts what it began to count, unless a flag says something else: sums of a part of it are
/// none of the whole. Warns where a report is asked for more.
void goOnCounting(const ::lci::Checkpoint &checkpoint, RunOptions &options, MLIRContext *context);

/// The cells that a run goes on from, if it is the one that a checkpoint is of.
::lci::Result<std::map<std::string, ::lci::Array>> admit(::lci::Checkpoint &checkpoint,
                                                         ArrayRef<ValueInfo> values,
                                                         const RunOptions &options,
                                                         ::lci::RunIdentity &identity);

} // namespace mlir::lci

#endif // LCI_DRIVER_IDENTITY_H

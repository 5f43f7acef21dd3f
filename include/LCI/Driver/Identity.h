//===- Identity.h - The identity of a run -----------------------*- C++ -*-===//
//
// A checkpoint can be resumed by a run of the same program with the same arguments: sizes, models,
// parameters, palettes, regions, weights, inputs, seed, and flags that change bits or counters.
// Switches are not part of it: their states are in the checkpoint, and may be changed.
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

/// The text of a program and of its whole module, by which checkpoints identify it: to be called
/// before it is bound, since binding changes it by the arguments of a run.
std::string programText(ProgramOp program);

/// The identity of a bound program, independent of its runs: `program`, `defaults` and `described`.
/// The digest is SHA-256 of its text, of its sizes and models, and of all else that determines its
/// meaning.
FailureOr<::lci::RunIdentity> identityOf(StringRef text, ProgramOp program,
                                         const ::lci::Bindings &bindings);

/// The identity of a run of that program.
::lci::RunIdentity identityOf(const ::lci::RunIdentity &program, const RunOptions &options,
                              const RunArguments &arguments,
                              const std::map<std::string, ::lci::Array> &inputs);

/// Warns that a run of so many epochs ends before the state that it continues from.
void warnOfNothingToRun(const ::lci::Checkpoint &checkpoint, int64_t epochs, const Twine &state,
                        MLIRContext *context);

/// A resumed run counts the same as before, unless a flag says otherwise: sums of a part of it are
/// no sums of the whole. Warns if a report requests more.
void goOnCounting(const ::lci::Checkpoint &checkpoint, RunOptions &options, MLIRContext *context);

/// The cells of a checkpoint, if it has the identity of the run.
::lci::Result<std::map<std::string, ::lci::Array>> admit(::lci::Checkpoint &checkpoint,
                                                         ArrayRef<ValueInfo> values,
                                                         const RunOptions &options,
                                                         ::lci::RunIdentity &identity);

} // namespace mlir::lci

#endif // LCI_DRIVER_IDENTITY_H

//===- Outputs.h - Values as files ------------------------------*- C++ -*-===//
//
// `--output Value=F.npy` and `--picture Value=F.png`.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_DRIVER_OUTPUTS_H
#define LCI_DRIVER_OUTPUTS_H

#include "LCI/Driver/RunOptions.h"
#include "LCI/Driver/ValueInfo.h"
#include "LCI/Execution/Backend.h"
#include "LCI/Runtime/FileUse.h"

namespace mlir::lci {

/// Takes `NAME=FILE` apart; `flag` stands in the message.
::lci::Result<NamedFile> parseNamedFile(StringRef text, StringRef flag);

/// Whether every name is one of the values, or of the sets where these can be written; the error
/// has the nearest name.
::lci::Status checkOutputNames(const RunOptions &options, ArrayRef<ValueInfo> values,
                               ArrayRef<std::string> sets);

/// Whether all that the run is asked to leave could be written now, before it, and over nothing
/// that it reads: the files of its bindings and those that flags name.
::lci::Status checkOutputs(const RunOptions &options, ArrayRef<::lci::FileUse> read,
                           ArrayRef<ValueInfo> values, bool hasObservers);

/// Writes all outputs and pictures.
::lci::Status writeOutputs(const RunOptions &options, ArrayRef<ValueInfo> values, Backend &backend);

/// Whether a file of the run goes to standard output, where nothing else may stand then.
bool writesToStandardOutput(const RunOptions &options);

} // namespace mlir::lci

#endif // LCI_DRIVER_OUTPUTS_H

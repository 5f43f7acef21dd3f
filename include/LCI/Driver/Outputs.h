//===- Outputs.h - Write values to files ------------------------*- C++ -*-===//
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

/// The parts of `NAME=FILE`; `flag` is quoted in the message.
::lci::Result<NamedFile> parseNamedFile(StringRef text, StringRef flag);

/// Whether every name is one of the values, or of the sets where these can be written; the error
/// suggests the nearest name.
::lci::Status checkOutputNames(const RunOptions &options, ArrayRef<ValueInfo> values,
                               ArrayRef<std::string> sets);

/// Whether all outputs of the run can be written now, before it, and overwrite nothing that it
/// reads: the files of its bindings and of flags.
::lci::Status checkOutputs(const RunOptions &options, ArrayRef<::lci::FileUse> read,
                           ArrayRef<ValueInfo> values, bool hasObservers);

/// Writes all outputs and pictures.
::lci::Status writeOutputs(const RunOptions &options, ArrayRef<ValueInfo> values, Backend &backend);

/// Whether an output goes to standard output, which must then contain nothing else.
bool writesToStandardOutput(const RunOptions &options);

} // namespace mlir::lci

#endif // LCI_DRIVER_OUTPUTS_H

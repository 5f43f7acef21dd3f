//===- Lowered.h - Run IR below programs ------------------------*- C++ -*-===//
#ifndef LCI_DRIVER_LOWERED_H
#define LCI_DRIVER_LOWERED_H

#include "LCI/Driver/RunOptions.h"
#include "LCI/Driver/Session.h"

namespace mlir::lci {

/// Runs a file of IR from the level that it is on (compileAsItIs) with the options of lmpm-run:
/// `--set` gives its arguments besides values; options that need the program itself are errors.
ExitStatus runLowered(const RunOptions &options, const DialectRegistry &registry,
                      llvm::raw_ostream &out, llvm::raw_ostream &err);

} // namespace mlir::lci

#endif // LCI_DRIVER_LOWERED_H

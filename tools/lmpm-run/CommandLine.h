//===- CommandLine.h - The flags of lmpm-run --------------------*- C++ -*-===//
//
// Parses argv into RunOptions; its help text teaches the tool.
//
//===----------------------------------------------------------------------===//

#ifndef LMPM_RUN_COMMANDLINE_H
#define LMPM_RUN_COMMANDLINE_H

#include "LCI/Driver/RunOptions.h"

/// Parses the command line; prints an error and returns nothing if it is wrong.
std::optional<mlir::lci::RunOptions> parseCommandLine(int argc, char **argv);

#endif // LMPM_RUN_COMMANDLINE_H

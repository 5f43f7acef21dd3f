//===- CommandLine.h - The flags of lmpm-run --------------------*- C++ -*-===//
//
// From argv to RunOptions, with a help text that teaches.
//
//===----------------------------------------------------------------------===//
#ifndef LMPM_RUN_COMMANDLINE_H
#define LMPM_RUN_COMMANDLINE_H

#include "LCI/Driver/RunOptions.h"

/// Parses the command line; prints what is wrong with it and returns nothing.
std::optional<mlir::lci::RunOptions> parseCommandLine(int argc, char **argv);

#endif // LMPM_RUN_COMMANDLINE_H

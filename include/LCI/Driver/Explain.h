//===- Explain.h - `--explain=ID` of every tool -----------------*- C++ -*-===//

#ifndef LCI_DRIVER_EXPLAIN_H
#define LCI_DRIVER_EXPLAIN_H

#include "llvm/Support/CommandLine.h"

namespace mlir::lci {

/// Adds the flag `--explain=ID`, which prints the page of a message's identifier and exits. To be
/// called before the command line is parsed; `category` is its category in `--help`.
void addExplainFlag(llvm::cl::OptionCategory &category = llvm::cl::getGeneralCategory());

} // namespace mlir::lci

#endif // LCI_DRIVER_EXPLAIN_H

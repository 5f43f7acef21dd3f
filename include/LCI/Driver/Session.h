//===- Session.h - One run of lmpm-run --------------------------*- C++ -*-===//
//
// From a command line to an exit status: load, bind, check, set arguments, run, write. Each step is
// one function; a program that embeds the compiler may call runProgram like the tool.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_DRIVER_SESSION_H
#define LCI_DRIVER_SESSION_H

#include "LCI/Driver/RunOptions.h"
#include "LCI/Runtime/Limits.h"
#include "mlir/IR/DialectRegistry.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::lci {

/// Exit statuses of lmpm-run.
enum class ExitStatus {
  Success = 0,
  Failure = 1,
  OutOfTime = ::lci::kOutOfTime,
  Interrupted = 130
};

/// Runs a program with the given options. The summary and explanations go to `out` (to `err` where
/// a file goes to standard output), diagnostics to `err`.
ExitStatus runProgram(const RunOptions &options, const DialectRegistry &registry,
                      llvm::raw_ostream &out, llvm::raw_ostream &err);

} // namespace mlir::lci

#endif // LCI_DRIVER_SESSION_H

//===- lmpm-run.cpp - Runs programs ---------------------------------------===//
//
// Parses the command line and returns the exit status; LCI/Driver does the run.
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "LCI/Driver/Session.h"
#include "LCI/InitAllDialects.h"
#include "LCI/Tools/ToolInit.h"
#include "mlir/InitAllDialects.h"

int main(int argc, char **argv) {
  mlir::lci::initTool("lmpm-run");
  std::optional<mlir::lci::RunOptions> options = parseCommandLine(argc, argv);
  if (!options)
    return static_cast<int>(mlir::lci::ExitStatus::Failure);

  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::lci::registerAllDialects(registry);
  return static_cast<int>(mlir::lci::runProgram(*options, registry, llvm::outs(), llvm::errs()));
}

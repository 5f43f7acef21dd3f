//===- lmpm-lsp-server.cpp - Language server ------------------------------===//
//
// Serves texts of the language, or with --mlir the IR of every level as mlir-lsp-server does, with
// this project's dialect. An editor starts it; messages arrive on standard input.
//
//===----------------------------------------------------------------------===//

#include "LCI/InitAllDialects.h"
#include "LCI/LanguageServer/Server.h"
#include "LCI/Tools/ToolInit.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Program.h"

namespace cl = llvm::cl;

static constexpr const char *overview =
    "lmpm-lsp-server - tells an editor about programs\n\n"
    "  An editor starts it and speaks the Language Server Protocol on standard input and\n"
    "  output. Where bindings.json stands beside a program (or the client says\n"
    "  initializationOptions.bindings), the program is also bound and checked.\n";

static cl::OptionCategory category("lmpm-lsp-server options");
static cl::opt<bool>
    serveMLIR("mlir", cl::cat(category),
              cl::desc("Serve .mlir files; flags behind it are mlir-lsp-server's"));

/// mlir-lsp-server parses the arguments behind --mlir itself.
static int runMLIR(int argc, char **argv, mlir::DialectRegistry &registry) {
  std::vector<char *> arguments;
  for (char *argument : llvm::ArrayRef(argv, argc))
    if (llvm::StringRef(argument) != "--mlir")
      arguments.push_back(argument);
  return mlir::failed(mlir::MlirLspServerMain(arguments.size(), arguments.data(), registry));
}

int main(int argc, char **argv) {
  mlir::lci::initTool("lmpm-lsp-server");
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::lci::registerAllDialects(registry);
  if (argc > 1 && llvm::StringRef(argv[1]) == "--mlir")
    return runMLIR(argc, argv, registry);

  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, overview);
  llvm::sys::ChangeStdinToBinary();
  llvm::lsp::JSONTransport transport(lmpm::readMessages(stdin), llvm::outs());
  return mlir::failed(lmpm::runLanguageServer(transport, registry));
}

//===- Optimizing.cpp - Run passes on a file of IR ------------------------===//
#include "LCI/Driver/Optimizing.h"
#include "LCI/Driver/Loading.h"
#include "LCI/Pipelines/PassLevels.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/ToolOutputFile.h"
#include <cstdio>

using namespace mlir;

/// Checks a text in a separate context: upstream's main creates the one that parses it.
static LogicalResult checkText(StringRef path, const llvm::MemoryBuffer &text) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(text.getMemBufferRef(), false),
                             SMLoc());
  SourceMgrDiagnosticHandler handler(sources, &context);
  mlir::lci::showErrorIds(&context);
  return failure(failed(mlir::lci::checkIsIR(path, text, &context)) ||
                 failed(mlir::lci::checkNest(text, &context)));
}

using Extend = llvm::function_ref<LogicalResult(PassManager &)>;

/// The configuration of the command line, with the levels of passes checked; a pipeline that is
/// only printed is printed as given.
static MlirOptMainConfig makeConfig(Extend extend) {
  MlirOptMainConfig given = MlirOptMainConfig::createFromCLOptions(), config = given;
  if (given.shouldDumpPassPipeline())
    return given;
  return config.setPassPipelineSetupFn([given, extend](PassManager &manager) {
    if (failed(given.setupPassPipeline(manager)))
      return failure();
    mlir::lci::guardLevels(manager);
    return extend(manager);
  });
}

/// Like upstream's main on a file, with another configuration.
static LogicalResult runPasses(StringRef input, StringRef output, DialectRegistry &registry,
                               Extend extend) {
  if (input == "-" && llvm::sys::Process::FileDescriptorIsDisplayed(fileno(stdin)))
    llvm::errs() << "(processing input from stdin now, hit ctrl-c/ctrl-d to interrupt)\n";
  std::string reason;
  std::unique_ptr<llvm::MemoryBuffer> text = openInputFile(input, &reason);
  std::unique_ptr<llvm::ToolOutputFile> file = text ? openOutputFile(output, &reason) : nullptr;
  if (!file) {
    llvm::errs() << reason << "\n";
    return failure();
  }
  if (failed(MlirOptMain(file->os(), std::move(text), registry, makeConfig(extend))))
    return failure();
  file->keep();
  return success();
}

/// What is printed while passes run is printed by one thread: lines stay whole, and upstream's log
/// of actions, which is not made for several threads, does not crash. Nor does one run a module
/// that others are changing.
static void traceInOneThread() {
  llvm::DenseMap<StringRef, llvm::cl::Option *> &flags = llvm::cl::getRegisteredOptions();
  auto isGiven = [&](StringRef name) {
    llvm::cl::Option *flag = flags.lookup(name);
    return flag && flag->getNumOccurrences() > 0;
  };
  constexpr StringRef threads = "mlir-disable-threading";
  constexpr StringRef traces[] = {"debug-only", "log-actions-to", "mlir-debug-counter",
                                  "lci-verify-by-running"};
  bool isTraced = llvm::any_of(traces, isGiven);
  if (isTraced && !isGiven(threads))
    flags.lookup(threads)->addOccurrence(/*pos=*/0, threads, "true");
}

LogicalResult mlir::lci::optimizeFile(int argc, char **argv, StringRef input, StringRef output,
                                      DialectRegistry &registry, Extend extend) {
  // Files that can be read only once are not checked; upstream reports those that cannot be opened.
  std::unique_ptr<llvm::MemoryBuffer> text =
      input != "-" && llvm::sys::fs::is_regular_file(input) ? openInputFile(input) : nullptr;
  if (text && failed(checkText(input, *text)))
    return failure();
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return MlirOptMain(argc, argv, input, output, registry);
  llvm::InitLLVM init(argc, argv);
  traceInOneThread();
  return runPasses(input, output, registry, extend);
}

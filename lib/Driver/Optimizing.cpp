//===- Optimizing.cpp - Passes on a file of IR ----------------------------===//
#include "LCI/Driver/Optimizing.h"
#include "LCI/Driver/Loading.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;

/// Looks at a text in a context of its own: upstream's main makes the one in which it is read.
static LogicalResult checkText(const llvm::MemoryBuffer &text) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(text.getMemBufferRef(), false),
                             SMLoc());
  SourceMgrDiagnosticHandler handler(sources, &context);
  lci::showErrorIds(&context);
  return lci::checkNest(text, &context);
}

LogicalResult lci::optimizeFile(int argc, char **argv, StringRef input, StringRef output,
                                DialectRegistry &registry) {
  // What can be read once only is not looked at; what cannot be opened, upstream says.
  std::unique_ptr<llvm::MemoryBuffer> text =
      input != "-" && llvm::sys::fs::is_regular_file(input) ? openInputFile(input) : nullptr;
  if (text && failed(checkText(*text)))
    return failure();
  return MlirOptMain(argc, argv, input, output, registry);
}

//===- Program.cpp - Fuzz target: texts of programs -----------------------===//
#include "Contexts.h"
#include "LCI/Driver/Loading.h"
#include "LCI/Target/LMPM/LMPM.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace fuzz;

static OwningOpRef<ModuleOp> read(StringRef text, MLIRContext &context) {
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, "input.lmpm"), SMLoc());
  return mlir::lci::parseModule("input.lmpm", sources, &context);
}

static std::string write(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  check(succeeded(mlir::lci::exportLMPM(*module.getOps<mlir::lci::ProgramOp>().begin(), os)),
        "a program that was read cannot be written");
  return text;
}

void fuzz::runProgram(StringRef input) {
  MLIRContext &context = contextForInput();
  Listener listener(context);
  OwningOpRef<ModuleOp> module = read(input, context);
  if (!listener.worked(static_cast<bool>(module), "reading"))
    return;
  check(listener.countErrors() == 0, "an error was said of a program that was read");
  check(succeeded(verify(*module)), "a program that was read is not valid");
  std::string text = write(*module);
  OwningOpRef<ModuleOp> again = read(text, context);
  check(static_cast<bool>(again), "a program that was written cannot be read");
  // The IR may differ: several spellings, such as of a list of tokens, have one canonical form.
  check(write(*again) == text, "a program that was written is read as another one");
}

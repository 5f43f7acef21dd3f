//===- Loading.cpp - Programs from files ----------------------------------===//
#include "LCI/Driver/Loading.h"
#include "LCI/Target/LMPM/LMPM.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace mlir::lci;

OwningOpRef<ModuleOp> mlir::lci::loadModule(const std::string &path, llvm::SourceMgr &sources,
                                            MLIRContext *context) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer =
      llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (std::error_code code = buffer.getError()) {
    emitError(UnknownLoc::get(context)) << "cannot open '" << path << "': " << code.message();
    return nullptr;
  }
  sources.AddNewSourceBuffer(std::move(*buffer), SMLoc());
  return parseModule(path, sources, context);
}

OwningOpRef<ModuleOp> mlir::lci::parseModule(StringRef path, llvm::SourceMgr &sources,
                                             MLIRContext *context) {
  if (path.ends_with(".lmpm"))
    return importLMPM(sources, context);
  return parseSourceFile<ModuleOp>(sources, context);
}

FailureOr<ProgramOp> mlir::lci::findProgram(ModuleOp module, const std::string &path) {
  auto programs = llvm::to_vector(module.getOps<ProgramOp>());
  if (programs.size() == 1)
    return programs.front();
  if (programs.empty())
    return emitError(UnknownLoc::get(module.getContext()))
           << "'" << path << "' has no lci.program to run";
  InFlightDiagnostic error = programs[1].emitError()
                             << "expected one program in a file, but got " << programs.size();
  error.attachNote(programs[0].getLoc()) << "the first one is here";
  return error;
}

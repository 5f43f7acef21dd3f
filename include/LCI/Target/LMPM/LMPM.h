//===- LMPM.h - Programs as text --------------------------------*- C++ -*-===//
//
// `lmpm-translate --import-lmpm` and `--export-lmpm`: from text to the program form and back.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_TARGET_LMPM_LMPM_H
#define LCI_TARGET_LMPM_LMPM_H

#include "LCI/Dialect/LCIOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/SourceMgr.h"

namespace lmpm {
struct Program;
} // namespace lmpm

namespace mlir::lci {

/// Imports the main buffer of `sources`. Errors go to the context's diagnostic engine, each at its
/// location in the text; the result is then null.
OwningOpRef<ModuleOp> importLMPM(llvm::SourceMgr &sources, MLIRContext *context);

/// Imports declarations that were not parsed from a text of the language (AST.h), as the Python
/// package makes them. All their locations lie in buffers of `sources`.
OwningOpRef<ModuleOp> importLMPM(const lmpm::Program &program, const llvm::SourceMgr &sources,
                                 MLIRContext *context);

/// Writes the program as canonical text. Emits an error and fails for IR that does not verify or
/// that the language cannot express.
LogicalResult exportLMPM(ProgramOp program, llvm::raw_ostream &os);

/// The functions a program may call, for hints.
ArrayRef<StringRef> getFunctionNames();

/// Registers both translations.
void registerLMPMTranslations();

} // namespace mlir::lci

#endif // LCI_TARGET_LMPM_LMPM_H

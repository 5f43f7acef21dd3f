//===- Loading.h - Load programs from files ---------------------*- C++ -*-===//
//
// Parses `.lmpm` text or a `.mlir` module of level 1 or 2 and finds the one program in it.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_DRIVER_LOADING_H
#define LCI_DRIVER_LOADING_H

#include "LCI/Dialect/LCIOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/SourceMgr.h"

namespace mlir::lci {

/// Parses a program's file; its text is added to `sources`, so that diagnostics can show it. Unless
/// it is verified, `verifyListed` has to follow.
OwningOpRef<ModuleOp> loadModule(const std::string &path, llvm::SourceMgr &sources,
                                 MLIRContext *context, bool verifies = true);

/// Parses the main file of `sources`, whose name tells whether it is text of the language or IR.
OwningOpRef<ModuleOp> parseModule(StringRef path, llvm::SourceMgr &sources, MLIRContext *context,
                                  bool verifies = true);

/// Rejects what is not UTF-8, and texts of the language, rules and patterns of Golly, under the
/// name of IR.
LogicalResult checkIsIR(StringRef path, const llvm::MemoryBuffer &text, MLIRContext *context);

/// Rejects IR that is nested too deep, which MLIR's parser follows by recursion.
LogicalResult checkNest(const llvm::MemoryBuffer &text, MLIRContext *context);

/// Whether a module holds only programs and functions of operations that compute: an untrusted file
/// cannot make its execution call other code. Reports the first other operation.
LogicalResult checkListed(ModuleOp module);

/// Verifies an untrusted module: operations of other dialects are rejected before any of their
/// hooks is called, since upstream's verifiers trust some of their inputs.
LogicalResult verifyListed(ModuleOp module);

/// The one program of such a module; none or several are an error.
FailureOr<ProgramOp> findProgram(ModuleOp module, const std::string &path);

} // namespace mlir::lci

#endif // LCI_DRIVER_LOADING_H

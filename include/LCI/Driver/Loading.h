//===- Loading.h - Programs from files --------------------------*- C++ -*-===//
//
// Reads `.lmpm` text or a `.mlir` module of level 1 or 2 and finds the one
// program in it.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_DRIVER_LOADING_H
#define LCI_DRIVER_LOADING_H

#include "LCI/Dialect/LCIOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/SourceMgr.h"

namespace mlir::lci {

/// Reads a program's file; its text joins `sources`, so that diagnostics can
/// show it. Unless it is verified, `verifyListed` has to follow.
OwningOpRef<ModuleOp> loadModule(const std::string &path, llvm::SourceMgr &sources,
                                 MLIRContext *context, bool verifies = true);

/// Reads the main file of `sources`, whose name says whether it is text of the language or IR.
OwningOpRef<ModuleOp> parseModule(StringRef path, llvm::SourceMgr &sources, MLIRContext *context,
                                  bool verifies = true);

/// Refuses texts of the language, and rules and patterns of Golly, under the name of IR.
LogicalResult checkIsIR(StringRef path, const llvm::MemoryBuffer &text, MLIRContext *context);

/// Refuses IR that is nested without end, which MLIR's reader follows by recursion.
LogicalResult checkNest(const llvm::MemoryBuffer &text, MLIRContext *context);

/// Whether a module holds programs and functions of operations that only compute: whoever wrote it
/// cannot make what runs it call out. Says where not.
LogicalResult checkListed(ModuleOp module);

/// Verifies what is run, whoever wrote it: other operations are refused before anything is asked of
/// them, since upstream's verifiers trust some of what they read.
LogicalResult verifyListed(ModuleOp module);

/// The one program of such a module; none or several are an error.
FailureOr<ProgramOp> findProgram(ModuleOp module, const std::string &path);

} // namespace mlir::lci

#endif // LCI_DRIVER_LOADING_H

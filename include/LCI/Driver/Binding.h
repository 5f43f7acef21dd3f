//===- Binding.h - A program and its bindings file meet ---------*- C++ -*-===//
//
// Fills a program of level 1 with what a bindings file and flags say: numbers
// for sizes, functions for models (moved in from their files), policies. What
// is missing is said with the flag or the key that would give it.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_DRIVER_BINDING_H
#define LCI_DRIVER_BINDING_H

#include "LCI/Bindings/Bindings.h"
#include "LCI/Dialect/LCIOps.h"

namespace mlir::lci {

/// What a file, if there is one, and assignments `NAME=VALUE` say; all errors of both are emitted.
FailureOr<::lci::Bindings> readBindings(const std::string &file, ArrayRef<std::string> sets,
                                        MLIRContext *context);

/// Level 1 to level 2, in place; a program that is bound already stays as it
/// is, and then a size that a flag or the file gives must be its own.
/// `inputFollows` says of which values that nothing fills the run is given an input otherwise.
LogicalResult bindWithBindings(
    ProgramOp program, const ::lci::Bindings &bindings,
    llvm::function_ref<bool(StringRef value)> inputFollows = [](StringRef) { return false; });

/// Proves what must be known of bound programs (visibility, causality, phases,
/// presence, ranges), or says where it does not hold.
LogicalResult checkProgram(ModuleOp module);

/// Moves the functions of a model's file into a module, under names that clash
/// with nothing there, and returns the name of the model's function.
FailureOr<std::string> importModel(ModuleOp module, StringRef model,
                                   const ::lci::ModelBinding &binding);

} // namespace mlir::lci

#endif // LCI_DRIVER_BINDING_H

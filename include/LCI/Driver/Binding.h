//===- Binding.h - Bind a program -------------------------------*- C++ -*-===//
//
// Fills a program of level 1 with the contents of a bindings file and flags: numbers for sizes,
// functions for models (moved in from their files), policies. An error about a missing binding
// names the flag or the key that would give it.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_DRIVER_BINDING_H
#define LCI_DRIVER_BINDING_H

#include "LCI/Bindings/Bindings.h"
#include "LCI/Dialect/LCIOps.h"

namespace mlir::lci {

/// The contents of a file, if there is one, and assignments `NAME=VALUE`; all errors of both are
/// emitted.
FailureOr<::lci::Bindings> readBindings(const std::string &file, ArrayRef<std::string> sets,
                                        MLIRContext *context);

/// Level 1 to level 2, in place; a bound program is unchanged, and a size that a flag or the file
/// gives must then equal that of the program. `inputFollows` tells of values without rule, input
/// and `init` whether the run sets them otherwise.
LogicalResult bindWithBindings(
    ProgramOp program, const ::lci::Bindings &bindings,
    llvm::function_ref<bool(StringRef value)> inputFollows = [](StringRef) { return false; });

/// Proves the properties of bound programs (visibility, causality, phases, presence, ranges), or
/// reports where they do not hold.
LogicalResult checkProgram(ModuleOp module);

/// Moves the functions of a model's file into a module, under names that clash
/// with nothing there, and returns the name of the model's function.
FailureOr<std::string> importModel(ModuleOp module, StringRef model,
                                   const ::lci::ModelBinding &binding);

} // namespace mlir::lci

#endif // LCI_DRIVER_BINDING_H

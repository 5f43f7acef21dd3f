//===- Description.h - Slots of compiled functions --------------*- C++ -*-===//
//
// Describes the functions of a lowered module to the runtime: their argument slots and counters,
// from types and `lci.` attributes.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_EXECUTION_DESCRIPTION_H
#define LCI_LIB_EXECUTION_DESCRIPTION_H

#include "LCI/Execution/Backend.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::lci {

/// The functions of a module, still without code: the one that runs epochs, `.init`, `.observe` and
/// `.breaches`.
FailureOr<CompiledFunctions> describeFunctions(ModuleOp module);

/// Calls `visit` with each existing function.
void forEachFunction(CompiledFunctions &functions,
                     llvm::function_ref<void(CompiledFunction &)> visit);

/// Reports that a module cannot be compiled.
LogicalResult notCompiled(ModuleOp module, llvm::Error error);

} // namespace mlir::lci

#endif // LCI_LIB_EXECUTION_DESCRIPTION_H

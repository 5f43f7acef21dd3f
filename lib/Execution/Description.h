//===- Description.h - What compiled functions take -------------*- C++ -*-===//

#ifndef LCI_LIB_EXECUTION_DESCRIPTION_H
#define LCI_LIB_EXECUTION_DESCRIPTION_H

#include "LCI/Execution/Backend.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::lci {

/// The functions of a module, still without code: what runs epochs, `.init` and `.observe`.
FailureOr<CompiledFunctions> describeFunctions(ModuleOp module);

/// Calls `visit` with each of the functions that there are.
void forEachFunction(CompiledFunctions &functions,
                     llvm::function_ref<void(CompiledFunction &)> visit);

/// Says that a module cannot be compiled.
LogicalResult notCompiled(ModuleOp module, llvm::Error error);

} // namespace mlir::lci

#endif // LCI_LIB_EXECUTION_DESCRIPTION_H

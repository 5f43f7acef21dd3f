//===- AsItIs.h - Run IR from the level that it is on -----------*- C++ -*-===//
//
// The two ways of compileAsItIs to machine code.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_EXECUTION_ASITIS_H
#define LCI_LIB_EXECUTION_ASITIS_H

#include "LCI/Execution/Backend.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::lci {

/// From ticks, linalg or loops on buffers, or from the llvm dialect, to code of this machine, by
/// the necessary passes alone.
FailureOr<std::unique_ptr<CompiledProgram>> compilePlainly(ModuleOp module);

/// From kernels in a `gpu.module` and the functions that launch them, to loops over threads.
FailureOr<std::unique_ptr<CompiledProgram>> compileKernelsPlainly(ModuleOp module);

} // namespace mlir::lci

#endif // LCI_LIB_EXECUTION_ASITIS_H

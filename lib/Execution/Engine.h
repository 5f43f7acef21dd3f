//===- Engine.h - Machine code in memory ------------------------*- C++ -*-===//

#ifndef LCI_LIB_EXECUTION_ENGINE_H
#define LCI_LIB_EXECUTION_ENGINE_H

#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Target/TargetMachine.h"

namespace lci {
class StopFlag;
} // namespace lci

namespace mlir::lci {

/// Compiles a module of the llvm dialect for a machine; its public functions can be looked up. Its
/// local functions read `stop`, if there is one. If `isListed`, gdb and perf are told of its
/// functions.
FailureOr<std::shared_ptr<ExecutionEngine>> makeEngine(ModuleOp lowered, unsigned optLevel,
                                                       std::unique_ptr<llvm::TargetMachine> machine,
                                                       const ::lci::StopFlag *stop = nullptr,
                                                       bool isListed = false);

} // namespace mlir::lci

#endif // LCI_LIB_EXECUTION_ENGINE_H

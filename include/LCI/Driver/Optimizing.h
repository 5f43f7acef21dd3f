//===- Optimizing.h - Run passes on a file of IR ----------------*- C++ -*-===//
#ifndef LCI_DRIVER_OPTIMIZING_H
#define LCI_DRIVER_OPTIMIZING_H

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringRef.h"

namespace mlir::lci {

/// `MlirOptMain` on a file, after a check that parsing it cannot exhaust the stack. `extend` may
/// add to the pipeline of the command line.
LogicalResult optimizeFile(int argc, char **argv, StringRef input, StringRef output,
                           DialectRegistry &registry,
                           llvm::function_ref<LogicalResult(PassManager &)> extend);

} // namespace mlir::lci

#endif // LCI_DRIVER_OPTIMIZING_H

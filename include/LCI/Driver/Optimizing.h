//===- Optimizing.h - Passes on a file of IR --------------------*- C++ -*-===//
#ifndef LCI_DRIVER_OPTIMIZING_H
#define LCI_DRIVER_OPTIMIZING_H

#include "mlir/IR/DialectRegistry.h"
#include "llvm/ADT/StringRef.h"

namespace mlir::lci {

/// What `MlirOptMain` does with a file, once it is known that reading it cannot exhaust the stack.
LogicalResult optimizeFile(int argc, char **argv, StringRef input, StringRef output,
                           DialectRegistry &registry);

} // namespace mlir::lci

#endif // LCI_DRIVER_OPTIMIZING_H

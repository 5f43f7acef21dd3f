//===- Cleanup.h - Canonicalization and CSE between passes ------*- C++ -*-===//

#ifndef LCI_TRANSFORMS_SUPPORT_CLEANUP_H
#define LCI_TRANSFORMS_SUPPORT_CLEANUP_H

#include "mlir/Pass/PassManager.h"

namespace mlir::lci {

/// Adds canonicalization and CSE, of each function if the passes are a module's, from the bottom
/// up: top-down, upstream's patterns on loops cost the cube of what a loop carries, and the epoch
/// loop carries every value.
void addCleanup(OpPassManager &manager);

} // namespace mlir::lci

#endif // LCI_TRANSFORMS_SUPPORT_CLEANUP_H

//===- PatternDriver.h - Apply patterns that may be wrong -------*- C++ -*-===//
//
// Upstream's driver trusts patterns: one that erases an operation with uses, or uses an erased one,
// ends the process. This one checks each step of a rewrite, and stops at the first that is wrong.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_LIB_DRIVER_PATTERNDRIVER_H
#define LCI_LIB_DRIVER_PATTERNDRIVER_H

#include "mlir/Rewrite/FrozenRewritePatternSet.h"

namespace mlir::lci {

/// Applies patterns in an operation until none applies. Nothing else is simplified; operations
/// that only a rewritten one used go with it. Fails with an error where a step is wrong, or if
/// there is no end.
LogicalResult applyGuarded(Operation *root, const FrozenRewritePatternSet &patterns);

} // namespace mlir::lci

#endif // LCI_LIB_DRIVER_PATTERNDRIVER_H

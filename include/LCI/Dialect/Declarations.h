//===- Declarations.h - What kinds of declarations may do -------*- C++ -*-===//

#ifndef LCI_DIALECT_DECLARATIONS_H
#define LCI_DIALECT_DECLARATIONS_H

#include "LCI/Dialect/LCIOps.h"

namespace mlir::lci {

/// Whether what stands in a declaration may read values: `init`, parameters and temperatures are
/// computed before there is anything to read.
inline bool hasSnapshot(Operation *declaration) {
  return isa<RuleOp, ConstraintOp, DefOp, ObserveOp>(declaration);
}

/// How many numbers a value or a parameter has less than, so that the bytes of all have a number of
/// 64 bits.
inline constexpr int64_t kNumberLimit = int64_t(1) << 60;

} // namespace mlir::lci

#endif // LCI_DIALECT_DECLARATIONS_H

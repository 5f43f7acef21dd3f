//===- Declarations.h - Properties of declarations --------------*- C++ -*-===//

#ifndef LCI_DIALECT_DECLARATIONS_H
#define LCI_DIALECT_DECLARATIONS_H

#include "LCI/Dialect/LCIOps.h"

namespace mlir::lci {

/// Whether the body of a declaration may read values: `init`, parameters and temperatures are
/// computed before there is a snapshot.
inline bool hasSnapshot(Operation *declaration) {
  return isa<RuleOp, ConstraintOp, DefOp, ObserveOp>(declaration);
}

/// The exclusive limit of the numbers in a value or a parameter, so that the size of all in bytes
/// fits 64 bits.
inline constexpr int64_t kNumberLimit = int64_t(1) << 60;

} // namespace mlir::lci

#endif // LCI_DIALECT_DECLARATIONS_H

//===- ExpandLookups.h - Expand lci.lookup to boolean operations *- C++ -*-===//

#ifndef LCI_TRANSFORMS_SUPPORT_EXPANDLOOKUPS_H
#define LCI_TRANSFORMS_SUPPORT_EXPANDLOOKUPS_H

#include "mlir/IR/Operation.h"

namespace mlir::lci {

/// Replaces all `lci.lookup` within an operation by boolean operations.
void expandLookups(Operation *root);

} // namespace mlir::lci

#endif // LCI_TRANSFORMS_SUPPORT_EXPANDLOOKUPS_H

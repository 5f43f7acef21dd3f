//===- ExpandLookups.h - Look-ups as boolean operations ---------*- C++ -*-===//

#ifndef LCI_TRANSFORMS_SUPPORT_EXPANDLOOKUPS_H
#define LCI_TRANSFORMS_SUPPORT_EXPANDLOOKUPS_H

#include "mlir/IR/Operation.h"

namespace mlir::lci {

/// Makes boolean operations of all `lci.lookup` in an operation.
void expandLookups(Operation *root);

} // namespace mlir::lci

#endif // LCI_TRANSFORMS_SUPPORT_EXPANDLOOKUPS_H

//===- TotalOperations.h - Define results for all operands ------*- C++ -*-===//
//
// Some of upstream's operations are undefined for some operands, as a division by zero or an
// element outside of its tensor. Models and rules written by users may contain such operands. So
// each gets the result that docs/models.md defines, before passes or processors choose different
// ones.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_CONVERSION_PROGRAMTOTICK_TOTALOPERATIONS_H
#define LCI_LIB_CONVERSION_PROGRAMTOTICK_TOTALOPERATIONS_H

#include "mlir/IR/Operation.h"

namespace mlir::lci {

/// Guards the operations in an operation's regions, and drops flags that promise something of
/// operands (`nsw`, `exact`, `fastmath`). An element of a tensor without elements is an error.
LogicalResult makeTotal(Operation *root);

} // namespace mlir::lci

#endif // LCI_LIB_CONVERSION_PROGRAMTOTICK_TOTALOPERATIONS_H

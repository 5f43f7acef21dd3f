//===- TotalOperations.h - No operation without a meaning -------*- C++ -*-===//
//
// Some of upstream's operations mean nothing for some operands: a division by zero, an element
// beside its tensor. What somebody else wrote may come to that; so each gets the meaning that
// docs/models.md gives it, before a pass or a processor takes its own.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_CONVERSION_PROGRAMTOTICK_TOTALOPERATIONS_H
#define LCI_LIB_CONVERSION_PROGRAMTOTICK_TOTALOPERATIONS_H

#include "mlir/IR/Operation.h"

namespace mlir::lci {

/// Guards what is in an operation's regions, and takes back promises about operands (`nsw`,
/// `exact`, `fastmath`). An element of a tensor without elements is an error.
LogicalResult makeTotal(Operation *root);

} // namespace mlir::lci

#endif // LCI_LIB_CONVERSION_PROGRAMTOTICK_TOTALOPERATIONS_H

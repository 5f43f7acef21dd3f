//===- CellLoops.h - Loops over cells, as IR --------------------*- C++ -*-===//
//
// Functions of one parallel loop each that move cells between arrays. For the terms see
// LCI/Runtime/DeviceCells.h; the counterparts on the host are `Slot::write`, `Slot::read` and
// `toCanonical`.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_LIB_EXECUTION_CELLLOOPS_H
#define LCI_LIB_EXECUTION_CELLLOOPS_H

#include "LCI/Runtime/Storage.h"
#include "LCI/Runtime/Tokens.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir::lci {

/// Modules of one function that fills a slot's cells from a canonical array, or the array from the
/// cells.
OwningOpRef<ModuleOp> makeWriteLoop(MLIRContext *context, const ::lci::SlotForm &form);
OwningOpRef<ModuleOp> makeReadLoop(MLIRContext *context, const ::lci::SlotForm &form);
/// A module of one function that converts a foreign array into canonical form, and records elements
/// that do not fit.
OwningOpRef<ModuleOp> makeConvertLoop(MLIRContext *context, ::lci::DType from,
                                      const ::lci::CanonicalForm &to);

} // namespace mlir::lci

#endif // LCI_LIB_EXECUTION_CELLLOOPS_H

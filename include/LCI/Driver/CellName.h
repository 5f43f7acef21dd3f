//===- CellName.h - `Vid[2,5,7]@e=3` ----------------------------*- C++ -*-===//
//
// Syntax of one cell at one epoch on the command line.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_DRIVER_CELLNAME_H
#define LCI_DRIVER_CELLNAME_H

#include "LCI/Driver/ValueInfo.h"

namespace mlir::lci {

/// A cell of a value, and an epoch.
struct CellName {
  std::string value;
  std::vector<int64_t> indices;
  int64_t epoch = 0;
};

/// Parses `Vid[2,5,7]` or `Vid[2,5,7]@e=3` (by default epoch 0).
::lci::Result<CellName> parseCellName(StringRef text);

/// Whether the cell exists; the error lists the valid values or indices.
::lci::Status checkCellName(const CellName &cell, ArrayRef<ValueInfo> values);

} // namespace mlir::lci

#endif // LCI_DRIVER_CELLNAME_H

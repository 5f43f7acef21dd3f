//===- CellName.h - `Vid[2,5,7]@e=3` ----------------------------*- C++ -*-===//
//
// The way a user names one cell at one epoch on the command line.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_DRIVER_CELLNAME_H
#define LCI_DRIVER_CELLNAME_H

#include "LCI/Driver/ValueInfo.h"

namespace mlir::lci {

/// A cell of a value, and the epoch at which it is looked at.
struct CellName {
  std::string value;
  std::vector<int64_t> indices;
  int64_t epoch = 0;
};

/// Reads `Vid[2,5,7]` or `Vid[2,5,7]@e=3` (epoch 0 where none is named).
::lci::Result<CellName> parseCellName(StringRef text);

/// Whether the cell exists; the error says what does.
::lci::Status checkCellName(const CellName &cell, ArrayRef<ValueInfo> values);

} // namespace mlir::lci

#endif // LCI_DRIVER_CELLNAME_H

//===- Gathers.h - Whether gathered indices are cells -----------*- C++ -*-===//
//
// A `visible` line that gathers shows cells at indices that parameters hold. Once these are known,
// every index the line has on an open axis must be a cell's.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_INTERPRETER_GATHERS_H
#define LCI_INTERPRETER_GATHERS_H

#include "LCI/Dialect/LCIOps.h"
#include "LCI/Runtime/Array.h"
#include <map>

namespace mlir::lci {

/// Visits the lines of a bound program that gather by given parameters alone. The error names the
/// element that is outside.
LogicalResult checkGathers(ProgramOp program, const std::map<std::string, ::lci::Array> &params);

} // namespace mlir::lci

#endif // LCI_INTERPRETER_GATHERS_H

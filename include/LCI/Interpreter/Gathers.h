//===- Gathers.h - Check the indices of gathers -----------------*- C++ -*-===//
//
// A `visible` line with a gather shows cells at indices that parameters hold. Once these are known,
// every index of the line on an open axis must be inside of the value.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_INTERPRETER_GATHERS_H
#define LCI_INTERPRETER_GATHERS_H

#include "LCI/Dialect/LCIOps.h"
#include "LCI/Runtime/Array.h"
#include <map>

namespace mlir::lci {

/// Checks the lines of a bound program whose gathers depend only on given parameters. The error
/// names the element that is outside.
LogicalResult checkGathers(ProgramOp program, const std::map<std::string, ::lci::Array> &params);

} // namespace mlir::lci

#endif // LCI_INTERPRETER_GATHERS_H

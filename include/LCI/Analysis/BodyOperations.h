//===- BodyOperations.h - Operations allowed in bodies ----------*- C++ -*-===//

#ifndef LCI_ANALYSIS_BODYOPERATIONS_H
#define LCI_ANALYSIS_BODYOPERATIONS_H

#include "LCI/Dialect/LCIOps.h"

namespace mlir::lci {

/// Verifies that every operation in the bodies of a bound program is allowed there, for the
/// interpreter and the lowering; emits an error for one that is not. Formulas that are inlined are
/// not checked.
LogicalResult checkBodyOperations(ProgramOp program);

} // namespace mlir::lci

#endif // LCI_ANALYSIS_BODYOPERATIONS_H

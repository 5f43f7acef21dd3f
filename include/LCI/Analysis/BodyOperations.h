//===- BodyOperations.h - What a program computes with ----------*- C++ -*-===//

#ifndef LCI_ANALYSIS_BODYOPERATIONS_H
#define LCI_ANALYSIS_BODYOPERATIONS_H

#include "LCI/Dialect/LCIOps.h"

namespace mlir::lci {

/// Whether every operation in the bodies of a bound program has a meaning there, for whoever
/// evaluates it and whoever lowers it; says which one has none. Formulas that are written out are
/// not asked.
LogicalResult checkBodyOperations(ProgramOp program);

} // namespace mlir::lci

#endif // LCI_ANALYSIS_BODYOPERATIONS_H

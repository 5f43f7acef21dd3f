//===- Parameters.h - The order of parameters -------------------*- C++ -*-===//

#ifndef LCI_ANALYSIS_PARAMETERS_H
#define LCI_ANALYSIS_PARAMETERS_H

#include "LCI/Dialect/LCIOps.h"

namespace mlir::lci {

/// The parameters of a program, each after those that its formula uses, whatever the order of the
/// text. Fails, with an error that shows the chain, if one is computed from itself.
FailureOr<SmallVector<ParamOp>> orderParameters(ProgramOp program);

} // namespace mlir::lci

#endif // LCI_ANALYSIS_PARAMETERS_H

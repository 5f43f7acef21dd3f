//===- Flags.h - Flags of lmpm-opt that run IR ------------------*- C++ -*-===//
#ifndef LCI_ORACLE_FLAGS_H
#define LCI_ORACLE_FLAGS_H

#include "mlir/Pass/PassManager.h"

namespace mlir::lci {

/// Adds `--lci-verify-by-running`, `--lci-check-equiv=F.mlir`, and the number of trials. To be
/// called before the command line is parsed.
void addOracleFlags();

/// Adds the checks of these flags to a pipeline.
LogicalResult addOracle(PassManager &manager);

} // namespace mlir::lci

#endif // LCI_ORACLE_FLAGS_H

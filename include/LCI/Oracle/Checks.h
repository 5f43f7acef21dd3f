//===- Checks.h - Passes checked by running their results ------*- C++ -*-===//
#ifndef LCI_ORACLE_CHECKS_H
#define LCI_ORACLE_CHECKS_H

#include "LCI/Oracle/Trial.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"

namespace mlir::lci {

/// Runs the module before the first pass and after each that changes it, and compares. The first
/// difference is an error that names the pass and the cell, and the pipeline fails at its end. IR
/// that cannot be run, as between two levels, is said in a remark; it is an error if nothing was
/// ever compared. Passes must run in one thread.
void verifyByRunning(PassManager &manager, const TrialOptions &options);

/// Compares the module at the end with another one, which stays as it is.
void checkEquivalent(PassManager &manager, OwningOpRef<ModuleOp> other,
                     const TrialOptions &options);

} // namespace mlir::lci

#endif // LCI_ORACLE_CHECKS_H

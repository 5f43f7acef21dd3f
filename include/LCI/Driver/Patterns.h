//===- Patterns.h - Rewrite patterns from files -----------------*- C++ -*-===//
#ifndef LCI_DRIVER_PATTERNS_H
#define LCI_DRIVER_PATTERNS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"

namespace mlir::lci {

/// Adds `--lci-apply-patterns=F`. To be called before the command line is parsed.
void addPatternFlag();

/// Adds the application of the command line's patterns to the end of a pipeline, if there are some.
LogicalResult addPatterns(PassManager &manager);

/// Reads the patterns of a file, PDLL (`.pdll`) or IR of the pdl dialect, and loads the dialects of
/// the operations that they make. Refuses patterns whose application would not be defined: such
/// that call functions of C++, or that make operations of other forms than these have. Null on
/// errors.
OwningOpRef<ModuleOp> readPatterns(const std::string &path, MLIRContext *context);

} // namespace mlir::lci

#endif // LCI_DRIVER_PATTERNS_H

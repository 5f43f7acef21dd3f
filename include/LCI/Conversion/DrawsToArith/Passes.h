//===- Passes.h - Conversion of draws to arithmetic -------------*- C++ -*-===//

#ifndef LCI_CONVERSION_DRAWSTOARITH_PASSES_H
#define LCI_CONVERSION_DRAWSTOARITH_PASSES_H

#include "LCI/Dialect/LCIOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

namespace mlir::lci {

#define GEN_PASS_DECL
#include "LCI/Conversion/DrawsToArith/Passes.h.inc"

/// Patterns that expand elementary functions, floor division and modulo.
void populateExpandMathPatterns(RewritePatternSet &patterns);

} // namespace mlir::lci

#endif // LCI_CONVERSION_DRAWSTOARITH_PASSES_H

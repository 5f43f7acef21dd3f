//===- Passes.h - Conversion of linalg to loops -----------------*- C++ -*-===//

#ifndef LCI_CONVERSION_LINALGTOLOOPS_PASSES_H
#define LCI_CONVERSION_LINALGTOLOOPS_PASSES_H

#include "LCI/Dialect/LCIOps.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::lci {

#define GEN_PASS_DECL
#include "LCI/Conversion/LinalgToLoops/Passes.h.inc"

} // namespace mlir::lci

#endif // LCI_CONVERSION_LINALGTOLOOPS_PASSES_H

//===- Passes.h - Passes for neural models of cells -------------*- C++ -*-===//

#ifndef LCI_TRANSFORMS_MODELS_PASSES_H
#define LCI_TRANSFORMS_MODELS_PASSES_H

#include "LCI/Dialect/LCIOps.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/Pass.h"

namespace mlir::lci {

#define GEN_PASS_DECL
#include "LCI/Transforms/Models/Passes.h.inc"

} // namespace mlir::lci

#endif // LCI_TRANSFORMS_MODELS_PASSES_H

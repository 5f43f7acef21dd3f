//===- Passes.h - Passes on programs ----------------------------*- C++ -*-===//

#ifndef LCI_TRANSFORMS_PROGRAM_PASSES_H
#define LCI_TRANSFORMS_PROGRAM_PASSES_H

#include "LCI/Dialect/LCIOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::lci {

#define GEN_PASS_DECL
#include "LCI/Transforms/Program/Passes.h.inc"

} // namespace mlir::lci

#endif // LCI_TRANSFORMS_PROGRAM_PASSES_H

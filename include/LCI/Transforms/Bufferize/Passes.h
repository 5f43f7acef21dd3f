//===- Passes.h - Passes of bufferization -----------------------*- C++ -*-===//

#ifndef LCI_TRANSFORMS_BUFFERIZE_PASSES_H
#define LCI_TRANSFORMS_BUFFERIZE_PASSES_H

#include "LCI/Dialect/LCIOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::lci {

#define GEN_PASS_DECL
#include "LCI/Transforms/Bufferize/Passes.h.inc"

} // namespace mlir::lci

#endif // LCI_TRANSFORMS_BUFFERIZE_PASSES_H

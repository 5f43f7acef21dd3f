//===- Passes.h - Emulation of kernels on the host --------------*- C++ -*-===//

#ifndef LCI_TRANSFORMS_GPU_EMULATION_PASSES_H
#define LCI_TRANSFORMS_GPU_EMULATION_PASSES_H

#include "LCI/Dialect/LCIOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::lci {

#define GEN_PASS_DECL
#include "LCI/Transforms/GPU/Emulation/Passes.h.inc"

} // namespace mlir::lci

#endif // LCI_TRANSFORMS_GPU_EMULATION_PASSES_H

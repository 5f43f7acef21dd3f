//===- Passes.h - Conversion of ticks to linalg -----------------*- C++ -*-===//

#ifndef LCI_CONVERSION_TICKTOLINALG_PASSES_H
#define LCI_CONVERSION_TICKTOLINALG_PASSES_H

#include "LCI/Dialect/LCIOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Pass/Pass.h"

namespace mlir::lci {

#define GEN_PASS_DECL
#include "LCI/Conversion/TickToLinalg/Passes.h.inc"

} // namespace mlir::lci

#endif // LCI_CONVERSION_TICKTOLINALG_PASSES_H

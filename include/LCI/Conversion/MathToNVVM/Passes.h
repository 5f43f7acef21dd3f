//===- Passes.h - Conversion of math to NVVM --------------------*- C++ -*-===//

#ifndef LCI_CONVERSION_MATHTONVVM_PASSES_H
#define LCI_CONVERSION_MATHTONVVM_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir::lci {

#define GEN_PASS_DECL
#include "LCI/Conversion/MathToNVVM/Passes.h.inc"

} // namespace mlir::lci

#endif // LCI_CONVERSION_MATHTONVVM_PASSES_H

//===- Passes.h - Conversion of programs to ticks ---------------*- C++ -*-===//

#ifndef LCI_CONVERSION_PROGRAMTOTICK_PASSES_H
#define LCI_CONVERSION_PROGRAMTOTICK_PASSES_H

#include "LCI/Dialect/LCIOps.h"
#include "LCI/Transforms/Support/Counting.h"
#include "mlir/Pass/Pass.h"

namespace mlir::lci {

#define GEN_PASS_DECL
#include "LCI/Conversion/ProgramToTick/Passes.h.inc"

} // namespace mlir::lci

#endif // LCI_CONVERSION_PROGRAMTOTICK_PASSES_H

//===- Passes.h - Conversions between lci and other dialects ----*- C++ -*-===//

#ifndef LCI_CONVERSION_PASSES_H
#define LCI_CONVERSION_PASSES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"

namespace mlir::lci {

#define GEN_PASS_DECL
#include "LCI/Conversion/Passes.h.inc"

} // namespace mlir::lci

#endif // LCI_CONVERSION_PASSES_H

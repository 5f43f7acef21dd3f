//===- Passes.h - Passes that connect pipelines -----------------*- C++ -*-===//

#ifndef LCI_PIPELINES_PASSES_H
#define LCI_PIPELINES_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::lci {

#define GEN_PASS_DECL
#include "LCI/Pipelines/Passes.h.inc"

} // namespace mlir::lci

#endif // LCI_PIPELINES_PASSES_H

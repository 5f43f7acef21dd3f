//===- Passes.h - Schedules of ticks and loops ------------------*- C++ -*-===//

#ifndef LCI_TRANSFORMS_SCHEDULE_PASSES_H
#define LCI_TRANSFORMS_SCHEDULE_PASSES_H

#include "LCI/Dialect/LCIOps.h"
#include "LCI/Transforms/Support/ThreadGrain.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/Pass.h"

namespace mlir::lci {

#define GEN_PASS_DECL
#include "LCI/Transforms/Schedule/Passes.h.inc"

} // namespace mlir::lci

#endif // LCI_TRANSFORMS_SCHEDULE_PASSES_H

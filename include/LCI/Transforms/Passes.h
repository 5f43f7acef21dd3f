//===- Passes.h - Passes on lci programs and ticks --------------*- C++ -*-===//
//
// Constructors and option structs of the passes of Passes.td, and the pattern sets
// that other passes and embedding compilers reuse.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TRANSFORMS_PASSES_H
#define LCI_TRANSFORMS_PASSES_H

#include "LCI/Dialect/LCIOps.h"
#include "LCI/Transforms/Counting.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

namespace mlir::lci {

/// The least that a thread's part of a tick must have to do, in bytes that its operations go
/// through: some microseconds, about what it takes threads to begin and to end together.
inline constexpr int64_t kThreadGrain = 1 << 19;
/// More threads than any machine has; each brings scratch buffers of its own.
inline constexpr int64_t kMaxThreads = 1024;

#define GEN_PASS_DECL
#include "LCI/Transforms/Passes.h.inc"

/// Adds canonicalization and CSE, from the bottom up: top-down, upstream's patterns on loops cost
/// the cube of what a loop carries, and the epoch loop carries every value.
void addCleanup(OpPassManager &manager);

/// Patterns that expand elementary functions, floor division and modulo.
void populateExpandMathPatterns(RewritePatternSet &patterns);

} // namespace mlir::lci

#endif // LCI_TRANSFORMS_PASSES_H

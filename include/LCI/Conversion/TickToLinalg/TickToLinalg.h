//===- TickToLinalg.h - Patterns that convert ticks to linalg ---*- C++ -*-===//

#ifndef LCI_CONVERSION_TICKTOLINALG_TICKTOLINALG_H
#define LCI_CONVERSION_TICKTOLINALG_TICKTOLINALG_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::lci {

/// Patterns for a dialect conversion that leave no operation of the dialect in lowered functions.
/// See the pass `convert-lci-to-linalg`.
void populateLCIToLinalgPatterns(RewritePatternSet &patterns, bool atomicCounters = false);

} // namespace mlir::lci

#endif // LCI_CONVERSION_TICKTOLINALG_TICKTOLINALG_H

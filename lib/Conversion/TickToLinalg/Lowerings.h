//===- Lowerings.h - Patterns of this conversion ----------------*- C++ -*-===//
//
// One set of patterns for each group of operations, which the pass and its public entry combine,
// and the classification of gathers that the lowering of ticks needs before it moves a body.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_CONVERSION_TICKTOLINALG_LOWERINGS_H
#define LCI_LIB_CONVERSION_TICKTOLINALG_LOWERINGS_H

#include "LCI/Dialect/LCIOps.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::lci {

void populateTickLowering(RewritePatternSet &patterns, bool atomicCounters);
void populateAgreeLowering(RewritePatternSet &patterns);
void populateHaloLowering(RewritePatternSet &patterns, bool isParallel);
void populateKeepSurestLowering(RewritePatternSet &patterns, bool isParallel);

/// Checks that the extents at which a gather's index is wrapped or clamped are known.
LogicalResult checkGathers(TickOp tick);

/// For each axis of the source, how far the indices of a gather may lie outside of the cells.
enum class Reach { Inside, WithinOneExtent, Anywhere };

/// What is known about the indices of a load; call it before the load leaves its tick.
SmallVector<Reach> computeReach(LoadOp load);

/// Replaces a gather by a load at the indices its map computes.
void lowerGather(RewriterBase &rewriter, LoadOp load, ArrayRef<Reach> reach);

} // namespace mlir::lci

#endif // LCI_LIB_CONVERSION_TICKTOLINALG_LOWERINGS_H

//===- Lowerings.h - What the files of this conversion share ----*- C++ -*-===//

#ifndef LCI_LIB_CONVERSION_TICKTOLINALG_LOWERINGS_H
#define LCI_LIB_CONVERSION_TICKTOLINALG_LOWERINGS_H

#include "LCI/Dialect/LCIOps.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::lci {

void populateTickLowering(RewritePatternSet &patterns, bool atomicCounters);
void populateAgreeLowering(RewritePatternSet &patterns);
void populateHaloLowering(RewritePatternSet &patterns, bool isParallel);
void populateKeepSurestLowering(RewritePatternSet &patterns, bool isParallel);

/// For each axis of the source, how far the indices of a gather can get from the cells.
enum class Reach { Inside, OneTurn, Anywhere };

/// What is known about the indices of a load, while it still stands in its tick.
SmallVector<Reach> computeReach(LoadOp load);

/// Replaces a gather by a load at the indices its map computes.
void lowerGather(RewriterBase &rewriter, LoadOp load, ArrayRef<Reach> reach);

} // namespace mlir::lci

#endif // LCI_LIB_CONVERSION_TICKTOLINALG_LOWERINGS_H

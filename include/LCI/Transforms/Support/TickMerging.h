//===- TickMerging.h - Bodies of ticks that are put together ----*- C++ -*-===//
//
// Shared by the passes that compute several ticks, or several rows of one, in one tick with several
// targets: which bodies they may take, and how one body becomes part of another one.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TRANSFORMS_SUPPORT_TICKMERGING_H
#define LCI_TRANSFORMS_SUPPORT_TICKMERGING_H

#include "LCI/Dialect/LCIOps.h"

namespace mlir::lci {

/// Whether the cells of a tick in memory only read windows and compute, so that several of them may
/// be computed together.
bool onlyComputes(TickOp tick);

/// The argument of the body for an input, which is added if it is new.
Value addInput(TickOp tick, Value input);

/// Makes a tick install all cells of its box: those that do not change, or are settled, get what
/// they hold. Several bodies then have one condition.
void installAlways(TickOp tick);

/// The distinct windows that a tick loads, without the contents of its own cells.
int64_t countWindows(TickOp tick);

} // namespace mlir::lci

#endif // LCI_TRANSFORMS_SUPPORT_TICKMERGING_H

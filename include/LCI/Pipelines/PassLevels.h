//===- PassLevels.h - Passes refuse IR that is not of their level --*- C++ -*===//

#ifndef LCI_PIPELINES_PASSLEVELS_H
#define LCI_PIPELINES_PASSLEVELS_H

#include "mlir/Pass/PassManager.h"

namespace mlir::lci {

/// Puts `lci-check-level` before each pass of this project that somebody named one by one: where it
/// found nothing of its level it would do nothing, and say nothing. A pipeline that goes down from
/// ticks knows its order: from its own check on there are no others.
void guardLevels(OpPassManager &manager);

} // namespace mlir::lci

#endif // LCI_PIPELINES_PASSLEVELS_H

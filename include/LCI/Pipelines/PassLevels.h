//===- PassLevels.h - Level checks before individual passes -----*- C++ -*-===//

#ifndef LCI_PIPELINES_PASSLEVELS_H
#define LCI_PIPELINES_PASSLEVELS_H

#include "mlir/Pass/PassManager.h"

namespace mlir::lci {

/// Inserts `lci-check-level` before each pass of this project that was named individually, because
/// on IR of another level it would silently do nothing. From a pipeline's check for level 3 on none
/// is inserted: such a pipeline runs its passes in order.
void guardLevels(OpPassManager &manager);

} // namespace mlir::lci

#endif // LCI_PIPELINES_PASSLEVELS_H

//===- VectorizeCells.h - Which ticks are computed by vectors ---*- C++ -*-===//

#ifndef LCI_TRANSFORMS_CPU_VECTORIZECELLS_H
#define LCI_TRANSFORMS_CPU_VECTORIZECELLS_H

#include "LCI/Dialect/LCIOps.h"

namespace mlir::lci {

/// Whether `lci-vectorize-cells` computes the rows of a tick by vectors of so many bits, with its
/// other options as they are by default.
bool hasVectorRows(TickOp tick, int64_t vectorBits);

} // namespace mlir::lci

#endif // LCI_TRANSFORMS_CPU_VECTORIZECELLS_H

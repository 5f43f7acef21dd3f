//===- VectorizeCells.h - Profitability of vectorized ticks -----*- C++ -*-===//

#ifndef LCI_TRANSFORMS_CPU_VECTORIZECELLS_H
#define LCI_TRANSFORMS_CPU_VECTORIZECELLS_H

#include "LCI/Dialect/LCIOps.h"

namespace mlir::lci {

/// Whether `lci-vectorize-cells`, with its other options at their defaults, vectorizes the rows of
/// a tick for vectors of so many bits.
bool hasVectorRows(TickOp tick, int64_t vectorBits);

} // namespace mlir::lci

#endif // LCI_TRANSFORMS_CPU_VECTORIZECELLS_H

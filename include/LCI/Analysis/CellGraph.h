//===- CellGraph.h - Visibility explored cell by cell -----------*- C++ -*-===//

#ifndef LCI_ANALYSIS_CELLGRAPH_H
#define LCI_ANALYSIS_CELLGRAPH_H

#include "LCI/Analysis/Causality.h"

namespace mlir::lci {

/// Whether a path of the given lines leads from a cell of the value to a later one, by visiting
/// every cell once; unknown if the lines have more than `maxEdges` pairs of cells.
Causality exploreCells(ValueOp value, ArrayRef<VisibleOp> lines, uint64_t maxEdges);

/// The cell of an index under a boundary; nothing beyond an open border.
std::optional<int64_t> applyBoundary(int64_t index, int64_t extent, Boundary boundary);

} // namespace mlir::lci

#endif // LCI_ANALYSIS_CELLGRAPH_H

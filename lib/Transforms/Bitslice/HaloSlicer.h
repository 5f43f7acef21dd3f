//===- HaloSlicer.h - Halos and copies of planes ----------------*- C++ -*-===//

#ifndef LCI_LIB_TRANSFORMS_BITSLICE_HALOSLICER_H
#define LCI_LIB_TRANSFORMS_BITSLICE_HALOSLICER_H

#include "LCI/Dialect/LCIOps.h"
#include "LCI/Dialect/Layout.h"

namespace mlir::lci::bitslice {

/// Copies the edges of an array in planes into its halo.
void refreshPlanes(OpBuilder &builder, RefreshHaloOp op, LayoutAttr layout, ValueRange planes);

/// Copies the cells of an array of elements into planes, or back.
void packCells(OpBuilder &builder, Location loc, Value cells, LayoutAttr layout, ValueRange planes);
void unpackCells(OpBuilder &builder, Location loc, LayoutAttr layout, ValueRange planes,
                 Value cells);

} // namespace mlir::lci::bitslice

#endif // LCI_LIB_TRANSFORMS_BITSLICE_HALOSLICER_H

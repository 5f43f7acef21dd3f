//===- PlaneCopies.h - Copies between cells and planes ----------*- C++ -*-===//

#ifndef LCI_LIB_TRANSFORMS_LAYOUT_BITSLICE_PLANECOPIES_H
#define LCI_LIB_TRANSFORMS_LAYOUT_BITSLICE_PLANECOPIES_H

#include "LCI/Dialect/Layout.h"
#include "mlir/IR/Builders.h"

namespace mlir::lci::bitslice {

/// Copies the cells of an array to planes, or back; with `threads` words are threads of kernels.
void packCells(OpBuilder &builder, Location loc, Value cells, LayoutAttr layout, ValueRange planes,
               bool threads);
void unpackCells(OpBuilder &builder, Location loc, LayoutAttr layout, ValueRange planes,
                 Value cells, bool threads);

} // namespace mlir::lci::bitslice

#endif // LCI_LIB_TRANSFORMS_LAYOUT_BITSLICE_PLANECOPIES_H

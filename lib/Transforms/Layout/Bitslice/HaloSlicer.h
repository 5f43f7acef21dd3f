//===- HaloSlicer.h - Refresh of halos on planes ----------------*- C++ -*-===//

#ifndef LCI_LIB_TRANSFORMS_LAYOUT_BITSLICE_HALOSLICER_H
#define LCI_LIB_TRANSFORMS_LAYOUT_BITSLICE_HALOSLICER_H

#include "LCI/Dialect/LCIOps.h"
#include "LCI/Dialect/Layout.h"

namespace mlir::lci::bitslice {

/// Copies the edges of an array in planes into its halo, for a CPU or for threads.
void refreshPlanes(OpBuilder &builder, RefreshHaloOp op, LayoutAttr layout, ValueRange planes,
                   bool threads);

} // namespace mlir::lci::bitslice

#endif // LCI_LIB_TRANSFORMS_LAYOUT_BITSLICE_HALOSLICER_H

//===- TickWindows.h - Windows of ticks on buffers --------------*- C++ -*-===//
//
// Where the loads of a tick lie in memory, relative to the cells of its targets. Both may be views
// of one buffer: they are compared by the constants by which they are shifted.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_DIALECT_TICKWINDOWS_H
#define LCI_DIALECT_TICKWINDOWS_H

#include "LCI/Dialect/LCIOps.h"

namespace mlir::lci {

/// A buffer, and the place in it of a view's first element. A buffer that is no view, or a view of
/// another kind, is its own.
struct ShiftedView {
  Value buffer;
  SmallVector<int64_t> offsets;
};

/// Follows views that are shifted by constants, with unit strides and all axes.
ShiftedView findShift(Value view);

/// The distance, on each axis, of the element that a load reads from the cell of a target, if it is
/// the same for all cells: the load is a window without boundaries, along the tick's axes in order,
/// of the target's buffer.
std::optional<SmallVector<int64_t>> getDistance(LoadOp load, Value target);

/// Whether a load reads what the cell itself holds in a target.
bool readsOwn(LoadOp load, Value target);

/// The input of the tick that a load reads; null if it reads something else.
Value getLoadedInput(LoadOp load);

/// Open on every axis: the boundary of a load that stays inside of its memory.
ArrayAttr getOpenBoundary(MLIRContext *context, unsigned rank);

/// Loads from memory, at a place that is inside of it.
Value loadInside(OpBuilder &builder, Location loc, Value source, AffineMap map, ValueRange indices);

} // namespace mlir::lci

#endif // LCI_DIALECT_TICKWINDOWS_H

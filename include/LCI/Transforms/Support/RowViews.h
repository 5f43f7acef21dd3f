//===- RowViews.h - Row offsets and aliasing of operands --------*- C++ -*-===//
//
// Decomposes the offsets of `memref.subview` operands along their axis of rows,
// so that passes can compare which rows two operands access, and decides which
// buffers do not alias.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TRANSFORMS_SUPPORT_ROWVIEWS_H
#define LCI_TRANSFORMS_SUPPORT_ROWVIEWS_H

#include "LCI/Dialect/TickBuilders.h"
#include "LCI/Transforms/Support/BufferFacts.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::lci {

/// An offset: a computed value, or zero, plus a constant distance.
struct Offset {
  Value base;
  int64_t distance = 0;

  explicit Offset(OpFoldResult offset) {
    if (std::optional<int64_t> constant = getConstantIntValue(offset)) {
      distance = *constant;
      return;
    }
    base = cast<Value>(offset);
    auto sum = base.getDefiningOp<arith::AddIOp>();
    std::optional<int64_t> more = sum ? getConstantIntValue(sum.getRhs()) : std::nullopt;
    if (more) {
      base = sum.getLhs();
      distance = *more;
    }
  }
  OpFoldResult plus(OpBuilder &builder, Location loc, OpFoldResult more) const {
    OpFoldResult start = base ? OpFoldResult(base) : builder.getIndexAttr(0);
    if (std::optional<int64_t> constant = getConstantIntValue(more))
      return buildMoved(builder, loc, start, distance + *constant);
    OpFoldResult from = buildMoved(builder, loc, start, distance);
    return builder.createOrFold<arith::AddIOp>(
        loc, getValueOrCreateConstantIndexOp(builder, loc, from), cast<Value>(more));
  }
};

/// An operand with an axis of rows, and the row at which it begins.
struct RowView {
  memref::SubViewOp view;
  unsigned axis = 0;

  int64_t stride() { return view.getStaticStrides()[axis]; }
  Offset offset() { return Offset(view.getMixedOffsets()[axis]); }
  int64_t row() { return llvm::divideFloorSigned(offset().distance, stride()); }

  /// An upper bound of the number of rows: the size of the view, or else the rows of its buffer
  /// from the view's offset on. A window at an edge has few rows or none, whatever its size is.
  std::optional<int64_t> countMostRows() {
    if (std::optional<int64_t> size = getConstantIntValue(view.getMixedSizes()[axis]))
      return size;
    int64_t extent = view.getSourceType().getDimSize(axis);
    Offset begin = offset();
    if (begin.base || ShapedType::isDynamic(extent))
      return std::nullopt;
    return llvm::divideCeilSigned(extent - begin.distance, stride());
  }
};

} // namespace mlir::lci

#endif // LCI_TRANSFORMS_SUPPORT_ROWVIEWS_H

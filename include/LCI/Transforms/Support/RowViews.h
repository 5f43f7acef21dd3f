//===- RowViews.h - Where the rows of operands lie --------------*- C++ -*-===//

#ifndef LCI_TRANSFORMS_SUPPORT_ROWVIEWS_H
#define LCI_TRANSFORMS_SUPPORT_ROWVIEWS_H

#include "LCI/Dialect/TickBuilders.h"
#include "LCI/Transforms/Support/BufferFacts.h"
#include "LCI/Transforms/Support/BufferOrigins.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::lci {

/// An offset: a number of rows beyond one that is computed, or beyond the first.
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

/// An operand that has an axis of rows: which one, and from which row on it is read.
struct RowView {
  memref::SubViewOp view;
  unsigned axis = 0;

  int64_t stride() { return view.getStaticStrides()[axis]; }
  Offset offset() { return Offset(view.getMixedOffsets()[axis]); }
  int64_t row() { return llvm::divideFloorSigned(offset().distance, stride()); }

  /// How many rows there may be: those of the view, or those that its buffer has from where the
  /// view begins. A window at an edge has few of them, or none, whatever its size is called.
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

/// The buffer in which every access of an operand lies.
class Memory {
public:
  explicit Memory(Value operand) : root(rootOf(operand)) {}
  bool operator==(const Memory &other) const { return root == other.root; }

  /// Whether no address is in both: one has no other name, and it is known what the other one is,
  /// or all that they may be.
  bool isApartFrom(const Memory &other) const {
    return root != other.root && ((isOwn() && other.isKnown()) || (isKnown() && other.isOwn()) ||
                                  lieApart(root, other.root));
  }

private:
  bool isOwn() const {
    if (Operation *made = root.getDefiningOp())
      return isa<memref::AllocOp, memref::AllocaOp>(made);
    return isOwnArgument(root);
  }

  /// Not chosen among buffers, nor carried by a loop, nor got from somebody.
  bool isKnown() const {
    if (Operation *made = root.getDefiningOp())
      return isa<memref::AllocOp, memref::AllocaOp, memref::GetGlobalOp>(made);
    return isa<FunctionOpInterface>(cast<BlockArgument>(root).getOwner()->getParentOp());
  }

  Value root;
};

} // namespace mlir::lci

#endif // LCI_TRANSFORMS_SUPPORT_ROWVIEWS_H

//===- HaloLowering.cpp - Halos as copies of strips, or one loop ----------===//
//
// On a CPU a halo is strips that are copied, axis by axis, over the full width of the axes already
// done: a corner is then a copy of a copy and correct on all axes at once. The first axis comes
// last, since only some of its rows may have changed: their ends are copied, then each row of the
// halo that shows one of them.
//
// On a GPU each strip would cost a launch, and a column's strip would have one element for each
// row: there a halo is one parallel loop over its elements, each of which computes its source cell.
//
//===----------------------------------------------------------------------===//

#include "LCI/Dialect/TickBuilders.h"
#include "Lowerings.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/DialectConversion.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::lci;

namespace {

/// Builds the copies for one storage.
class HaloCopies {
public:
  HaloCopies(OpBuilder &builder, RefreshHaloOp op)
      : builder(builder), op(op), type(cast<MemRefType>(op.getStorage().getType())) {}

  void build() {
    for (int64_t number = 1; number <= type.getRank(); ++number) {
      axis = number % type.getRank();
      buildAxis();
    }
  }

private:
  void buildAxis() {
    switch (op.getBoundaryOf(axis)) {
    case Boundary::Open:
      return fill();
    case Boundary::Clamp:
      return clamp();
    case Boundary::Wrap:
      return wrap();
    }
  }

  /// The part of the storage between two positions of the axis, counted from the first cell: only
  /// the rows that changed, and the full width of the axes already done.
  Value strip(int64_t begin, int64_t size) {
    SmallVector<OpFoldResult> offsets, sizes, strides(type.getRank(), builder.getIndexAttr(1));
    for (int64_t other = 0; other < type.getRank(); ++other) {
      bool isDone = axis == 0 || (other > 0 && other < axis);
      int64_t offset = isDone ? 0 : op.getLow()[other];
      int64_t extent = isDone ? op.getWidth(other) : op.getExtent(other);
      if (other == axis) {
        offset = op.getLow()[other] + begin;
        extent = size;
      }
      offsets.push_back(builder.getIndexAttr(offset));
      sizes.push_back(builder.getIndexAttr(extent));
    }
    if (axis > 0 && op.getBegin()) {
      offsets.front() = buildMoved(builder, op.getLoc(), op.getBegin(), op.getLow().front());
      sizes.front() = op.getCount();
    }
    return memref::SubViewOp::create(builder, op.getLoc(), op.getStorage(), offsets, sizes,
                                     strides);
  }

  void copy(int64_t from, int64_t to, int64_t size) {
    if (axis > 0 || !op.getBegin()) {
      linalg::CopyOp::create(builder, op.getLoc(), strip(from, size), strip(to, size));
      return;
    }
    for (int64_t row = 0; row < size; ++row)
      copyRowIfChanged(from + row, to + row);
  }

  void copyRowIfChanged(int64_t from, int64_t to) {
    Location loc = op.getLoc();
    Value row = arith::ConstantIndexOp::create(builder, loc, from);
    Value distance = builder.createOrFold<arith::SubIOp>(loc, row, op.getBegin());
    Value isChanged =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, distance, op.getCount());
    OpBuilder::InsertionGuard guard(builder);
    auto branch = scf::IfOp::create(builder, loc, isChanged, /*withElseRegion=*/false);
    builder.setInsertionPointToStart(branch.thenBlock());
    linalg::CopyOp::create(builder, loc, strip(from, 1), strip(to, 1));
  }

  void fill() {
    if (!op.getFill())
      return;
    int64_t low = op.getLow()[axis], high = op.getHigh()[axis];
    if (low)
      linalg::FillOp::create(builder, op.getLoc(), op.getFill(), strip(-low, low));
    if (high)
      linalg::FillOp::create(builder, op.getLoc(), op.getFill(), strip(op.getExtent(axis), high));
  }

  void clamp() {
    int64_t extent = op.getExtent(axis);
    for (int64_t i = 1; i <= op.getLow()[axis]; ++i)
      copy(0, -i, 1);
    for (int64_t i = 0; i < op.getHigh()[axis]; ++i)
      copy(extent - 1, extent + i, 1);
  }

  /// At most one extent at a time, since a halo may go around the torus more than once.
  void wrap() {
    int64_t extent = op.getExtent(axis);
    for (int64_t done = 0; done < op.getLow()[axis]; done += extent) {
      int64_t size = std::min(extent, op.getLow()[axis] - done);
      copy(extent - size, -done - size, size);
    }
    for (int64_t done = 0; done < op.getHigh()[axis]; done += extent)
      copy(0, extent + done, std::min(extent, op.getHigh()[axis] - done));
  }

  OpBuilder &builder;
  RefreshHaloOp op;
  MemRefType type;
  int64_t axis = 0;
};

/// Builds the loop over all elements of a halo. They lie in slabs: before and after the cells of an
/// axis, among the cells of the axes before it, over the full width of those after it.
class HaloLoop {
public:
  HaloLoop(OpBuilder &builder, RefreshHaloOp op)
      : builder(builder), loc(op.getLoc()), op(op),
        rank(cast<MemRefType>(op.getStorage().getType()).getRank()) {
    for (unsigned axis = 0; axis < rank; ++axis)
      addSlabs(axis);
  }

  int64_t size() const { return slabs.empty() ? 0 : slabs.back().end; }

  void build() {
    Value zero = index(0), one = index(1);
    auto loop = scf::ParallelOp::create(builder, loc, zero, index(size()), one);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    SmallVector<Value> to = indicesOf(loop.getInductionVars().front());
    SmallVector<Value> from;
    for (unsigned axis = 0; axis < rank; ++axis)
      from.push_back(cellOf(axis, to[axis]));
    Value element = memref::LoadOp::create(builder, loc, op.getStorage(), from);
    for (unsigned axis = 0; axis < rank; ++axis)
      if (op.getBoundaryOf(axis) == Boundary::Open && op.getFill()) {
        Value isCell = compare(arith::CmpIPredicate::eq, from[axis], to[axis]);
        element = arith::SelectOp::create(builder, loc, isCell, element, op.getFill());
      }
    memref::StoreOp::create(builder, loc, element, op.getStorage(), to);
  }

private:
  struct Slab {
    SmallVector<int64_t> first, extents;
    int64_t begin, end; ///< iterations of the loop
  };

  /// The width of the halo on one side; zero if its elements stay unchanged.
  int64_t widthOf(unsigned axis, ArrayRef<int64_t> widths) {
    bool stays = op.getBoundaryOf(axis) == Boundary::Open && !op.getFill();
    return stays ? 0 : widths[axis];
  }

  void addSlabs(unsigned axis) {
    int64_t low = widthOf(axis, op.getLow()), high = widthOf(axis, op.getHigh());
    int64_t cells = op.getLow()[axis];
    for (auto [first, extent] :
         {std::pair(cells - low, low), std::pair(cells + op.getExtent(axis), high)}) {
      Slab slab;
      int64_t count = extent;
      for (unsigned other = 0; other < rank; ++other) {
        int64_t before = other > axis ? widthOf(other, op.getLow()) : 0;
        int64_t after = other > axis ? widthOf(other, op.getHigh()) : 0;
        slab.first.push_back(other == axis ? first : op.getLow()[other] - before);
        slab.extents.push_back(other == axis ? extent : before + op.getExtent(other) + after);
        count *= other == axis ? 1 : slab.extents.back();
      }
      slab.begin = size();
      slab.end = slab.begin + count;
      if (count > 0)
        slabs.push_back(std::move(slab));
    }
  }

  /// The storage indices of the halo element with that number.
  SmallVector<Value> indicesOf(Value number) {
    SmallVector<Value> indices = indicesIn(slabs.front(), number);
    for (const Slab &slab : ArrayRef(slabs).drop_front()) {
      Value isThere = compare(arith::CmpIPredicate::uge, number, index(slab.begin));
      SmallVector<Value> there = indicesIn(slab, number);
      for (auto [here, other] : llvm::zip_equal(indices, there))
        here = arith::SelectOp::create(builder, loc, isThere, other, here);
    }
    return indices;
  }

  SmallVector<Value> indicesIn(const Slab &slab, Value number) {
    SmallVector<Value> indices(rank);
    Value rest = builder.createOrFold<arith::SubIOp>(loc, number, index(slab.begin));
    for (unsigned axis = rank; axis-- > 0;) {
      Value extent = index(slab.extents[axis]);
      Value at = axis == 0 ? rest : builder.createOrFold<arith::RemUIOp>(loc, rest, extent);
      indices[axis] = builder.createOrFold<arith::AddIOp>(loc, at, index(slab.first[axis]));
      rest = builder.createOrFold<arith::DivUIOp>(loc, rest, extent);
    }
    return indices;
  }

  /// The index, on an axis, of an element's source cell; beyond an open border the nearest one.
  Value cellOf(unsigned axis, Value at) {
    int64_t low = op.getLow()[axis], extent = op.getExtent(axis);
    if (op.getBoundaryOf(axis) == Boundary::Wrap) {
      int64_t wholeExtents =
          llvm::divideCeilSigned(low, extent) * extent; // none is below zero then
      Value moved = builder.createOrFold<arith::AddIOp>(loc, at, index(wholeExtents - low));
      Value cell = builder.createOrFold<arith::RemUIOp>(loc, moved, index(extent));
      return builder.createOrFold<arith::AddIOp>(loc, cell, index(low));
    }
    Value least = builder.createOrFold<arith::MaxUIOp>(loc, at, index(low));
    return builder.createOrFold<arith::MinUIOp>(loc, least, index(low + extent - 1));
  }

  Value compare(arith::CmpIPredicate predicate, Value left, Value right) {
    return arith::CmpIOp::create(builder, loc, predicate, left, right);
  }
  Value index(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }

  OpBuilder &builder;
  Location loc;
  RefreshHaloOp op;
  unsigned rank;
  SmallVector<Slab> slabs;
};

struct RefreshHaloOpLowering : OpConversionPattern<RefreshHaloOp> {
  RefreshHaloOpLowering(MLIRContext *context, bool isParallel)
      : OpConversionPattern(context), isParallel(isParallel) {}

  LogicalResult matchAndRewrite(RefreshHaloOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    // A loop over one element would be taken for none.
    HaloLoop loop(rewriter, op);
    if (isParallel && !op.getBegin() && loop.size() > 1)
      loop.build();
    else
      HaloCopies(rewriter, op).build();
    rewriter.eraseOp(op);
    return success();
  }

  bool isParallel;
};

} // namespace

void mlir::lci::populateHaloLowering(RewritePatternSet &patterns, bool isParallel) {
  patterns.add<RefreshHaloOpLowering>(patterns.getContext(), isParallel);
}

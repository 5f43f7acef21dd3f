//===- HaloLowering.cpp - Halos as copies of strips -----------------------===//
//
// Axis by axis, over the full width of the axes already done: a corner is then a copy of a copy and
// right on all axes at once. The first axis comes last, since only some of its rows may have
// changed: their ends are copied, then each row of the halo that shows one of them.
//
//===----------------------------------------------------------------------===//

#include "LCI/Dialect/TickBuilders.h"
#include "Lowerings.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace mlir::lci;

namespace {

/// Builds the copies for one storage.
class HaloCopies {
public:
  HaloCopies(OpBuilder &builder, RefreshHaloOp op)
      : builder(builder), op(op), type(cast<MemRefType>(op.getStorage().getType())) {}

  void build() {
    for (axis = 1; axis < type.getRank(); ++axis)
      buildAxis();
    axis = 0;
    buildAxis();
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

  /// The part of the storage between two positions of the axis, counted from the first cell: of the
  /// rows that changed, and of all that the axes done already have.
  Value strip(int64_t begin, int64_t size) {
    SmallVector<OpFoldResult> offsets, sizes, strides(type.getRank(), builder.getIndexAttr(1));
    for (int64_t other = 0; other < type.getRank(); ++other) {
      bool isDone = axis == 0 || (other > 0 && other < axis);
      int64_t offset = isDone ? 0 : op.getLow()[other];
      int64_t extent = isDone ? type.getDimSize(other) : op.getExtent(other);
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

struct RefreshHaloOpLowering : OpConversionPattern<RefreshHaloOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(RefreshHaloOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    HaloCopies(rewriter, op).build();
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void lci::populateHaloLowering(RewritePatternSet &patterns) {
  patterns.add<RefreshHaloOpLowering>(patterns.getContext());
}

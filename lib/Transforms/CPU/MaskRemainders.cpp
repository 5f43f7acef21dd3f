//===- MaskRemainders.cpp - Row remainders by masked vectors --------------===//
//
// LLVM vectorizes the whole pairs of vectors of a row and computes the cells behind them by small
// vectors and one by one, which takes a good part of the time of a row of some hundred cells.
// Predicated as a whole, the loop would mask every vector. Here the remainder of a row becomes one
// or two separate vectors, the last one under a mask.
//
//===----------------------------------------------------------------------===//

#include "LCI/Dialect/LCIDialect.h"
#include "LCI/Transforms/CPU/Passes.h"
#include "LCI/Transforms/Support/Thresholds.h"
#include "LCI/Transforms/Support/VectorLanes.h"
#include "LCI/Transforms/Support/Ways.h"
#include "VectorRows.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::lci {
#define GEN_PASS_DEF_MASKREMAINDERSPASS
#include "LCI/Transforms/CPU/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

/// Vectors that LLVM interleaves, and registers that one value of the body may take.
static constexpr int64_t kInterleaved = 2, kMaxRegisters = 4;
/// Vectors of a row from which on peeling the unaligned first cells pays, so that the other vectors
/// lie on one cache line each.
static constexpr int64_t kLongRow = 8;

/// Whether the rows of an operand are contiguous and indexed by the loops in their order.
static bool hasRows(Value operand, AffineMap map) {
  auto type = dyn_cast<MemRefType>(operand.getType());
  return type && map.isIdentity() && type.getRank() > 0 && type.isLastDimUnitStride() &&
         !type.isDynamicDim(type.getRank() - 1);
}

static bool haveRows(linalg::GenericOp op) {
  return llvm::all_of(llvm::zip_equal(op->getOperands(), op.getIndexingMapsArray()), [](auto pair) {
    auto [operand, map] = pair;
    return map.getNumResults() == 0 || hasRows(operand, map);
  });
}

/// Bits of the widest value of the body, except counters.
static int64_t widestOf(linalg::GenericOp op) {
  int64_t width = 1;
  for (Operation &inner : op.getBody()->without_terminator())
    for (Value operand : inner.getOperands())
      if (operand.getType().isIntOrFloat())
        width = std::max<int64_t>(width, operand.getType().getIntOrFloatBitWidth());
  return width;
}

/// Whether the machine loads and stores so many lanes of a register under a mask.
static bool hasMasks(int64_t vectorBits, int64_t numLanes) {
  constexpr int64_t ofAVX512 = 512, ofAVX2 = 256, numberBits = 32;
  return vectorBits >= ofAVX512 || (vectorBits == ofAVX2 && vectorBits / numLanes >= numberBits);
}

/// The cells of an operand's rows from `first` on; nothing for a counter.
static Value viewOf(OpBuilder &builder, Value operand, int64_t first, int64_t count) {
  if (cast<MemRefType>(operand.getType()).getRank() == 0)
    return {};
  SmallVector<OpFoldResult> sizes = memref::getMixedSizes(builder, operand.getLoc(), operand);
  SmallVector<OpFoldResult> offsets(sizes.size(), builder.getIndexAttr(0)),
      strides(sizes.size(), builder.getIndexAttr(1));
  offsets.back() = builder.getIndexAttr(first);
  sizes.back() = builder.getIndexAttr(count);
  return memref::SubViewOp::create(builder, operand.getLoc(), operand, offsets, sizes, strides);
}

/// The lane at which the first cell of each row lies in a vector of the buffer; nothing if it
/// differs between rows. Buffers are allocated at the beginning of a cache line.
static std::optional<int64_t> findLane(Value operand, int64_t lanes) {
  int64_t column = 0;
  for (auto view = operand.getDefiningOp<memref::SubViewOp>(); view;
       view = operand.getDefiningOp<memref::SubViewOp>()) {
    int64_t offset = view.getStaticOffsets().back();
    if (ShapedType::isDynamic(offset) || view.getStaticStrides().back() != 1 ||
        view.getSourceType().getRank() != view.getType().getRank())
      return std::nullopt;
    column += offset;
    operand = view.getSource();
  }
  auto type = cast<MemRefType>(operand.getType());
  int64_t width = type.getShape().back();
  if (!type.getLayout().isIdentity() || ShapedType::isDynamic(width) || width % lanes != 0)
    return std::nullopt;
  return column % lanes;
}

/// Cells of a long row before the first one that is stored to an aligned vector.
static int64_t countUnaligned(linalg::GenericOp op, int64_t lanes) {
  if (op.getStaticLoopRanges().back() < kLongRow * lanes)
    return 0;
  for (OpOperand &output : op.getDpsInitsMutable())
    if (op.getMatchingIndexingMap(&output).getNumResults() != 0)
      return (lanes - findLane(output.get(), lanes).value_or(0)) % lanes;
  return 0;
}

/// Leaves the cells of each row that are whole vectors to the operation, and computes the others.
static bool vectorizeRemainder(linalg::GenericOp op, int64_t vectorBits) {
  VectorRows vectors(op, vectorBits);
  int64_t lanes = vectors.getNumLanes();
  if (!op.hasPureBufferSemantics() || op.getNumLoops() == 0 || !haveRows(op) || lanes < 2 ||
      !hasMasks(vectorBits, lanes) || widestOf(op) * lanes > kMaxRegisters * vectorBits)
    return false;
  int64_t before = countUnaligned(op, lanes), numCells = op.getStaticLoopRanges().back() - before;
  int64_t behind = numCells % (kInterleaved * lanes), whole = numCells - behind;
  int64_t rest = behind % lanes;
  bool isWhole = rest == 0 || (rest == 1 && numCells >= kTinyRow);
  if ((before == 0 && isWhole) || !vectors.isFit())
    return false;
  if (before != 0)
    took(op, Way::BeginUnderMask);
  if (behind != 0)
    took(op, Way::EndUnderMask);
  OpBuilder builder(op);
  auto viewAll = [&](int64_t first, int64_t count) {
    return llvm::map_to_vector(
        op->getOperands(), [&](Value operand) { return viewOf(builder, operand, first, count); });
  };
  if (before != 0)
    vectors.emit(builder, viewAll(0, before), before, /*stride=*/1);
  builder.setInsertionPoint(op);
  if (behind != 0)
    vectors.emit(builder, viewAll(before + whole, behind), behind, /*stride=*/1);
  if (whole == 0) {
    op.erase();
    return true;
  }
  builder.setInsertionPoint(op);
  for (auto [operand, view] : llvm::zip_equal(op->getOpOperands(), viewAll(before, whole)))
    if (view)
      operand.set(view);
  return true;
}

namespace {
struct MaskRemainders : mlir::lci::impl::MaskRemaindersPassBase<MaskRemainders> {
  using MaskRemaindersPassBase::MaskRemaindersPassBase;

  void runOnOperation() override {
    int64_t vectorBits = getCPUTarget(getOperation()).vectorBits;
    SmallVector<linalg::GenericOp> ops;
    getOperation().walk([&](linalg::GenericOp op) { ops.push_back(op); });
    for (linalg::GenericOp op : ops)
      numRests += vectorizeRemainder(op, vectorBits);
  }
};
} // namespace
